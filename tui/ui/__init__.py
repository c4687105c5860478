"""The screens of game master and players; only `ui/app` imports Textual."""

"""The game master's screen as a Textual app: the only room that imports Textual."""

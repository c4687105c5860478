"""The game master's screen as a Textual app: the only package that imports Textual."""

"""The Textual app, its widgets and its driver: the only room that imports Textual."""

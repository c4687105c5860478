"""The panes of a fight and of the start screen, one in each file."""

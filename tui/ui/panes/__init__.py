"""Draw the panes of a fight: each in a file of its own."""

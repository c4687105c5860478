"""What the outside reads of a fight: the log in words, the state as JSON."""

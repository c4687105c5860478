"""State and disk: the only mutable thing in the program."""

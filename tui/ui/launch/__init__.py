"""Start the screen from the arguments of a call."""

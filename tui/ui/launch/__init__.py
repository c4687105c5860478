"""Start the screen, plain lines, and players' terminals from the arguments of a call."""

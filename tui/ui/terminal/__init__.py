"""The terminal: its input, its modes, its signals, and how it is restored."""

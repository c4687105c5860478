"""The terminal's other half: its input, its modes, its signals, and giving it back as it was."""

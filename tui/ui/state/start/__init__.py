"""The start screen as values."""

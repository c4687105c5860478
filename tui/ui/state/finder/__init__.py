"""What can be typed, as things to be found; and what a line would do."""

"""Turn typed lines into actions and back, and find the creatures that a word names."""

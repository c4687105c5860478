"""A display from its first picture to its last, and what is loaded behind it."""

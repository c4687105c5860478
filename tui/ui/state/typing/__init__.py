"""Text that is being typed, as rows of a screen."""

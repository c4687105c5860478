"""Pictures of the start screen."""

"""Pictures of the parts of the screen: pure functions from a scene to rows."""

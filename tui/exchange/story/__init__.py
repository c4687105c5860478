"""A fight as a story: what a viewer may know, gathered once, and written in one of several formats."""

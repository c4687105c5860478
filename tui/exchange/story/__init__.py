"""A fight told afterwards: what a viewer was told, gathered once, and written in one of several formats."""

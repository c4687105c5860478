"""Collect the story of a fight as one viewer may know it, and write it in a format."""

"""The formats of a story, one file each. A new file is a new format."""

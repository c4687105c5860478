"""The formats of a story, one file each; a new file is a new format."""

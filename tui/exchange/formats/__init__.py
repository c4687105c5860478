"""One file a format: how it is known, and what of it goes where. A new file here is a new format."""

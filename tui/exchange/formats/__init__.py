"""One file for each format: how it is recognised, and which key goes where. A new file is a new format."""

"""A stranger's package: everything that a system can bring along, and nothing of the program's own
touched."""

SYSTEMS = {"tides": "system"}

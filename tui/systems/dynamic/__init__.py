"""The Dynamic Initiative System: the dice of the declared actions, lowest first."""

SYSTEMS = {"dynamic": "system"}
"""Each system's id, and the module in here that holds it."""
READERS = {"dynamic": "pool"}
"""The module that reads a declaration while it is typed."""

"""The Dynamic Initiative System: the dice of the declared actions, lowest first."""

SYSTEMS = {"dynamic": "system"}
"""The module of each system in this package, by the system's id."""

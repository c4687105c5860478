"""Alternating sides, one creature or group at a time."""

SYSTEMS = {"alternate": "system"}
"""Each system's id, and the module in here that holds it."""

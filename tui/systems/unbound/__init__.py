"""Unbound: factions on a d12."""

SYSTEMS = {"unbound": "system"}
"""Each system's id, and the module in here that holds it."""

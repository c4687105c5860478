"""Unbound: factions take turns, ordered by a d12 each."""

SYSTEMS = {"unbound": "system"}
"""The module of each system in this package, by the system's id."""

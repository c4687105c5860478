"""Dungeon Universalis: two sides, and the initiative track on top of them."""

SYSTEMS = {"dungeon-universalis": "universalis", "dungeon-track": "track"}
"""The module of each system in this package, by the system's id."""

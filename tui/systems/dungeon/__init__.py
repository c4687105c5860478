"""Dungeon Universalis: two sides, and the initiative track on top of them."""

SYSTEMS = {"dungeon-universalis": "universalis", "dungeon-track": "track"}
"""Each system's id, and the module in here that holds it."""

"""Popcorn initiative: no dice, each names the next."""

SYSTEMS = {"popcorn": "system"}
"""Each system's id, and the module in here that holds it."""

"""Chaos Initiative: orders written before the dice."""

SYSTEMS = {"chaos": "system"}
"""Each system's id, and the module in here that holds it."""

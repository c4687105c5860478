"""Chaos Initiative: orders written before the dice."""

SYSTEMS = {"chaos": "system"}
"""The module of each system in this package, by the system's id."""

"""Chaos Initiative: orders written before the dice."""

SYSTEMS = {"chaos": "system"}
"""The module of each system in this package, by the system's id."""
READERS = {"chaos": "order_text"}
"""The module that reads an order while it is typed, by the system's id."""

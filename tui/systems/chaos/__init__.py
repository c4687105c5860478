"""Chaos Initiative: orders written before the dice."""

SYSTEMS = {"chaos": "system"}
"""Each system's id, and the module in here that holds it."""
READERS = {"chaos": "order_text"}
"""The module that reads an order while it is typed."""

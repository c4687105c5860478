"""Cards: a card for everybody, every round."""

SYSTEMS = {"cards": "system"}
"""Each system's id, and the module in here that holds it."""

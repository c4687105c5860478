"""Side initiative: a d6 for each side."""

SYSTEMS = {"side-initiative": "system"}
"""Each system's id, and the module in here that holds it."""

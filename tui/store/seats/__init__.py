"""Serve players' seats: their keys, the lines that they send to the writer of the save, and the replies."""

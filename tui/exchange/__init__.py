"""Creatures from other tools' files: bytes in, stat blocks out. Nothing here opens, fetches or runs anything."""

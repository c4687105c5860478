"""Imitate a small machine: a quarter of a core, little memory, a slow disk, a slow line."""

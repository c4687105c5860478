"""Checkpoints: what a long save tells, in a file beside it that may be deleted at any time."""

"""Compute who will stand where before the dice are rolled: plain arithmetic without an encounter."""

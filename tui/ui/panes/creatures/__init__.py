"""Creatures as rows: the card, the roster, and what holds each of them, in few columns."""

"""The common shape of all events, and the words that several of them use."""

from msgspec import Struct

ANY = "*"
"""Stands in `of` for every condition of a name, whoever it is of: no creature is called so."""


class BaseEvent(Struct, frozen=True, omit_defaults=True, tag_field="t", tag=str.lower):
    """The common shape of all events."""

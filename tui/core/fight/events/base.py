"""The common shape of all events, and the words that several of them use."""

from typing import Annotated

from msgspec import Meta, Struct

MOST_SIDES = 1_000
Sides = Annotated[int, Meta(ge=1, le=MOST_SIDES)]
"""How many sides a die has, or the face it shows: counting them must not cost a stranger's number of them."""

ANY = "*"
"""Stands in `of` for every condition of a name, whoever it is of: no creature is called so."""


class BaseEvent(Struct, frozen=True, omit_defaults=True, tag_field="t", tag=str.lower):
    """The common shape of all events."""

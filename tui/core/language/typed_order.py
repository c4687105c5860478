"""Define the readers that judge an order while it is typed, from its texts and form, without an encounter.

A package of systems lists the module of each reader beside its systems: `READERS = {"id": "module"}`; the
reader is the function `read_order` of the module. So a player's terminal judges an order without the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tui.core.fight.agenda import Preview


class WrittenFor(Struct, frozen=True):
    """The facts about a form that a reader is given."""

    parts: tuple[str, ...] = ()
    """The keys of the form's parts."""
    options: Mapping[str, Any] = {}
    """The house rules by key."""
    people: tuple[Mapping[str, Any], ...] = ()
    """The field values by key of each creature in the row."""
    marks: frozenset[str] = frozenset()
    """The marks that any of these creatures has."""


Reader = Callable[[Mapping[str, str], WrittenFor], Preview]
"""Returns the errors, warnings and notes on the texts of a half-filled form."""

"""Read an order while it is typed: functions of its texts and its form, which need no encounter.

A package of systems lists the module of such a reader beside its systems: `READERS = {"id": "module"}`; the
reader is the function `read_order` in it. So a player's terminal reads what is typed without the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tui.core.fight.agenda import Preview


class WrittenFor(Struct, frozen=True):
    """What a reader knows of a form."""

    parts: tuple[str, ...] = ()
    """The keys of its parts."""
    options: Mapping[str, Any] = {}
    """The house rules by key."""
    people: tuple[Mapping[str, Any], ...] = ()
    """The fields of each creature in the row."""
    marks: frozenset[str] = frozenset()
    """The marks that any of these creatures has."""


Reader = Callable[[Mapping[str, str], WrittenFor], Preview]
"""Returns what the texts of a half-filled form would mean."""

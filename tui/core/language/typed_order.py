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
    """What a reader knows of a form: its parts by key, the house rules, and who it is for.

    `people` are the fields of the row's creatures, `marks` the marks that any of them has.
    """

    parts: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    people: tuple[Mapping[str, Any], ...] = ()
    marks: frozenset[str] = frozenset()


Reader = Callable[[Mapping[str, str], WrittenFor], Preview]
"""Says what the texts of a half-filled form would mean."""

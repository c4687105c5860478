"""Distances told with the line that makes enemies appear: `distance="Orc 1:4,Bo:2"`, in squares."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.fight import events as ev
from tui.core.fight.agenda import Field
from tui.core.fight.errors import RuleError
from tui.core.language.select import resolve, split
from tui.core.language.tokens import quote
from tui.core.language.values import read
from tui.core.rules.draft import Draft

SQUARES = Field("distance", "squares", help="to the enemy who rolls, for one contest", rule="DUN-6", least=0)
DISTANCES = Field("distance", "how far away they stand", "text", help='"NAME:SQUARES,…"', rule="DUN-6")
USAGE = 'distance="NAME:SQUARES,…"'


def measure(d: Draft, text: str) -> None:
    """How far away they stand in the contest that begins; nothing behind the colon forgets an old distance.

    Raises RuleError for somebody without a colon and for squares that are no number.
    """
    told: dict[str, str] = {}
    for part in split(text):
        name, colon, squares = (x.strip() for x in part.rpartition(":"))
        if not colon:
            raise RuleError(f"{part} has no distance", f"write {USAGE}, as {quote(part + ':4')}", "DUN-6")
        for who in resolve(d.encounter, name):
            value = read(SQUARES, squares) if squares else ""
            d.emit(ev.FieldSet(who, "distance", value, empty=not squares, quiet=True))
            told[who] = squares or "unknown"
    if told:
        found = ", ".join(f"{{{i}}} {squares}" for i, squares in enumerate(told.values()))
        d.announce(f"Squares away: {found}", *told, rule="DUN-6")


def key(squares: Mapping[str, str]) -> str:
    """The `distance=` of a line, by name; "" where nothing is told."""
    if not squares:
        return ""
    return "distance=" + quote(",".join(f"{name}:{n}" for name, n in squares.items()))

"""Fantasy Statblocks for Obsidian: a bestiary note's YAML, a `statblock` block, or its bestiary as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tui.exchange.foreign_values import (
    bonus,
    dice,
    has,
    modifier,
    passive,
    saves,
    size,
    some,
    spelt_saves,
    tables,
    text,
    whole,
)
from tui.exchange.mapping import To, at, take, withstood
from tui.exchange.registry import Entries, Format


def _within(path: str, *names: str) -> Any:
    """Return a reader of a number in a list of one-key tables, `- perception: 3`."""

    def read(entry: Any) -> int | None:
        given = at(entry, path)
        if isinstance(given, str):
            return next((n for n in (bonus(name, given) for name in names) if n is not None), None)
        for row in tables(given):
            for key, value in row.items():
                if key.lower() in names:
                    return whole(value)
        return None

    return read


def _score(place: int, read: Callable[[Any], int | None]) -> Any:
    """Return a reader of one of the six scores, in the order of ABILITIES."""
    return lambda value: read(value[place]) if isinstance(value, list) and len(value) == 6 else None


def _saves(value: Any) -> str | None:
    return spelt_saves(value) or saves({k: v for row in tables(value) for k, v in row.items()})


TABLE = (
    To("source", "source", text),
    To("source", "source.0", text),
    To("hp", "hp"),
    To("hp_dice", "hit_dice", dice),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "modifier"),
    To("initiative", "initiative"),
    To("initiative", "stats", _score(1, modifier)),
    To("per", "", _within("skillsaves", "perception")),
    To("per", "perception"),
    To("per", "stats", _score(4, modifier)),
    To("int", "stats", _score(3, whole)),
    To("size", "size", size),
    To("stealth", "", _within("skillsaves", "stealth")),
    To("stealth", "stats", _score(1, modifier)),
    To("passive", "senses", passive),
    To("con", "", _within("saves", "constitution", "con")),
    To("con", "stats", _score(2, modifier)),
    *withstood("damage_resistances", "damage_vulnerabilities", "damage_immunities"),
    To("saves", "saves", _saves),
)

NOISE = (
    "layout",
    "statblock",
    "image",
    "dice",
    "columns",
    "forceColumns",
    "forcecolumns",
    "columnWidth",
    "path",
    "note",
    "bestiary",
)


def _fits(value: Any) -> bool:
    rows = tables(value)
    known = any(
        has(r, "statblock") or has(r, "stats") or has(r, "layout") or has(r, "hit_dice") for r in rows[:50]
    )
    named = some(rows, "name", "hp") or some(rows, "name", "ac") or some(rows, "name", "stats")
    if some(rows, "monster", "name") or some(rows, "extends", "name"):
        return True
    # A note that says all three is a creature's, whatever else it leaves out.
    return (named and known) or some(rows, "name", "hp", "ac")


def _take(value: Any) -> Entries:
    for row in tables(value):
        base = str(row.get("monster") or row.get("creature") or row.get("extends") or "").lower()
        name = str(row.get("name") or row.get("monster") or row.get("creature") or "")
        if base == name.lower():
            base = ""
        if base or any(k in row for k in ("hp", "ac", "stats")):
            kept = {k: v for k, v in row.items() if k not in ("name", "monster", "creature", "extends")}
            if taken := take(kept, TABLE, name=name, noise=NOISE, key=name.lower(), like=base):
                yield taken


FANTASY_STATBLOCKS = Format("Fantasy Statblocks", ("yaml", "json"), _fits, _take, rank=7)

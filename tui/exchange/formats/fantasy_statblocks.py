"""Fantasy Statblocks for Obsidian: a bestiary note's YAML, a `statblock` block, or its bestiary as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tui.exchange.foreign_values import (
    bonus,
    damage_kinds,
    dice,
    has,
    has_some,
    list_tables,
    modifier,
    passive,
    rating,
    saves_in_text,
    size,
    strip_markup,
    text,
    whole,
    write_saves,
)
from tui.exchange.mapping import To, at, by_defences, take
from tui.exchange.registry import Entries, Format


def _make_list_reader(path: str, *names: str) -> Any:
    """Return a reader of a number in a list of tables with one key each, such as `- perception: 3`."""

    def read(entry: Any) -> int | None:
        given = at(entry, path)
        if isinstance(given, str):
            return next((n for n in (bonus(name, given) for name in names) if n is not None), None)
        for row in list_tables(given):
            for key, value in row.items():
                if key.lower() in names:
                    return whole(value)
        return None

    return read


def _make_score_reader(place: int, read: Callable[[Any], int | None]) -> Any:
    """Return a reader of one of the six scores, in the order of ABILITIES."""
    return lambda value: read(value[place]) if isinstance(value, list) and len(value) == 6 else None


def _make_modifier_reader(place: int) -> Any:
    """Return a reader of a modifier of Shadowdark's `Stats`; six scores are told by their size."""

    def read(value: Any) -> int | None:
        numbers = list(map(whole, value)) if isinstance(value, list) and len(value) == 6 else []
        is_signed = all(n is not None and n in _MODIFIERS for n in numbers)
        return (whole if is_signed else modifier)(numbers[place]) if numbers else None

    return read


_MODIFIERS = range(-5, 10)
"""The modifiers that a creature may have; none has six scores as low."""


def _read_saves(value: Any) -> str | None:
    return saves_in_text(value) or write_saves({k: v for row in list_tables(value) for k, v in row.items()})


def _read_signed(value: Any) -> int | None:
    """Return the first signed number of a text, as in `Perception +8; darkvision`."""
    match = re.search(r"[+\-\u2212][0-9]{1,2}\b", str(value))
    return whole(match[0]) if match else None


def _read_immunities(value: Any) -> str | None:
    """Return the kinds of damage after `Immunities` in the health of Pathfinder's layout."""
    _, _, after = strip_markup(str(value)).partition("Immunities")
    return damage_kinds(after.partition(";")[0])


TABLE = (
    To("source", "source", text),
    To("source", "source.0", text),
    To("hp", "hp"),
    To("hp_dice", "hit_dice", dice),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "modifier"),
    To("initiative", "initiative"),
    To("initiative", "stats", _make_score_reader(1, modifier)),
    To("initiative", "Stats", _make_modifier_reader(1)),
    To("per", "", _make_list_reader("skillsaves", "perception")),
    To("per", "perception"),
    To("per", "perception.0.desc", _read_signed),
    To("per", "stats", _make_score_reader(4, modifier)),
    To("per", "Stats", _make_modifier_reader(4)),
    To("int", "stats", _make_score_reader(3, whole)),
    To("size", "size", size),
    To("stealth", "", _make_list_reader("skillsaves", "stealth")),
    To("stealth", "", _make_list_reader("skills", "stealth")),
    To("stealth", "skills.0.desc", lambda value: bonus("stealth", strip_markup(str(value)))),
    To("stealth", "stats", _make_score_reader(1, modifier)),
    To("stealth", "Stats", _make_modifier_reader(1)),
    To("passive", "senses", passive),
    To("con", "", _make_list_reader("saves", "constitution", "con")),
    To("con", "stats", _make_score_reader(2, modifier)),
    To("con", "Stats", _make_modifier_reader(2)),
    *by_defences("damage_resistances", "damage_vulnerabilities", "damage_immunities"),
    To("immune", "immunities", damage_kinds),
    To("immune", "health.0.desc", _read_immunities),
    To("saves", "saves", _read_saves),
    To("saves", "armorclass.0.desc", lambda value: saves_in_text(strip_markup(str(value)))),
    To("cr", "cr", rating),
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
    rows = list_tables(value)
    known = any(
        has(r, "statblock") or has(r, "stats") or has(r, "layout") or has(r, "hit_dice") for r in rows[:50]
    )
    is_creature = (
        has_some(rows, "name", "hp") or has_some(rows, "name", "ac") or has_some(rows, "name", "stats")
    )
    if any(has_some(rows, base, "name") for base in ("monster", "creature", "extends")):
        return True
    # A note that says all three is a creature's, whatever else it leaves out.
    return (is_creature and known) or has(value, "name", "hp", "ac")


def _name_parts(value: Any) -> Any:
    """Return a list of features with names: those in brackets, `- [Claw, text]`, and strikes with a bonus.

    YAML cuts the text in brackets at its commas, and makes a table of `Hit: 7`.
    """
    return [_name_part(x) for x in value] if isinstance(value, list) else value


def _name_part(item: Any) -> Any:
    if isinstance(item, list) and item and isinstance(item[0], str):
        parts = (
            ", ".join(f"{k}: {v}" for k, v in x.items()) if isinstance(x, dict) else str(x) for x in item[1:]
        )
        return {"name": item[0], "desc": ", ".join(parts)} if item[1:] else item[0]
    if has(item, "name", "bonus", "damage") and (number := whole(item["bonus"])) is not None:
        return {"name": f"{item['name']} {number:+} {item.get('desc') or ''}, Damage {item['damage']}"}
    return item


def _take(value: Any) -> Entries:
    for row in list_tables(value):
        base = str(row.get("monster") or row.get("creature") or row.get("extends") or "").lower()
        name = str(row.get("name") or row.get("monster") or row.get("creature") or "")
        if base == name.lower():
            base = ""
        if base or any(k in row for k in ("hp", "ac", "stats")):
            values = {
                k: _name_parts(v)
                for k, v in row.items()
                if k not in ("name", "monster", "creature", "extends")
            }
            if creature := take(values, TABLE, name=name, noise=NOISE, key=name.lower(), like=base):
                yield creature


FANTASY_STATBLOCKS = Format("Fantasy Statblocks", ("yaml", "json"), _fits, _take, rank=7)

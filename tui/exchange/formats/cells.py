"""CSV and TSV: a first row of column names, then one creature in each row."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from tui.exchange.document import COLUMNS
from tui.exchange.foreign_values import average, dice, modifier, rating, size, text, whole
from tui.exchange.mapping import Imported, To, Unread, read_standing, take
from tui.exchange.registry import Entries, Format


def _points(value: Any) -> int | None:
    """Return hit points; None for dice, which are read apart."""
    if isinstance(value, str) and (both := _OF_MOST.fullmatch(value.strip())):
        return int(both[2])
    return None if average(value) is not None else whole(value)


def _initiative(value: Any) -> int | None:
    """Return the bonus of initiative, also of a roll such as `1d20+2`."""
    roll = _ROLL.fullmatch(value.strip()) if isinstance(value, str) else None
    return whole(roll[1] or 0) if roll else whole(value)


def _dexterity(value: Any) -> int | None:
    """Return the modifier of Dexterity; a text with a sign is one already."""
    return whole(value) if isinstance(value, str) and value.strip()[:1] in _SIGNS else modifier(value)


_SIGNS = ("+", "-", "\u2212")
_ROLL = re.compile(r"1?d20 ?([+\-\u2212] ?\d{1,2})?", re.IGNORECASE)

TABLE = (
    To("source", "source", text),
    To("hp", "hp", _points),
    To("hp_dice", "hp_dice", dice),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "initiative", _initiative),
    To("initiative", "dex", _dexterity),
    To("per", "per"),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "stealth"),
    To("passive", "passive"),
    To("con", "con"),
    To("cr", "cr", rating),
    To("level", "level"),
    To("kind", "kind", text),
)
_NUMBERS = ("hp", "ac", "initiative", "per", "int", "stealth", "passive", "con", "dex", "level")
_OF_MOST = re.compile(r"(\d{1,4}) ?/ ?(\d{1,4})")
"""Matches hit points of a maximum, `12/30`."""
_MOST_COLUMNS = 200
_MODIFIERS = range(-5, 11)
"""The modifiers that a creature may have; scores are 1 to 30."""
_LOWEST_SCORES = 6
"""A column of scores has a value above this one."""


def column_key(head: str) -> str:
    """Return the target of a column's name, or the name itself if it is not in `COLUMNS`."""
    low = re.sub(r"[_\s]+", " ", head.strip().lower())
    return next((key for key, known in COLUMNS.items() if low in known), head.strip())


def _column_keys(rows: Any) -> list[str]:
    """Return the target of each column; a column `dex` of modifiers gives the initiative."""
    keys = [column_key(cell) for cell in rows[0][:_MOST_COLUMNS]]
    if "dex" in keys and "initiative" not in keys:
        at = keys.index("dex")
        cells = [row[at].strip() for row in rows[1:] if len(row) > at and row[at].strip()]
        numbers = [n for cell in cells if (n := whole(cell)) is not None]
        is_signed = any(cell[0] in "+-\u2212" for cell in cells) or 0 in numbers
        if (
            numbers
            and all(n in _MODIFIERS for n in numbers)
            and (is_signed or max(numbers) <= _LOWEST_SCORES)
        ):
            keys[at] = "initiative"
    return keys


def take_row(entry: dict[str, Any], *, is_party: bool, **standing: Any) -> Imported | None:
    """Return the creature of a row of values by target; `standing` is as in `read_standing`."""
    values = {k: v for k, v in entry.items() if k not in ("current", "temporary")}
    values |= {"kind": "pc"} if is_party else {}
    creature = take(values, TABLE)
    if creature is None:
        return None
    both = _OF_MOST.fullmatch(str(entry.get("hp", "")).strip())
    now = both[1] if both else entry.get("current")
    state = read_standing(creature.block.hp, now, entry.get("temporary"), **standing)
    return replace(creature, fight_state=state)


def _take(rows: Any) -> Entries:
    heads = _column_keys(rows)
    lows = {cell.strip().lower() for cell in rows[0]}
    is_party = "player" in lows or {"class", "level"} <= lows
    for number, row in enumerate(rows[1:], 2):
        entry: dict[str, Any] = {}
        for head, cell in zip(heads, row, strict=False):
            if cell.strip() and head:
                entry.setdefault(head, cell.strip())
        if "name" in entry and (creature := take_row(entry, is_party=is_party)):
            yield creature
            for key in _NUMBERS:
                if key in entry and whole(entry[key]) is None and dice(entry[key]) is None:
                    yield Unread(f"{creature.block.name}: {key} is not a number: {entry[key][:40]}", number)


def _explain(rows: Any) -> str:
    """Return why no creature is found: the first row names no column of names."""
    heads = [cell.strip() for cell in rows[0][:_MOST_COLUMNS] if cell.strip()]
    if len(rows) < 2 or "name" in map(column_key, heads):
        return ""
    return f"the first row has {', '.join(heads[:8])[:120]}, and no column called name, creature or monster"


CELLS = Format("CSV or TSV", ("table",), lambda rows: len(rows) > 1, _take, refuses=_explain)

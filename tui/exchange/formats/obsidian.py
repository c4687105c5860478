"""Obsidian's Initiative Tracker: the creatures of an `encounter` block, one a row: `- 3: Goblin, 7, 15, 2`.

A row may also be a table (`creature: Goblin`), a list (`[Goblin, Jim]`: a goblin called Jim), or a name.
Numbers that a row leaves out are those of the creature in the same import or in the library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from msgspec.structs import replace

from tui.core.fight.combatant import FightState
from tui.exchange.document import replace_links
from tui.exchange.foreign_values import has, whole
from tui.exchange.mapping import (
    Imported,
    To,
    clean_creature_name,
    is_true,
    read_standing,
    refuse_row,
    take,
)
from tui.exchange.registry import Entries, Format

_NUMBER = re.compile(r"\s{0,4}[+-]?[0-9]{1,5}\s{0,4}")
_COUNT = re.compile(r"[0-9]{0,3}d?[0-9]{1,4}(?:[+-][0-9]{1,4})?")
_COUNTED_NAME = re.compile(r"([0-9]{1,3}):?[ \t]+(.{1,400})", re.DOTALL)
_COMMA = re.compile(r",(?![^()\n]{0,80}\))")
"""Matches a comma outside of brackets, as in `Beast (Land, 3rd level), 30, 14`."""
_ALLIES = ("friend", "friendly", "ally")
_FLAGS = frozenset({"hidden", *_ALLIES})
_DEPTH = 3

TABLE = (To("hp", "hp"), To("ac", "ac"), To("initiative", "modifier"), To("initiative", "mod"))
_PLACES = ("hp", "ac", "modifier", "experience")


def _read_cells(cells: Sequence[Any]) -> dict[str, Any]:
    """Return the numbers after a name, by their order: hit points, armour class, modifier, experience.

    Words among them are returned as `said`, `hidden` and `ally` as keys.
    """
    flags = {low for cell in cells if (low := str(cell).strip().lower()) in _FLAGS}
    values = [cell for cell in cells if str(cell).strip().lower() not in _FLAGS]
    entry: dict[str, Any] = {
        key: whole(cell)
        for key, cell in zip(_PLACES, values, strict=False)
        if _NUMBER.fullmatch(str(cell)) and not isinstance(cell, bool)
    }
    words = ", ".join(str(c).strip() for c in values if isinstance(c, str) and not _NUMBER.fullmatch(c))
    marks = dict.fromkeys(flags, True)
    return {**entry, **marks, "said": words} if words and entry else {**entry, **marks}


def _read_row(row: Any, many: str = "", depth: int = _DEPTH) -> Imported | None:
    """Return the creature in a row of an encounter; None if the row names none."""
    if isinstance(row, str):
        if not many and (counted := _COUNTED_NAME.fullmatch(row.strip())):
            return _read_row(counted[2], counted[1], depth - 1)
        first, *rest = _COMMA.split(row)
        return _take_row(first, "", _read_cells(rest), many)
    if isinstance(row, list) and row:
        first, *rest = row
        if isinstance(first, list):
            name, shown = [*first, "", ""][:2]
        else:
            has_name = bool(rest) and isinstance(rest[0], str) and rest[0].lower() not in _FLAGS
            has_name = has_name and not _NUMBER.fullmatch(rest[0])
            name, shown = first, rest.pop(0) if has_name else ""
        return _take_row(name, shown, _read_cells(rest), many)
    if isinstance(row, dict):
        if "creature" in row or "name" in row:
            own = {k: v for k, v in row.items() if k not in ("creature", "name")}
            return _take_row(row.get("creature") or row.get("name"), row.get("name") or "", own, many)
        if len(row) == 1 and depth:
            ((key, inside),) = row.items()
            if _COUNT.fullmatch(str(key)):
                return _read_row(inside, str(key), depth - 1)
    return None


def _take_row(name: Any, shown: Any, entry: dict[str, Any], many: str) -> Imported | None:
    """Return the creature in a row with the row's own numbers, called `shown` if given, `many` times."""
    base = clean_creature_name(replace_links(str(name)) if isinstance(name, str) else name)
    title = clean_creature_name(replace_links(shown)) if isinstance(shown, str) else ""
    values = {k: v for k, v in entry.items() if v is not None and k not in _FLAGS}
    creature = take(values, TABLE, name=title or base) if base else None
    if creature is None:
        return None
    ally = any(map(is_true, (entry.get(word) for word in _ALLIES)))
    state = read_standing(hidden=entry.get("hidden"), ally=ally)
    amount = many if many != "1" else ""
    return replace(creature, amount=amount, is_row=True, base_key=base.lower(), fight_state=state)


def _take(value: Any) -> Entries:
    states: dict[str, FightState | None] = {}
    for row in value["creatures"]:
        x = _read_row(row)
        if x is None:
            yield refuse_row(row)
            continue
        # Two rows of one kind that stand differently, such as scouts in sight and hidden ones, stay apart.
        names = (x.block.name, *(f"{x.block.name} {letter}" for letter in ascii_uppercase[1:]))
        name = next(
            (n for n in names if states.setdefault(n.lower(), x.fight_state) == x.fight_state), names[0]
        )
        yield replace(x, block=replace(x.block, name=name))


def _fits(value: Any) -> bool:
    if not has(value, "creatures") or not isinstance(value["creatures"], list):
        return False
    return any(_read_row(row) for row in value["creatures"][:50])


OBSIDIAN = Format("Obsidian Initiative Tracker", ("yaml",), _fits, _take, rank=4)

"""CSV and TSV: a first row of column names, then one creature in each row."""

from __future__ import annotations

import re
from typing import Any

from tui.core.language.noted import LABELS
from tui.exchange.document import Unreadable
from tui.exchange.foreign_values import dice, modifier, rating, size, text
from tui.exchange.mapping import Target, To, take
from tui.exchange.registry import Entries, Format

HEADS: dict[Target | str, tuple[str, ...]] = {
    "name": ("name", "creature", "monster", "monster name", "creature name", "combatant"),
    "source": ("source", "book"),
    "hp": LABELS["hp"],
    "hp_dice": ("hp dice", "hit dice", "hd", "hp formula"),
    "ac": LABELS["ac"],
    "initiative": LABELS["mod"],
    "per": LABELS["per"],
    "int": LABELS["int"],
    "size": ("size",),
    "stealth": ("stealth",),
    "passive": LABELS["passive"],
    "con": ("con save", "constitution save"),
    "dex": ("dex", "dexterity"),
    "cr": ("cr", "challenge", "challenge rating"),
    "level": ("level", "lvl", "lv"),
}
"""The column names that are understood, by target; other columns become part of the card."""

TABLE = (
    To("source", "source", text),
    To("hp", "hp"),
    To("hp_dice", "hp_dice", dice),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "initiative"),
    To("initiative", "dex", modifier),
    To("per", "per"),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "stealth"),
    To("passive", "passive"),
    To("con", "con"),
    To("cr", "cr", rating),
    To("level", "level"),
)
_FORMULA = re.compile(r"[=@]|[+\-](?!\s{0,3}[0-9.]{1,12}\s{0,3}%?$)[^\s]")
_MOST_COLUMNS = 200


def _column_key(head: str) -> str:
    """Return the target of a column's name, or the name itself if it is not in `HEADS`."""
    low = re.sub(r"[_\s]+", " ", head.strip().lower())
    return next((str(key) for key, known in HEADS.items() if low in known), head.strip())


def _take(rows: Any) -> Entries:
    heads = [_column_key(cell) for cell in rows[0][:_MOST_COLUMNS]]
    for number, row in enumerate(rows[1:], 2):
        for cell in row:
            # A spreadsheet would run the formula when someone exports this creature to it.
            if _FORMULA.match(cell.strip()):
                raise Unreadable(
                    "a cell begins like a formula, which is refused",
                    "put a ' or another character before it",
                    number,
                )
        entry: dict[str, Any] = {}
        for head, cell in zip(heads, row, strict=False):
            if cell.strip() and head:
                entry.setdefault(head, cell.strip())
        if "name" in entry and (creature := take(entry, TABLE)):
            yield creature


CELLS = Format("CSV or TSV", ("table",), lambda rows: len(rows) > 1, _take)

"""Obsidian's Initiative Tracker: the creatures of an `encounter` block, one a line: `- 3: Goblin, 7, 15, 2`."""

from __future__ import annotations

import re
from typing import Any

from tui.exchange.numbers import whole
from tui.exchange.registry import Format, Found
from tui.exchange.taking import To, take

_HEAD = re.compile(r"^[ \t]{0,20}(?:creatures|players)[ \t]{0,4}:", re.MULTILINE | re.IGNORECASE)
_LINE = re.compile(
    r"^[ \t]{0,20}-[ \t]{1,4}(?:\[?\w{1,10}\]?[ \t]?:[ \t]{0,4})?([^,:\n]{1,80}?)[ \t]{0,4},[ \t]{0,4}([^\s,][^\n]{0,120})$",
    re.MULTILINE,
)
_NUMBER = re.compile(r"\s{0,4}[+-]?[0-9]{1,5}\s{0,4}")

TABLE = (To("hp", "hp"), To("ac", "ac"), To("initiative", "modifier"))
_PLACES = ("hp", "ac", "modifier", "experience")


def _entry(name: str, rest: str) -> dict[str, Any] | None:
    """The numbers behind a name stand in this order: hit points, armour class, modifier, experience."""
    cells = rest.split(",")
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    if not numbers or not _NUMBER.fullmatch(cells[0]):
        return None
    words = ", ".join(cell.strip() for cell in cells if not _NUMBER.fullmatch(cell))
    return {"name": name, **{k: whole(v) for k, v in zip(_PLACES, numbers, strict=False)}, "said": words}


def _take(value: Any) -> Found:
    for line in _LINE.finditer(value):
        entry = _entry(line[1], line[2])
        if entry and (taken := take(entry, TABLE)):
            yield taken


def _fits(value: Any) -> bool:
    found = _LINE.findall(value[:20_000])
    lines = value[:20_000].strip().count("\n") + 1
    return bool(found) and (_HEAD.search(value[:20_000]) is not None or len(found) == lines)


OBSIDIAN = Format("Obsidian Initiative Tracker", ("text",), _fits, _take, rank=4)

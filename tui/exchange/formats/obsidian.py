"""Obsidian's Initiative Tracker: the creatures of an `encounter` block, one a line: `- 3: Goblin, 7, 15, 2`, or as a table.

A line may have the name alone, `- 3: Goblin`: its numbers are those of the library into which or with which it is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tui.exchange.numbers import whole
from tui.exchange.registry import Format, Found
from tui.exchange.shapes import has, tables
from tui.exchange.taking import Imported, To, take

_HEAD = re.compile(r"^[ \t]{0,20}(?:creatures|players)[ \t]{0,4}:", re.MULTILINE | re.IGNORECASE)
_LINE = re.compile(
    r"^[ \t]{0,20}-[ \t]{1,4}(?:\[?(\w{1,10})\]?[ \t]?:[ \t]{0,4})?([^,:\n]{1,80}?)[ \t]{0,4},[ \t]{0,4}([^\s,][^\n]{0,120})$",
    re.MULTILINE,
)
_LISTED = re.compile(
    r"^[ \t]{0,20}creatures[ \t]{0,4}:[ \t]{0,20}\n((?:[ \t]{0,20}-[^\n]{0,200}(?:\n|\Z))+)",
    re.MULTILINE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"[ \t]{0,20}-[ \t]{1,4}(?:\[?([0-9d+]{1,10})\]?[ \t]?:[ \t]{0,4})?([^,:\[\]{}#`\s][^,:\[\]{}#`]{0,63}?)[ \t]{0,20}"
)
_LINK = re.compile(r"\[\[(?:[^\]|\n]{0,200}\|)?([^\]|\n]{1,80})\]\]")
_NUMBER = re.compile(r"\s{0,4}[+-]?[0-9]{1,5}\s{0,4}")
_COUNT = re.compile(r"[0-9d+]{1,10}")

TABLE = (To("hp", "hp"), To("ac", "ac"), To("initiative", "modifier"), To("initiative", "mod"))
_MANY = "how many"
"""Under this key a table of an encounter goes on with its count."""
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
    text = _bare(value)
    for line in _LINE.finditer(text):
        entry = _entry(line[2], line[3])
        if entry and (taken := take(entry, TABLE)):
            yield _of(taken, line[1])
    for count, name in _named(text):
        if taken := take({"name": name}, ()):
            yield _of(taken, count)


def _of(taken: Imported, count: str | None) -> Imported:
    """So many of it; what stands before the colon may also be no number."""
    return replace(taken, many=count) if count and _COUNT.fullmatch(count) and count != "1" else taken


def _named(text: str) -> Iterator[tuple[str | None, str]]:
    """The counts and names of those who stand among the creatures of an encounter without numbers."""
    for listed in _LISTED.finditer(text):
        for row in listed[1].splitlines():
            if found := _NAMED.fullmatch(row):
                yield found[1], found[2]


def _bare(text: str) -> str:
    """The text with links as what they show: `[[goblin|Goblin]]` is `Goblin`."""
    return _LINK.sub(r"\1", text)


def _fits(value: Any) -> bool:
    start = _bare(value[:20_000])
    found = _LINE.findall(start)
    lines = start.strip().count("\n") + 1
    if any(_named(start)):
        return True
    return bool(found) and (_HEAD.search(start) is not None or len(found) == lines)


OBSIDIAN = Format("Obsidian Initiative Tracker", ("text",), _fits, _take, rank=4)


def _told(value: Any) -> Iterator[dict[str, Any]]:
    """The tables of an encounter that name a creature with its numbers, behind their count or bare."""
    rows = value.get("creatures") if isinstance(value, dict) else None
    for row in tables(rows) if isinstance(rows, list) else []:
        inside = next(iter(row.values())) if len(row) == 1 and _COUNT.fullmatch(str(next(iter(row)))) else row
        many = str(next(iter(row))) if inside is not row else ""
        if has(inside, "creature") and (has(inside, "hp") or has(inside, "ac") or has(inside, "mod")):
            name = inside.get("name") or inside["creature"]
            yield {
                **inside,
                "name": _bare(str(name)),
                "creature": _bare(str(inside["creature"])),
                _MANY: many,
            }


def _take_tables(value: Any) -> Found:
    for entry in _told(value):
        if taken := take({k: v for k, v in entry.items() if k != _MANY}, TABLE):
            yield _of(taken, entry[_MANY])


OBSIDIAN_TABLES = Format(
    "Obsidian Initiative Tracker", ("yaml",), lambda value: any(_told(value)), _take_tables, rank=4
)

"""Stat blocks of one line, as old adventures print them: `Ogre: AC 15, HD 4+1, hp 19, #AT 1, D 1-10`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from tui.exchange.card_attacks import write_listed_attacks
from tui.exchange.foreign_values import dice, strip_markup
from tui.exchange.mapping import To, take
from tui.exchange.registry import Entries, Format

# Every pattern is bounded and looks at one line.
_MOST_LINE = 1_500
_MOST_SENTENCE = 4
"""The most lines of a sentence between a name in capitals and its block."""
_BLOCK = re.compile(
    r"^[\s>*_-]{0,8}(?P<name>[^:(\n]{0,60}?)[\s*_]{0,4}(?:\((?:LV \d{1,2}|[a-z ]{3,30})\))?"
    r"(?:\((?P<count>\d{1,3}|\d{0,2}d\d{1,3})\))?[\s*_:;.(,\u2013-]{0,6}"
    r"(?:(?:AL|MV)\b[^;\n]{1,30};[ ]){0,2}AC\b(?=[ :]{0,2}-?\d)"
    r"[^\n]{1,40}?\b(?:HD\b|hp\b[^\n]{1,40}?\b(?:ATK|LV|LVL|ML|MV)\b)[^\n]{1,1400}$",
    re.IGNORECASE,
)
_ARMOUR = re.compile(r"\bAC[ :]{0,2}(-?\d{1,2})(?: ?\[(\d{1,2})\])?", re.IGNORECASE)
_POINTS = re.compile(r"\bhp[ :]{0,2}(\d{1,4})\b|\((\d{1,4}) ?hp\)", re.IGNORECASE)
_DICE = re.compile(r"\bHD[ :]{0,2}(\d{1,3}d\d{1,3}|\d{1,3})((?:[+-]\d{1,3})?)(?![\d/])", re.IGNORECASE)
_BONUS = re.compile(r"\bTHAC0[ :]{0,2}\d{1,2} ?\[([+-]\d{1,2})\]", re.IGNORECASE)
_ATTACKS = re.compile(r"\b(?:Att|Atk|Attacks?)\b[ :]{0,2}([^\n]{3,300})", re.IGNORECASE)
_CALLOUT = re.compile(r"^[ \t>]{0,8}\[![\w|-]{1,60}\][+-]?|[ \t]\u2014[ \t]LV \d{1,2}[ \t]{0,8}$")
"""Matches the head of a callout and the level after a name."""

TABLE = (To("hp", "hp"), To("hp_dice", "dice", dice), To("ac", "ac"))


def _split_blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, number and text of each block: its line, and the lines below it up to an empty one."""
    plain = (_CALLOUT.sub("", line) for line in map(strip_markup, text.splitlines()))
    lines = [line[:_MOST_LINE].strip() for line in plain]
    found = [_BLOCK.match(line) for line in lines]
    for at, match in enumerate(found):
        if match is None:
            continue
        end = at + 1
        while end < len(lines) and lines[end] and not found[end] and not _is_name(found, end):
            end += 1
        above = [x for line in reversed(lines[:at]) if (x := line.strip(" :*_#>-"))]
        # A sentence between the name and the block, of one line or of some, is what the creature looks like.
        words = next(itertools.takewhile(lambda x: not x.isupper(), above[:_MOST_SENTENCE]), "")
        titles = [x for x in above[: _MOST_SENTENCE + 1] if x.isupper()] if words.endswith(".") else []
        name = match["name"].strip(" .,*_-") or next((x for x in (*titles, *above) if x[-1] != "."), "")
        if name:
            yield name, match["count"] or "", "\n".join(lines[at:end])


def _is_name(found: Sequence[re.Match[str] | None], at: int) -> bool:
    """Return whether the next line is a block without a name, whose name this line is."""
    after = found[at + 1] if at + 1 < len(found) else None
    return after is not None and not after["name"].strip(" .,*_-")


def _read_values(block: str) -> dict[str, Any]:
    line = block.partition("\n")[0]
    armour, points, hit_dice = _ARMOUR.search(line), _POINTS.search(line), _DICE.search(line)
    count = hit_dice[1] if hit_dice else ""
    return {
        # Armour class counts down in the oldest books: the number in brackets counts up.
        "ac": (armour[2] or armour[1]) if armour else None,
        "hp": (points[1] or points[2]) if points else None,
        "dice": f"{count if 'd' in count else f'{count}d8'}{hit_dice[2]}" if hit_dice else None,
    }


def _write_card(block: str) -> str:
    """Return the block, and below it the attacks with a bonus and damage."""
    line = block.partition("\n")[0]
    listed, usual = _ATTACKS.search(line), _BONUS.search(line)
    found = write_listed_attacks(listed[1], usual[1] if usual else "") if listed else ""
    return f"{block}\nAttacks: {found}" if found else block


def _take(value: Any) -> Entries:
    for name, count, block in _split_blocks(value):
        if taken := take(_read_values(block), TABLE, name=name, text=_write_card(block)):
            yield replace(taken, amount=count, is_row=bool(count))


ONE_LINE = Format(
    "stat blocks of one line",
    ("text",),
    lambda value: next(_split_blocks(value), None) is not None,
    _take,
    rank=8,
)

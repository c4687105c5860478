"""A game master's list, one creature a line, in the words that `add` reads; other lines are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.language.creature_actions import Add
from tui.core.language.noted import untab
from tui.exchange.foreign_values import dice, size, whole
from tui.exchange.mapping import To, Unread, take
from tui.exchange.registry import Entries, Format


def _number(value: Any) -> int | None:
    """Return hit points that are a number; None for dice."""
    return None if dice(value) else whole(value)


TABLE = (
    To("hp", "hp", _number),
    To("hp_dice", "hp", dice),
    To("ac", "ac"),
    To("initiative", "mod"),
    To("per", "per"),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "stealth"),
    To("passive", "passive"),
    To("kind", "kind", str),
    To("resist", "resist", str),
    To("vulnerable", "vulnerable", str),
    To("immune", "immune", str),
)
_KEPT = frozenset({"note", *(row.path for row in TABLE)})
_LABELLED = r"(?i)\b(?:hp|ac)\b:? ?[0-9]|[0-9] ?(?:hp|ac)\b"
_SHORT_TEXT = 20_000
"""The most characters of a text that are searched for the reason why it is not a list."""
_LONGEST = 1_000
"""The most characters of a line that are read."""


def _split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not empty; headings of a note are left out."""
    for number, line in enumerate(text.splitlines(), 1):
        if (bare := untab(line)) and bare[0] != "#":
            yield number, bare.removeprefix("add ")[:_LONGEST]


def _read_line(line: str) -> dict[str, Any]:
    """Return name, count and values of a line. Raises RuleError if the line is not a creature."""
    slots = Add.syntax.read(line)
    keys: Any = slots["keys"]
    entry = {"name": slots["name"], "count": slots["count"], "mod": slots["mod"], **keys}
    if not (slots["mod"] or keys.keys() & {"hp", "ac"}):
        raise RuleError(
            "this line has no hit points, armour class or modifier", "`Bram, hp 24, AC 14, init +1`"
        )
    if other := next((key for key in keys if key not in _KEPT), ""):
        raise RuleError(f"{other} is not kept by an import", "leave it out, or paste the line into `add`")
    return entry


def _fits(value: Any) -> bool:
    """Return whether at least half of the first 200 lines are creatures."""
    lines = [line for _, line in _split_lines(value[:100_000])][:200]
    return sum(map(_is_read, lines)) * 2 >= len(lines) > 0


def _is_read(line: str) -> bool:
    try:
        return bool(_read_line(line))
    except RuleError:
        return False


def _take(value: Any) -> Entries:
    for number, line in _split_lines(value):
        try:
            entry = _read_line(line)
        except RuleError as error:
            yield Unread(f"{error.message}; {error.hint}" if error.hint else error.message, number)
            continue
        if taken := take(entry, TABLE, text=entry.get("note", "")):
            yield replace(taken, amount=entry["count"], is_row=bool(entry["count"]))


def _explain(value: Any) -> str:
    """Return why the first labelled line is not read, if most lines have a label; else ""."""
    lines = list(_split_lines(value[:_SHORT_TEXT]))
    labelled = [(number, line) for number, line in lines if re.search(_LABELLED, line)]
    for number, line in labelled[:1] if 2 * len(labelled) > len(lines) else ():
        try:
            _read_line(line)
        except RuleError as error:
            return f"line {number}: {error.message}; {error.hint}"
    return ""


NOTED_LIST = Format("a list of creatures, a line each", ("text",), _fits, _take, rank=10, refuses=_explain)

"""Conditions: what they do, in words, and how long they usually last; the program's own and the table's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.base.text import TEXT_LIMIT, clean_page
from tui.core.fight.combatant import ConditionText
from tui.core.rules.names import name_for
from tui.core.rules.numbers import notation
from tui.store.disk import Disk, read_regular
from tui.store.library.shelves import files
from tui.store.problems import BadFile
from tui.store.safetoml import CAP, locate, parse

_OWN = os.path.join(os.path.dirname(__file__), "conditions.toml")
_KEYS = ("name", "text", "rounds", "until")

Told = Callable[[BadFile], None]


def conditions(folder: str, told: Told = lambda _: None) -> dict[str, ConditionText]:
    """Every condition by its name in lower case; the table's own win. `told` hears of each mistake."""
    found = {c.name.lower(): c for c in _read(_OWN, told)}
    for path, _ in files(folder, "condition"):
        found |= {c.name.lower(): c for c in _read(path, told)}
    return found


def _read(path: str, told: Told) -> Iterator[ConditionText]:
    try:
        entries, text = _entries(path)
    except BadFile as error:
        told(error)
        return
    for i, entry in enumerate(entries):
        try:
            yield _condition(entry)
        except _Mistake as mistake:
            told(
                BadFile(path, locate(text, f"$.condition[{i}].{mistake.key}"), mistake.message, mistake.hint)
            )


def _entries(path: str) -> tuple[list[Any], str]:
    """The tables of a file, and its text. Raises BadFile."""
    data, _ = read_regular(Disk(), path, CAP)
    table, text = parse(data, path), data.decode()
    entries = table.get("condition")
    if not isinstance(entries, list) or set(table) != {"condition"}:
        line = locate(text, f"$.{next(iter(sorted(set(table) - {'condition'})), 'condition')}")
        raise BadFile(
            path, line, "only [[condition]] tables stand in this file", '[[condition]], name = "hexed"'
        )
    return entries, text


class _Mistake(Exception):  # noqa: N818 - never leaves this module
    """What is wrong with the value of a key."""

    def __init__(self, key: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.key, self.message, self.hint = key, message, hint


def _condition(entry: Any) -> ConditionText:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise _Mistake("name", "a name is missing", 'name = "hexed"')
    if extra := sorted(set(entry) - set(_KEYS)):
        raise _Mistake(extra[0], f"a condition has no {extra[0]}", f"there are: {', '.join(_KEYS)}")
    rounds, until, text = str(entry.get("rounds", "")), entry.get("until", ""), entry.get("text", "")
    try:
        name = name_for(entry["name"])
        if rounds:
            notation(rounds, "rounds:")
    except RuleError as error:
        raise _Mistake("rounds" if rounds else "name", error.message, error.hint) from None
    if until not in ("", "start", "end"):
        raise _Mistake("until", "until is start or end")
    if not isinstance(text, str) or len(page := clean_page(text, 4 * TEXT_LIMIT)) > TEXT_LIMIT:
        raise _Mistake("text", f"text is a text of at most {TEXT_LIMIT} characters")
    return ConditionText(name, page, rounds, until)

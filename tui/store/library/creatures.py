"""Read creatures and conditions from TOML files, each entry separately.

A file is cut at the lines `[[creature]]` before it is parsed, so that one creature of 20,000 is read without
the others, and a mistake in one creature hides no other. No text may have such a line; files written here
never do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, Literal

import tomli_w
from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import NAME_LIMIT, PAGE_LIMIT, TEXT_LIMIT, clean_name, clean_page
from tui.core.fight.combatant import ConditionText, Plain, StatBlock
from tui.core.fight.dice import DiceError, parse
from tui.core.language.creature_actions import Afflict
from tui.core.rules.creature_fields import MOST_HP
from tui.core.rules.newcomers import Borne, check_borne
from tui.core.rules.upkeep import MOST_COUNTERS
from tui.store.disk import Disk, read_regular
from tui.store.library.shelves import (
    Mistake,
    list_shelf_files,
    note_mistake,
    read_name,
    take_texts,
    write_value,
)
from tui.store.problems import BadFile
from tui.store.safetoml import CAP, find_line, parse_toml

_HEAD = rb"(?m)(?:^|(?<=\A\xef\xbb\xbf))\[\[[ \t]*creature[ \t]*\]\]"
_TABLE_HEAD = r"(?m)^\[\["
_NAME = rb"(?m)^name[ \t]*=[ \t]*(\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
_ONLY_CREATURES = ("this file may hold only [[creature]] tables", '[[creature]], name = "Goblin"')
_NUMBERS = {"hp": (0, MOST_HP), "ac": (-999, 999), "initiative": (-999, 999)}

Check = Callable[[str, str], None]
"""Raises RuleError for a field that no system has, or a value that none takes."""


class CreatureEntry(Struct, frozen=True):
    """A creature in a file, found without parsing.

    `name` is "" if no line gives it; the bytes are `start` to `end`, and `line` is the first line, from 1.
    """

    name: str
    path: str
    start: int
    end: int
    line: int


def slice_creatures(data: bytes, path: str) -> Iterator[CreatureEntry]:
    """Return the creatures of a file, in order.

    Raises BadFile for anything but comments before the first of them.
    """
    heads = [m.start() for m in re.finditer(_HEAD, data)]
    first = data[: heads[0]] if heads else data
    if stray := re.search(rb"^[ \t]*[^#\s]", first.removeprefix(b"\xef\xbb\xbf"), re.MULTILINE):
        raise BadFile(path, first[: stray.end()].count(b"\n") + 1, *_ONLY_CREATURES)
    line = first.count(b"\n") + 1
    for start, end in pairwise([*heads, len(data)]):
        yield CreatureEntry(_read_shown_name(data[start:end]), path, start, end, line)
        line += data.count(b"\n", start, end)


def _read_shown_name(piece: bytes) -> str:
    """Return the name in a creature's table, or "" if no line gives one."""
    match = re.search(_NAME, piece)
    if match is None:
        return ""
    try:
        return clean_name(parse_toml(b"n=" + match[1], "")["n"])
    except BadFile:
        return ""


def read_creature(piece: bytes, path: str, line: int, check: Check) -> StatBlock:
    """Return the creature in these bytes, which begin on this line of the file. Raises BadFile."""
    table = parse_toml(piece, path, line)
    value = table.get("creature")
    if not isinstance(value, list) or len(value) != 1 or set(table) != {"creature"}:
        raise BadFile(path, line, *_ONLY_CREATURES)
    try:
        return _convert_creature(value[0], check)
    except Mistake as mistake:
        inside = find_line(piece.decode(), f"$.creature[0].{mistake.key}")
        raise BadFile(path, line + max(inside - 1, 0), mistake.message, mistake.hint) from None


def _convert_creature(entry: dict[str, Any], check: Check) -> StatBlock:
    name = read_name(entry, "Goblin")
    remaining = {k: v for k, v in entry.items() if k != "name"}
    plain: dict[str, Any] = {k: _check_whole(k, remaining.pop(k)) for k in _NUMBERS if k in remaining}
    limits = {"source": 200, "card": PAGE_LIMIT}
    plain |= {k: _check_text(k, remaining.pop(k), most) for k, most in limits.items() if k in remaining}
    plain["hp_dice"] = _check_dice(remaining.pop("hp_dice", ""))
    plain["counters"] = _take_lines(remaining, "counters", '["Fire 1 reset=1d6>=5"]')
    plain["conditions"] = _take_lines(remaining, "conditions", '["regeneration at=start heal=10"]')
    return StatBlock(name, fields=_check_fields(remaining, check), **plain)


def _take_lines(
    remaining: dict[str, Any], key: Literal["counters", "conditions"], example: str
) -> tuple[str, ...]:
    """Remove and return a list of texts, each the words after WHO in a line. Raises Mistake."""
    texts = take_texts(remaining, key, MOST_COUNTERS, example)
    with note_mistake(key):
        check_borne(replace(Borne(), **{key: texts}))
    return texts


def _check_fields(remaining: dict[str, Any], check: Check) -> dict[str, Plain]:
    """Return the remaining keys, each a field of some system. Raises Mistake."""
    for key, value in remaining.items():
        text = write_value(key, value)
        with note_mistake(key):
            check(key, text)
    return remaining


def _check_whole(key: str, value: Any) -> int:
    least, most = _NUMBERS[key]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Mistake(key, f"{key} takes a whole number, {least} to {most}")
    return value


def _check_text(key: str, value: Any, most: int) -> str:
    if not isinstance(value, str):
        raise Mistake(key, f"{key} is a text")
    result = clean_page(value, 4 * most)
    if len(result) > most:
        raise Mistake(key, f"{key} has {len(result)} characters", f"{most} at most")
    return result


def _check_dice(value: Any) -> str:
    if value == "":
        return ""
    try:
        return parse(str(value)).words()
    except DiceError as error:
        raise Mistake("hp_dice", f"hp_dice: {error}", 'hp_dice = "2d6"') from None


# --- writing


def write_creature(block: StatBlock) -> str:
    """Return a creature as a `[[creature]]` table that `read_creature` reads as the same creature."""
    plain: dict[str, Any] = {"name": block.name[:NAME_LIMIT], "source": block.source, "hp": block.hp}
    plain |= {"hp_dice": block.hp_dice, "ac": block.ac, "initiative": block.initiative, **block.fields}
    plain |= {"counters": list(block.counters), "conditions": list(block.conditions), "card": block.card}
    filled = {k: v for k, v in plain.items() if v is not None and v not in ("", [])}
    # A card is read by people, so it is written in lines, unless one of them would be read as the next
    # creature.
    lines = not re.search(_TABLE_HEAD, block.card)
    return f"[[creature]]\n{tomli_w.dumps(filled, multiline_strings=lines)}\n"


def split_into_files(blocks: Iterable[StatBlock], most: int) -> Iterator[str]:
    """Return the texts of many creatures, in files of at most `most` characters."""
    lines: list[str] = []
    size = 0
    for text in map(write_creature, blocks):
        if lines and size + len(text) > most:
            yield "".join(lines)
            lines, size = [], 0
        lines.append(text)
        size += len(text)
    if lines:
        yield "".join(lines)


_OWN_CONDITIONS = os.path.join(os.path.dirname(__file__), "conditions.toml")

ReportProblem = Callable[[BadFile], None]


def read_conditions(folder: str, report: ReportProblem = lambda _: None) -> dict[str, ConditionText]:
    """Return every condition by its name in lower case; the user's own replace the shipped ones.

    `report` gets mistakes.
    """
    by_name = {c.name.lower(): c for c in _read_condition_file(_OWN_CONDITIONS, report)}
    for path, _ in list_shelf_files(folder, "condition"):
        by_name |= {c.name.lower(): c for c in _read_condition_file(path, report)}
    return by_name


def _read_condition_file(path: str, report: ReportProblem) -> Iterator[ConditionText]:
    try:
        entries, text = _read_condition_tables(path)
    except BadFile as error:
        report(error)
        return
    for i, entry in enumerate(entries):
        try:
            yield _convert_condition(entry)
        except Mistake as mistake:
            line = find_line(text, f"$.condition[{i}].{mistake.key}")
            report(BadFile(path, line, mistake.message, mistake.hint))


def _read_condition_tables(path: str) -> tuple[list[Any], str]:
    """Return the tables of a file, and its text. Raises BadFile."""
    data, _ = read_regular(Disk(), path, CAP)
    table, text = parse_toml(data, path), data.decode()
    entries = table.get("condition")
    if not isinstance(entries, list) or set(table) != {"condition"}:
        line = find_line(text, f"$.{next(iter(sorted(set(table) - {'condition'})), 'condition')}")
        raise BadFile(
            path, line, "this file may hold only [[condition]] tables", '[[condition]], name = "hexed"'
        )
    return entries, text


def _convert_condition(entry: Any) -> ConditionText:
    name = read_name(entry, "hexed")
    if extra := sorted(set(entry) - set(ConditionText.__struct_fields__)):
        there = ", ".join(ConditionText.__struct_fields__)
        raise Mistake(extra[0], f"a condition has no {extra[0]}", f"there are: {there}")
    conc, text = entry.get("conc", False), entry.get("text", "")
    if not isinstance(conc, bool):
        raise Mistake("conc", "conc must be true or false")
    if not isinstance(text, str) or len(page := clean_page(text, 4 * TEXT_LIMIT)) > TEXT_LIMIT:
        raise Mistake("text", f"text is a text of at most {TEXT_LIMIT} characters")
    keys = {k: str(v) for k, v in entry.items() if k not in ("name", "text", "conc")}
    try:
        known = ConditionText(name, page, conc=conc, **keys)
        check_borne(Borne(conditions=(write_condition_words(known),)))
    except RuleError as error:
        # The key that the message names, so that the mistake is reported at its line.
        key = next((k for k in keys if f"{k}=" in error.message or error.message.startswith(k)), "name")
        raise Mistake(key, error.message, error.hint) from None
    return known


def write_condition_words(known: ConditionText) -> str:
    """Return the words after WHO of a line that gives this condition."""
    keys = {k: getattr(known, k) for k in LENT_KEYS}
    return Afflict.syntax.write(Afflict("", known.name, conc=known.conc, **keys)).split(" ", 2)[2]


LENT_KEYS = ("rounds", "until", "save", "dc", "at", "damage", "type", "heal", "note")
"""The keys of a line of `condition` that the library may give."""


def write_condition(known: ConditionText) -> str:
    """Return a condition as a `[[condition]]` table that is read as the same condition."""
    filled = {k: v for k in ConditionText.__struct_fields__ if (v := getattr(known, k))}
    return f"[[condition]]\n{tomli_w.dumps(filled, multiline_strings=True)}"

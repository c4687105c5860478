"""Parse TOML from strangers, bounded in size, values, depth, key length and digits."""

from __future__ import annotations

import os
import re
import tomllib
from typing import Any

from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile, make_printable

CAP = 5_000_000  # bytes
DEPTH = 32  # brackets inside brackets
DOTS = 16  # in one key
DIGITS = 40  # in one number
VALUES = (
    100_000  # dots, commas, equals signs and opening brackets in one file: the parser takes 10 µs for each
)

# Patterns are compiled when they are first needed: most starts need none of them. Python before 3.11.5 has a
# fault with alternatives or lookaheads inside a possessive group.
_TEXT_OR_COMMENT = r'"""|\'\'\'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|\'[^\'\n]*+\'|#[^\n]*+'
_LONG, _LITERAL = '"""', "'''"
_MANY_DOTS = rf"(?:\.[^.=,\n\[\]{{}}]*+){{{DOTS + 1}}}"
_DIGITS = rf"(?<![A-Za-z0-9_-])[0-9][0-9A-Fa-f_box]{{{DIGITS},}}"
_NO_BRACKET = r"[^\[\]{}]+"
_BRACKET = r"[\[\]{}]"
_HEAD_OR_KEY = r"\s*(?:(?P<array>\[)?\[\s*(?P<table>[^\[\]]+?)\s*\]|(?P<key>[^\s=#\[][^=#]*?)\s*=)"
_AT_LINE = r" ?\(at (?:line (\d+), column \d+|end of document)\)$"


def read_toml(source: str | os.PathLike[str] | bytes, title: str) -> dict[str, Any]:
    """Return the tables of a TOML file, given its path or its bytes. Raises BadFile with the line.

    `title` is its name in messages about bytes.
    """
    if isinstance(source, bytes):
        if len(source) > CAP:
            raise BadFile(title, 0, f"larger than {CAP // 1_000_000} MB")
        return parse_toml(source, title)
    path = os.fspath(source)
    data, _ = read_regular(Disk(), path, CAP)
    return parse_toml(data, path)


def parse_toml(data: bytes, path: str, first: int = 1) -> dict[str, Any]:
    """Return the tables of TOML bytes.

    `first` is the number of their first line in the file `path`. Raises BadFile.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadFile(path, first + data[: error.start].count(b"\n"), "not valid UTF-8") from None
    _refuse_costly(text, path, first)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(path, *_place_error(str(error), text, first)) from None
    # tomllib refuses none of the three: huge integers, deep nesting, long keys.
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadFile(path, first, f"not readable as TOML: {make_printable(str(error), 80)}") from None


def find_line(text: str, path: str) -> int:
    """Return the line, from 1, of a msgspec path such as `$.combatant[2].name`; 0 if not found.

    If no line has the key, the line of its table is returned. Lines are matched by their form: a line inside
    a text of several lines may be taken for a key.
    """
    wanted = [key or int(index) for key, index in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path)]
    table: list[str | int] = []
    counts: dict[str, int] = {}
    best, line = 0, 0
    for number, match in enumerate(map(re.compile(_HEAD_OR_KEY).match, text.split("\n")), 1):
        if match is None:
            continue
        if match["key"]:
            place = table + _split_key(match["key"])
        else:
            place = table = _path_of_header(match["table"], match["array"] is not None, counts)
        if len(place) > best and place == wanted[: len(place)]:
            best, line = len(place), number
    return line


def _path_of_header(name: str, array: bool, counts: dict[str, int]) -> list[str | int]:
    """Return the path of a table's header; `counts` has the last index of each array of tables."""
    parts = _split_key(name)
    if array:
        # msgspec counts the tables of an array from 0.
        counts[str(parts)] = counts.get(str(parts), -1) + 1
    place: list[str | int] = []
    for i, part in enumerate(parts, 1):
        place.append(part)
        if str(parts[:i]) in counts:
            place.append(counts[str(parts[:i])])
    return place


def _split_key(key: str) -> list[str | int]:
    return [part.strip().strip("'\"") for part in key.split(".")]


def _refuse_costly(text: str, path: str, first: int) -> None:
    """Raise BadFile for a text that would cost the parser too much memory or time."""
    # A few counts in C instead of a scan with patterns: they are enough for nearly every party file and
    # header.
    if _is_harmless(text):
        return
    text = strip_strings(text)
    for pattern, message in (
        (_MANY_DOTS, f"a key of more than {DOTS} dots"),
        (_DIGITS, f"a number of more than {DIGITS} digits"),
    ):
        if match := re.search(pattern, text):
            raise BadFile(path, first + text.count("\n", 0, match.start()), message)
    if sum(map(text.count, ".,=[{")) > VALUES:
        raise BadFile(path, first, f"more than {VALUES} values")
    if _measure_depth(re.sub(_NO_BRACKET, "", text)) > DEPTH:
        raise BadFile(path, first + _find_deep_line(text), f"brackets more than {DEPTH} deep")


def _is_harmless(text: str) -> bool:
    """Return whether the text is too small to pass any bound, strings and comments counted too."""
    is_small = text.count("[") + text.count("{") <= DEPTH and text.count(".") <= DOTS and len(text) <= VALUES
    return is_small and max(map(len, text.split()), default=0) <= DIGITS


def strip_strings(text: str) -> str:
    """Return the text without its strings and comments; the line breaks of strings are left."""
    find = re.compile(_TEXT_OR_COMMENT).search
    pieces: list[str] = []
    at = 0
    while match := find(text, at):
        start, end = match.span()
        if end - start == len(_LONG) and match[0] in (_LONG, _LITERAL):
            end = _end_of_string(text, end, match[0])
        pieces += text[at:start], "s", "\n" * text.count("\n", start, end)
        at = end
    return "".join([*pieces, text[at:]])


def _end_of_string(text: str, start: int, quotes: str) -> int:
    """Return the index after a text of several lines that begins at `start`, or the length of the whole text.

    Up to two quotes before the closing ones belong to the text.
    """
    at = text.find(quotes, start)
    while at > 0 and quotes == _LONG and _is_escaped(text, at):
        at = text.find(quotes, at + 1)
    if at < 0:
        return len(text)
    end = at + len(quotes)
    return end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip(quotes[0]))


def _is_escaped(text: str, at: int) -> bool:
    """Return whether an odd number of backslashes comes before this index."""
    start = at
    while text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _measure_depth(brackets: str) -> int:
    """Return the depth of brackets, counted up to DEPTH + 1."""
    depth = deepest = 0
    for bracket in brackets:
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        if depth > deepest:
            deepest = depth
            if depth > DEPTH:
                break
    return deepest


def _find_deep_line(bare: str) -> int:
    """Return the line, from 0, on which brackets first nest deeper than DEPTH."""
    depth = 0
    for match in re.finditer(_BRACKET, bare):
        depth = depth + 1 if match[0] in "[{" else max(depth - 1, 0)
        if depth > DEPTH:
            return bare.count("\n", 0, match.start())
    return 0


def _place_error(message: str, text: str, first: int) -> tuple[int, str]:
    """Return the line of a parser's error in the file, and its message without the line."""
    match = re.search(_AT_LINE, message)
    if match is None:
        return first, make_printable(message)
    inside = int(match[1]) if match[1] else text.count("\n") + 1
    return first + inside - 1, make_printable(message[: match.start()])

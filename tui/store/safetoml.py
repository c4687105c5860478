"""TOML from strangers: bounded in size, values, depth, key length and digits before it is parsed at all."""

from __future__ import annotations

import os
import re
from typing import Any

from tui.store.disk import Disk, read_regular
from tui.store.problems import BadFile, plain

CAP = 5_000_000  # bytes
DEPTH = 32  # brackets inside brackets
DOTS = 16  # in one key
DIGITS = 40  # in one number
VALUES = (
    100_000  # dots, commas, equals signs and opening brackets in one file: the parser takes 10 µs for each
)

_HIDDEN = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+",
    re.DOTALL,
)
_DOTTED = re.compile(rf"(?:\.[^.=,\n\[\]{{}}]*+){{{DOTS + 1}}}")
_DIGITS = re.compile(rf"(?<![A-Za-z0-9_-])[0-9][0-9A-Fa-f_box]{{{DIGITS},}}")
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_BRACKET = re.compile(r"[\[\]{}]")
_AT_LINE = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")


def safe_toml(
    source: str | os.PathLike[str] | bytes, what: str, cap: int = CAP, disk: Disk | None = None
) -> dict[str, Any]:
    """The tables of a TOML file, or of its bytes; `what` names it in messages when it has no path.

    Errors: BadFile with the line, for whatever is wrong with it.
    """
    if isinstance(source, bytes):
        if len(source) > cap:
            raise BadFile(what, 0, f"larger than {cap // 1_000_000} MB")
        return parse(source, what)
    path = os.fspath(source)
    data, _ = read_regular(disk or Disk(), path, cap)
    return parse(data, path)


def parse(data: bytes, path: str, first: int = 1) -> dict[str, Any]:
    """The tables of TOML bytes. `first` is the number of their first line in the file `path`. Errors: BadFile."""
    import tomllib

    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadFile(path, first + data.count(b"\n", 0, error.start), "not valid UTF-8") from None
    _scan(text, path, first)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(path, *_placed(str(error), text, first)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadFile(path, first, f"not readable as TOML: {plain(str(error), 80)}") from None


def _scan(text: str, path: str, first: int) -> None:
    """Refuses what would cost the parser too much memory or time."""
    bare = _HIDDEN.sub(_blank, text)
    for pattern, message in (
        (_DOTTED, f"a key of more than {DOTS} dots"),
        (_DIGITS, f"a number of more than {DIGITS} digits"),
    ):
        if found := pattern.search(bare):
            raise BadFile(path, first + bare.count("\n", 0, found.start()), message)
    if sum(map(bare.count, ".,=[{")) > VALUES:
        raise BadFile(path, first, f"more than {VALUES} values")
    if _depth(_NO_BRACKET.sub("", bare)) > DEPTH:
        raise BadFile(path, first + _deep_line(bare), f"brackets more than {DEPTH} deep")


def _blank(hidden: re.Match[str]) -> str:
    found = hidden[0]
    return "s" + "\n" * found.count("\n") if "\n" in found else "s"


def _depth(brackets: str) -> int:
    """How deep it goes, up to just above the bound."""
    depth = deepest = 0
    for bracket in brackets:
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        if depth > deepest:
            deepest = depth
            if depth > DEPTH:
                break
    return deepest


def _deep_line(bare: str) -> int:
    """The line, from 0, on which the bound is passed."""
    depth = 0
    for found in _BRACKET.finditer(bare):
        depth = depth + 1 if found[0] in "[{" else max(depth - 1, 0)
        if depth > DEPTH:
            return bare.count("\n", 0, found.start())
    return 0


def _placed(message: str, text: str, first: int) -> tuple[int, str]:
    """The parser's line in the file, and its message without it."""
    found = _AT_LINE.search(message)
    if found is None:
        return first, plain(message)
    inside = int(found[1]) if found[1] else text.count("\n") + 1
    return first + inside - 1, plain(message[: found.start()])

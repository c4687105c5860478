"""Lines into tokens and back: words, quoted words, `key=value`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import quote

# Compiled when they are first needed, which is after the first picture.
_PIECE = r'\s*((?:"(?:[^"\\]|\\.)*"|[^\s"])+)|\s*(")'
_KEY = r"([A-Za-z_][A-Za-z0-9_.-]*)="
_QUOTED = r'"((?:[^"\\]|\\.)*)"'


__all__ = ["Token", "pairs", "quote", "scan", "table", "tokens"]


class Token(Struct, frozen=True):
    """One token: `text` without its quotes; `key` when it is a `key=value`; where it ends in the line."""

    text: str
    key: str = ""
    end: int = 0
    quoted: bool = False


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line. Raises RuleError for a quote that is never closed."""
    return list(scan(line))


def scan(line: str) -> Iterator[Token]:
    """Return the tokens one by one; nothing behind the last one asked for is read."""
    place, piece = 0, re.compile(_PIECE)
    while m := piece.match(line, place):
        if m[2]:
            raise RuleError("a quote is opened and never closed", 'write "Orc 1"')
        yield _token(m[1], m.end())
        place = m.end()


def _token(raw: str, end: int) -> Token:
    if m := re.match(_KEY, raw):
        return Token(_bare(raw[m.end() :]), m[1], end)
    return Token(_bare(raw), "", end, raw.startswith('"'))


def _bare(raw: str) -> str:
    return re.sub(_QUOTED, lambda m: re.sub(r"\\(.)", r"\1", m[1]), raw) if '"' in raw else raw


def pairs(keys: Mapping[str, str]) -> list[str]:
    """Return `key=value` tokens."""
    return [f"{key}={quote(value) if value else ''}" for key, value in keys.items()]


def table(parsed: Iterable[Token], verb: str) -> dict[str, str]:
    """Return the `key=value` tokens as a table. Raises RuleError for a key that stands twice."""
    keys: dict[str, str] = {}
    for t in parsed:
        if t.key and t.key in keys:
            raise RuleError(f"{verb}: {t.key}= is there twice", "several of a kind take commas")
        if t.key:
            keys[t.key] = t.text
    return keys

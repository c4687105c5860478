"""Split lines into tokens and join them: words, quoted words, `key=value`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import quote

# These patterns are compiled when they are first needed, which is after the first screen is drawn.
_PIECE = r'\s*((?:"(?:[^"\\]|\\.)*"|[^\s"])+)|\s*(")'
_KEY = r"([A-Za-z_][A-Za-z0-9_.-]*)="
_QUOTED_TEXT = r'"((?:[^"\\]|\\.)*)"'


__all__ = ["Token", "key_table", "pairs", "quote", "scan", "tokens"]


class Token(Struct, frozen=True):
    """A word of a line, or a `key=value`."""

    text: str
    """The word or the value, without its quotes."""
    key: str = ""
    """The key of `key=value`; "" for a word."""
    end: int = 0
    """The index in the line at which the token ends."""
    quoted: bool = False
    """Whether the word began with a quote."""


def tokens(line: str) -> list[Token]:
    """Return the tokens of a line. Raises RuleError for a quote that is not closed."""
    return list(scan(line))


def scan(line: str) -> Iterator[Token]:
    """Yield the tokens one by one, reading no further than asked. Raises RuleError for an open quote."""
    place, piece = 0, re.compile(_PIECE)
    while m := piece.match(line, place):
        if m[2]:
            raise RuleError("a quote is opened and never closed", 'write "Orc 1"')
        yield _read_token(m[1], m.end())
        place = m.end()


def _read_token(raw: str, end: int) -> Token:
    if m := re.match(_KEY, raw):
        return Token(_unquote(raw[m.end() :]), m[1], end)
    return Token(_unquote(raw), "", end, raw.startswith('"'))


def _unquote(raw: str) -> str:
    return re.sub(_QUOTED_TEXT, lambda m: re.sub(r"\\(.)", r"\1", m[1]), raw) if '"' in raw else raw


def pairs(keys: Mapping[str, str]) -> list[str]:
    """Return a `key=value` token for each entry."""
    return [f"{key}={quote(value) if value else ''}" for key, value in keys.items()]


def key_table(parsed: Iterable[Token], verb: str) -> dict[str, str]:
    """Return the `key=value` tokens as a dict. Raises RuleError for a key that occurs twice."""
    keys: dict[str, str] = {}
    for t in parsed:
        if t.key and t.key in keys:
            raise RuleError(f"{verb}: {t.key}= appears twice", "separate several values with commas")
        if t.key:
            keys[t.key] = t.text
    return keys

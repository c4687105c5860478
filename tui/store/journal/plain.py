"""Plain data as one line of TOML that is three replaces away from JSON.

Bools, integers of 64 bits, finite floats, strings, lists, and tables with string keys. Keys are written
`<TAB>key =<TAB>value`, and `"any key" =<TAB>value` where a key is not bare. TOML takes a tab for a blank,
and our strings never hold one raw, so the line turns into JSON without being parsed. Strings are escaped
with what TOML 1.0 and JSON have in common.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

DEPTH = 32  # brackets inside brackets, the outermost counted
_LEAST, _MOST = -(2**63), 2**63 - 1

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class NotPlain(ValueError):  # noqa: N818 - the word of the journal's format
    """A value that TOML and JSON cannot both hold: a null, a NaN, a lone surrogate, a number too large."""


def text(value: str) -> str:
    """A basic string, quotes included, that both TOML and JSON read as `value`."""
    # Nearly every string of a fight is plain, and two searches in C are cheaper than a loop over its letters.
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return f'"{"".join(map(_escaped, value))}"'


def line_of(value: Any, depth: int = DEPTH) -> str:
    """`value` on one line; NotPlain when it is not plain or deeper than `depth`."""
    kind = type(value)
    if kind is str:
        return text(value)
    # By the exact type, for a bool is an int to isinstance and would be written as 1.
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return _integer(value)
    if depth <= 0:
        raise NotPlain(f"more than {DEPTH} levels deep")
    if kind is dict:
        return "{" + ",".join([_key(k) + line_of(v, depth - 1) for k, v in value.items()]) + "}"
    if kind is list or kind is tuple:
        return "[" + ", ".join([line_of(v, depth - 1) for v in value]) + "]"
    if kind is float:
        return _float(value)
    raise NotPlain(f"{kind.__name__} is not plain data")


def as_json(line: bytes) -> bytes:
    """The JSON of a line that `line_of` wrote."""
    if b'" =\t' in line:
        line = line.replace(b'" =\t', b'":')
    return line.replace(b" =\t", b'":').replace(b"\t", b'"')


@lru_cache(maxsize=512, typed=True)  # the same few names, event after event
def _key(key: Any) -> str:
    if type(key) is not str:
        raise NotPlain("a table's key is not a string")
    bare = key.isascii() and key.replace("-", "_").replace("_", "x").isalnum()
    return f"\t{key} =\t" if bare else f"{text(key)} =\t"


def _integer(value: int) -> str:
    if not _LEAST <= value <= _MOST:
        raise NotPlain("an integer of more than 64 bits")
    return str(value)


def _float(value: float) -> str:
    # False for finite numbers alone: infinity minus itself is not 0, and a NaN equals nothing.
    if value - value != 0:
        raise NotPlain("a number that is not finite")
    return repr(value)


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    # TOML forbids DEL raw; U+2028 and U+2029 end a line for some editors and would break the framing.
    if char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029":
        return f"\\u{ord(char):04x}"
    if "\ud800" <= char <= "\udfff":
        raise NotPlain("half of a surrogate pair")
    return char

"""5etools: an encounter saved by its builder. It only names creatures; the library has their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tui.exchange.mapping import Unread, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import tables, whole

_SMALL = frozenset({"of", "the", "and", "a", "an", "in", "with"})
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,100}")
_START = re.compile(r"[^\W\d_]")


def _rows(value: Any) -> list[dict[str, Any]]:
    """Return the rows of an encounter: a hash of name and book, and a count."""
    for place in ("items", "l", "creatures", "creatureMetas"):
        inside = value.get(place) if isinstance(value, dict) else None
        rows = inside.get("items") if isinstance(inside, dict) else inside
        found = [r for r in tables(rows) if isinstance(r.get("h", r.get("hash")), str)]
        if found:
            return found
    return []


def _name(found: str) -> tuple[str, str]:
    """Return the name and the book of a hash such as `adult%20red%20dragon_mm`."""
    plain = _ESCAPED.sub(
        lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), found[:400]
    )
    name, _, book = plain.rpartition("_")
    words = (name or book).split()
    # A hash is lower case throughout.
    titled = [
        w if i and w in _SMALL else _START.sub(lambda m: m[0].upper(), w, count=1)
        for i, w in enumerate(words)
    ]
    return " ".join(titled), book if name else ""


def _encounters(value: Any) -> Iterator[Any]:
    """Yield the encounter itself, and those of a list of saved ones."""
    yield value
    saved = value.get("savedEncounters") if isinstance(value, dict) else None
    for one in saved.values() if isinstance(saved, dict) else ():
        yield one.get("data") if isinstance(one, dict) else None


def _take(value: Any) -> Found:
    for encounter in _encounters(value):
        for row in _rows(encounter):
            name, book = _name(str(row.get("h", row.get("hash"))))
            count = whole(row.get("c", row.get("count"))) or 1
            taken = take({}, (), name=name)
            if taken is None or not 0 < count <= 200:
                yield Unread(f"this row of an encounter names no creature: {str(row)[:80]}")
                continue
            like = f"{name}|{book}".lower() if book else name.lower()
            yield replace(taken, many=str(count) if count > 1 else "", staged=True, like=like)


def _fits(value: Any) -> bool:
    return any(_rows(x) for x in _encounters(value))


FIVE_TOOLS_ENCOUNTER = Format("5etools encounter", ("json",), _fits, _take, rank=5)

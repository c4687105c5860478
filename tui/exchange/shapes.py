"""Questions about the shape of plain data that several formats ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def tables(value: Any) -> list[dict[str, Any]]:
    """The tables of a list, or a table alone; none of anything else."""
    if isinstance(value, dict):
        return [value]
    return [x for x in value if isinstance(x, dict)] if isinstance(value, list) else []


def has(value: Any, *keys: str) -> bool:
    """Whether it is a table with all of these keys."""
    return isinstance(value, dict) and all(key in value for key in keys)


def some(value: Any, *keys: str, first: int = 50) -> bool:
    """Whether one of the first tables of a list, or a table alone, has all of these keys."""
    return any(has(x, *keys) for x in tables(value)[:first])


def walk(value: Any, depth: int = 8) -> Iterator[dict[str, Any]]:
    """A table and all tables inside it, from the outside in."""
    if isinstance(value, dict):
        yield value
    if depth and isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from walk(inside, depth - 1)

"""Questions about the shape of plain data that several formats ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator
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


def actors(value: Any, kinds: Collection[str]) -> list[dict[str, Any]]:
    """The actors of these kinds that Foundry tells of; what stood at `data` before its tenth version stands at `system`."""
    found = (x for x in tables(value) if x.get("type") in kinds)
    return [_tenth(x) for x in found]


def _tenth(actor: dict[str, Any]) -> dict[str, Any]:
    items = [_moved(item) for item in tables(actor.get("items"))]
    return {**_moved(actor), "items": items} if "items" in actor else _moved(actor)


def _moved(found: dict[str, Any]) -> dict[str, Any]:
    if "system" in found or not isinstance(found.get("data"), dict):
        return found
    return {"system" if key == "data" else key: value for key, value in found.items()}


def walk(value: Any, depth: int = 8) -> Iterator[dict[str, Any]]:
    """A table and all tables inside it, from the outside in."""
    if isinstance(value, dict):
        yield value
    if depth and isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from walk(inside, depth - 1)

"""Recognise the files of other tools that 1.x read and 2.0 does not."""

from __future__ import annotations

from typing import Any

from tui.core.language.gone import explain_gone
from tui.exchange.document import Document
from tui.exchange.foreign_values import has, has_some, list_tables

_FOUNDRY_MARKS = (
    "_stats",
    "effects",
    "items",
    "flags",
    "ownership",
    "permission",
    "img",
    "prototypeToken",
    "token",
)
"""Keys that Foundry gives to every document of its own."""


def explain_gone_shape(document: Document) -> tuple[str, str] | None:
    """Return why a file of Foundry or 5e-bits is not read, and what works; None for other documents."""
    if document.kind == "json" and has_some(document.value, "index", "name", "hit_points", "armor_class"):
        return explain_gone("import", "5e-bits")
    if document.kind in ("json", "yaml") and any(map(_is_of_foundry, list_tables(document.value))):
        return explain_gone("import", "Foundry")
    return None


def _is_of_foundry(row: dict[str, Any]) -> bool:
    return (
        isinstance(row.get("type"), str)
        and (isinstance(row.get("system"), dict) or isinstance(row.get("data"), dict))
        and any(has(row, mark) for mark in _FOUNDRY_MARKS)
    )

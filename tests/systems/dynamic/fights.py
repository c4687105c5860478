"""A table of the Dynamic Initiative System and questions about it."""

from __future__ import annotations

from typing import Any

from tests.kit.table import Table


def table(*lines: str, **options: Any) -> Table:
    """Sela and Oren, players' characters, and an orc; declared as the lines say."""
    found = Table("dynamic", {f"dis.{k}": v for k, v in options.items()})
    found.do("add Sela kind=pc", "add Oren owner=Lia", "add Orc", "begin", *lines)
    return found


def rolled(*lines: str, **options: Any) -> Table:
    """Orc 2, Sela 5, Oren 7: the order stands."""
    found = table("order Sela weapon=1d8", "order Oren spell=3", *lines, **options)
    found.do("roll Orc 2", "roll Sela 5", "roll Oren 4")
    return found


def values(t: Table) -> dict[str, int]:
    return {row["entry"]: row["value"] for row in t.state()["track"]}

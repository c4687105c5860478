"""Pathbuilder 2e: a player's character, as exported."""

from __future__ import annotations

from typing import Any

from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Entries, Format
from tui.exchange.values import has, modifier, size, tables, whole


def _points(build: Any) -> int | None:
    """Return hit points: ancestry, and for each level the class's, the Constitution modifier and more."""
    given = build.get("attributes")
    level, constitution = whole(build.get("level")), modifier(at(build, "abilities.con"))
    if not isinstance(given, dict) or level is None or constitution is None:
        return None
    parts = {k: whole(given.get(k)) or 0 for k in ("ancestryhp", "classhp", "bonushp", "bonushpPerLevel")}
    each = parts["classhp"] + parts["bonushpPerLevel"] + constitution
    return parts["ancestryhp"] + parts["bonushp"] + level * each if parts["classhp"] else None


def _trained(rank: str, ability: str) -> Any:
    """Return a reader of a statistic: its ability and, if trained, the rank and the level."""

    def read(build: Any) -> int | None:
        base, level = modifier(at(build, f"abilities.{ability}")), whole(build.get("level"))
        trained = whole(at(build, f"proficiencies.{rank}"))
        if base is None or level is None or trained is None:
            return None
        return base + (trained + level if trained else 0)

    return read


def _passive(build: Any) -> int | None:
    value = _trained("perception", "wis")(build)
    return None if value is None else 10 + int(value)


def _player(_build: Any) -> str:
    return "pc"


def _sized(value: Any) -> str | None:
    """Return the size of exports that give only its number: 2 is medium."""
    number = whole(value)
    return SIZES[number] if number is not None and 0 <= number < len(SIZES) else None


SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")

TABLE = (
    To("hp", "", _points),
    To("ac", "acTotal.acTotal"),
    To("initiative", "", _trained("perception", "wis")),
    To("per", "", _trained("perception", "wis")),
    To("int", "abilities.int"),
    To("size", "sizeName", size),
    To("size", "size", _sized),
    To("stealth", "", _trained("stealth", "dex")),
    To("passive", "", _passive),
    To("con", "", _trained("fortitude", "con")),
    To("kind", "", _player),
)

NOISE = ("success", "breakdown")


def _builds(value: Any) -> list[dict[str, Any]]:
    builds = [x["build"] if has(x, "build") else x for x in tables(value)]
    return [
        b for b in builds if has(b, "name", "abilities", "attributes") and has(b["attributes"], "classhp")
    ]


def _take(value: Any) -> Entries:
    for build in _builds(value):
        if taken := take(build, TABLE, noise=NOISE):
            yield taken


PATHBUILDER = Format("Pathbuilder 2e", ("json",), lambda value: bool(_builds(value)), _take, rank=3)

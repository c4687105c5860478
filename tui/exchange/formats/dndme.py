"""dndme: a monster's TOML, and the characters of a party file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tui.exchange.mapping import To, at, by_scores, take
from tui.exchange.registry import Entries, Format
from tui.exchange.values import dice, has, size, whole


def _player(entry: Any) -> str | None:
    return "pc" if "cur_hp" in entry or "cclass" in entry else None


def _number(value: Any) -> int | None:
    """Return hit points that are a number, and no dice."""
    return None if dice(value) else whole(value)


def _passive_or_skill(entry: Any) -> int | None:
    """Return the Perception of a creature whose senses give only the passive number."""
    number = whole(at(entry, "senses.perception"))
    return None if number is None else number - 10


TABLE = (
    To("hp", "max_hp", _number),
    To("hp_dice", "max_hp", dice),
    To("ac", "ac"),
    To("initiative", "initiative_mod"),
    To("per", "skills.perception"),
    To("per", "", _passive_or_skill),
    To("int", "int"),
    To("size", "size", size),
    To("stealth", "skills.stealth"),
    To("passive", "senses.perception"),
    To("kind", "", _player),
    *by_scores("dex", "con", "wis"),
)

NOISE = ("image_url",)


def _entries(value: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(value, dict):
        return
    for entry in (value, *(v for v in value.values() if isinstance(v, dict))):
        if has(entry, "name", "max_hp", "ac"):
            yield entry


def _take(value: Any) -> Entries:
    for entry in _entries(value):
        if taken := take(entry, TABLE, noise=NOISE):
            yield taken


DNDME = Format("dndme", ("toml",), lambda value: any(_entries(value)), _take)

"""5e-bits: the SRD database and the API made of it, one monster or many, of 2014 and 2024."""

from __future__ import annotations

from typing import Any

from tui.exchange.numbers import dice, modifier, size, whole
from tui.exchange.registry import Format, Found
from tui.exchange.shapes import has, some, tables
from tui.exchange.taking import To, at, take


def _proficiency(index: str) -> Any:
    """Reads a bonus out of the list of proficiencies."""

    def read(value: Any) -> int | None:
        for row in tables(value):
            if has(row, "proficiency") and at(row, "proficiency.index") == index:
                return whole(row.get("value"))
        return None

    return read


def _armour(value: Any) -> int | None:
    """The armour class: a number, or the best of those that it has without a spell or a condition."""
    if not isinstance(value, list):
        return whole(value)
    ways = [w for w in tables(value) if w.get("type") not in ("spell", "condition")]
    return max((n for n in (whole(w.get("value")) for w in ways) if n is not None), default=None)


TABLE = (
    To("hp", "hit_points"),
    To("hp_dice", "hit_points_roll", dice),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class", _armour),
    To("initiative", "initiative.modifier"),
    To("initiative", "initiative_bonus"),
    To("initiative", "initiative"),
    To("initiative", "dexterity", modifier),
    To("per", "proficiencies", _proficiency("skill-perception")),
    To("per", "wisdom", modifier),
    To("int", "intelligence"),
    To("size", "size", size),
    To("stealth", "proficiencies", _proficiency("skill-stealth")),
    To("stealth", "dexterity", modifier),
    To("passive", "senses.passive_perception"),
    To("con", "proficiencies", _proficiency("saving-throw-con")),
    To("con", "constitution", modifier),
)

NOISE = ("image", "url", "index", "updated_at", "damage_type_url")


def _take(value: Any) -> Found:
    for row in tables(value):
        if has(row, "name", "hit_points") and (taken := take(row, TABLE, noise=NOISE)):
            yield taken


FIVE_BITS = Format(
    "5e-bits",
    ("json",),
    lambda value: some(value, "index", "name", "hit_points", "armor_class"),
    _take,
    rank=4,
)

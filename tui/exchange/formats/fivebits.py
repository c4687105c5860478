"""5e-bits: the SRD database and the API made of it, one monster or many, of 2014 and 2024."""

from __future__ import annotations

from typing import Any

from tui.exchange.defences import kinds, saves
from tui.exchange.limits import titled, told
from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import dice, has, modifier, size, some, tables, whole


def _proficiency(index: str) -> Any:
    """Reads a bonus out of the list of proficiencies."""

    def read(value: Any) -> int | None:
        for row in tables(value):
            if has(row, "proficiency") and at(row, "proficiency.index") == index:
                return whole(row.get("value"))
        return None

    return read


def _saves(value: Any) -> str | None:
    """Read the saving throws out of the list of proficiencies."""
    found = {str(at(r, "proficiency.index")): r.get("value") for r in tables(value)}
    return saves(
        {k.removeprefix("saving-throw-"): v for k, v in found.items() if k.startswith("saving-throw-")}
    )


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
    To("resist", "damage_resistances", kinds),
    To("vulnerable", "damage_vulnerabilities", kinds),
    To("immune", "damage_immunities", kinds),
    To("saves", "proficiencies", _saves),
)

NOISE = ("image", "url", "index", "updated_at", "damage_type_url")
_LISTS = ("special_abilities", "actions", "bonus_actions", "reactions", "legendary_actions")


def _readable(row: dict[str, Any]) -> dict[str, Any]:
    """An entry as people read it: limits behind names, proficiencies by their names, nothing that stands in words too."""
    found = {
        k: [_feature(x) for x in v] if k in _LISTS and isinstance(v, list) else v for k, v in row.items()
    }
    given = [
        (str(at(x, "proficiency.name") or ""), whole(x.get("value")))
        for x in tables(row.get("proficiencies"))
    ]
    for title, start in (("saves", "Saving Throw: "), ("skills", "Skill: ")):
        told = [f"{n.removeprefix(start)} {v:+}" for n, v in given if n.startswith(start) and v is not None]
        if told:
            found[title] = ", ".join(told)
    return found


def _feature(row: Any) -> Any:
    """A trait or an action: its text says its bonus, its damage and its DC already."""
    if not has(row, "name", "desc"):
        return row
    rest = {k: row[k] for k in row if k not in (*_SAID, "usage", "name")}
    return {"name": titled(row["name"], told(row.get("usage"))), **rest}


_SAID = (
    "attack_bonus",
    "damage",
    "dc",
    "multiattack_type",
    "actions",
    "action_options",
    "options",
    "attacks",
    "spellcasting",
)


def _take(value: Any) -> Found:
    for row in tables(value):
        if has(row, "name", "hit_points") and (
            taken := take(_readable(row), TABLE, noise=(*NOISE, "proficiencies"))
        ):
            yield taken


FIVE_BITS = Format(
    "5e-bits",
    ("json",),
    lambda value: some(value, "index", "name", "hit_points", "armor_class"),
    _take,
    rank=4,
)

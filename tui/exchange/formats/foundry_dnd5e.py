"""Foundry's dnd5e actors, as exported and as in its packs, of 2014 and 2024: JSON or YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.exchange.foundry_actor import (
    ability,
    affected,
    hit_points,
    left_out,
    passive,
    proficiency,
    skill,
    worked_out,
)
from tui.exchange.foundry_card import page, spelt_saves, withstands
from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Entries, Format
from tui.exchange.values import actors, dice, has, modifier, size, tables, text, whole

_MOST_DEXTERITY = {"light": 99, "medium": 2}
"""What kinds of armour let through; heavy armour asks for none, and forgives none."""


def _initiative(actor: Any) -> int | None:
    """Return the bonus to initiative and the ability that it names, else Dexterity."""
    given = at(actor, "system.attributes.init")
    if not isinstance(given, dict):
        return None
    own = worked_out(actor, given.get("bonus", given.get("value", 0)))
    name = given.get("ability")
    return None if own is None else own + ability(actor, name if isinstance(name, str) and name else "dex")


def _skill(name: str) -> Any:
    return lambda actor: skill(actor, name)


def _constitution(actor: Any) -> int | None:
    trained = whole(at(actor, "system.abilities.con.proficient"))
    return None if trained is None else ability(actor, "con") + trained * proficiency(actor)


def _armour(actor: Any) -> int | None:
    """Return the armour class: a given number, else that of worn armour."""
    given = at(actor, "system.attributes.ac")
    if not isinstance(given, dict):
        return whole(given)
    calc, flat_ = given.get("calc"), whole(given.get("flat"))
    if (calc in ("flat", None) or actor.get("type") == "vehicle") and flat_ is not None:
        return flat_
    if "calc" not in given:
        return whole(given.get("value"))
    armour, shield = _worn(actor)
    dexterity = ability(actor, "dex")
    bare = {
        "natural": flat_,
        "mage": 13 + dexterity,
        "draconic": 13 + dexterity,
        "unarmoredMonk": 10 + dexterity + ability(actor, "wis"),
        "unarmoredBard": 10 + dexterity + ability(actor, "cha"),
        "unarmoredBarb": 10 + dexterity + ability(actor, "con"),
        "default": armour,
    }
    base = bare.get(str(calc), armour if flat_ is None else flat_)
    more = worked_out(actor, given.get("bonus") or 0) or 0
    return None if base is None else base + shield + more


def _worn(actor: Any) -> tuple[int, int]:
    """Return the best worn armour with the Dexterity that it allows, and the bonus of a shield."""
    dexterity, best, shield = ability(actor, "dex"), 0, 0
    for item in tables(actor.get("items")):
        kind = str(at(item, "system.type.value") or at(item, "system.armor.type"))
        value = (whole(at(item, "system.armor.value")) or 0) + (
            whole(at(item, "system.armor.magicalBonus")) or 0
        )
        if item.get("type") != "equipment" or not at(item, "system.equipped"):
            continue
        if kind == "shield":
            shield = max(shield, value)
        elif kind in _MOST_DEXTERITY:
            cap = whole(at(item, "system.armor.dex"))
            best = max(best, value + min(dexterity, _MOST_DEXTERITY[kind] if cap is None else cap))
        elif kind == "heavy":
            best = max(best, value)
    return best or 10 + dexterity, shield


def _kind(value: Any) -> str | None:
    return "pc" if value == "character" else None


TABLE = (
    To("source", "system.source.book", text),
    To("source", "system.source.custom", text),
    To("source", "system.details.source", text),
    To("hp", "system.attributes.hp.max"),
    To("hp", "", hit_points),
    To("hp", "system.attributes.hp.value"),
    To("hp_dice", "system.attributes.hp.formula", dice),
    To("ac", "", _armour),
    To("initiative", "", _initiative),
    To("initiative", "system.abilities.dex.value", modifier),
    To("per", "", _skill("prc")),
    To("int", "system.abilities.int.value"),
    To("size", "system.traits.size", size),
    To("stealth", "", _skill("ste")),
    To("passive", "", passive),
    To("con", "", _constitution),
    To("kind", "type", _kind),
    To("resist", "", withstands("dr")),
    To("vulnerable", "", withstands("dv")),
    To("immune", "", withstands("di")),
    To("saves", "", spelt_saves),
)


def _actors(value: Any) -> list[dict[str, Any]]:
    return [
        x for x in actors(value, ("npc", "character", "vehicle")) if has(at(x, "system.attributes"), "hp")
    ]


def _dnd(actor: Mapping[str, Any]) -> bool:
    """Return whether an actor is of dnd5e: pf2e knows no death saves, and no initiative bonus."""
    attributes = at(actor, "system.attributes")
    return has(attributes, "init") or has(attributes, "movement") or has(attributes, "death")


def _take(value: Any) -> Entries:
    creatures = _actors(value)
    for actor in map(affected, creatures):
        if taken := take(actor, TABLE, text=page(actor)):
            yield taken
    yield from left_out(value, creatures)


FOUNDRY_DND5E = Format(
    "Foundry dnd5e", ("json", "yaml"), lambda value: any(map(_dnd, _actors(value)[:20])), _take, rank=3
)

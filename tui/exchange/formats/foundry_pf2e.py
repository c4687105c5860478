"""Foundry's pf2e actors, as exported and as in its packs: JSON or YAML.

Actors of creatures, hazards and vehicles have their numbers. Foundry computes those of characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.language.syntax import KINDS_OF_DAMAGE
from tui.exchange.foreign_values import (
    has,
    list_actors,
    list_tables,
    score_of,
    size,
    text,
    whole,
    write_saves,
)
from tui.exchange.foundry import count_left_out, read_actor_kind, write_actor_card
from tui.exchange.mapping import To, at, take
from tui.exchange.registry import Entries, Format


def _read_initiative(actor: Any) -> int | None:
    """Return the skill used for initiative, or a hazard's Stealth; None if Perception is used."""
    if actor.get("type") == "hazard":
        return whole(at(actor, "system.attributes.stealth.value"))
    return whole(at(actor, f"system.skills.{at(actor, 'system.initiative.statistic')}.base"))


def _read_stealth_item(actor: Any) -> int | None:
    """Return Stealth from older packs, which store skills as items."""
    items = [x for x in list_tables(actor.get("items")) if x.get("type") == "lore"]
    skills = (x for x in items if str(x.get("name")).lower() == "stealth")
    return next((whole(at(x, "system.mod.value")) for x in skills), None)


def _read_number(value: Any) -> int | None:
    """Return a number; None for 0, which hazards and vehicles have for missing values."""
    return whole(value) or None


def _read_immunities(value: Any) -> str | None:
    """Return the kinds of damage that do nothing.

    Resistances are numbers in pf2e, and stay on the card.
    """
    kinds = [x.get("type") for x in list_tables(value) if not x.get("exceptions")]
    texts = [word for word in kinds if isinstance(word, str) and word in KINDS_OF_DAMAGE]
    return ", ".join(dict.fromkeys(texts)) or None


def _read_saves(actor: Any) -> str | None:
    rows = at(actor, "system.saves")
    numbers = {k: at(v, "value") for k, v in rows.items()} if isinstance(rows, dict) else {}
    return write_saves({k: n for k, n in numbers.items() if n or actor.get("type") == "npc"})


TABLE = (
    To("source", "system.details.publication.title", text),
    To("source", "system.details.source.value", text),
    To("hp", "system.attributes.hp.max", _read_number),
    To("ac", "system.attributes.ac.value", _read_number),
    To("initiative", "", _read_initiative),
    To("initiative", "system.perception.mod"),
    To("initiative", "system.attributes.perception.value"),
    To("per", "system.perception.mod"),
    To("per", "system.attributes.perception.value"),
    To("int", "system.abilities.int.mod", score_of),
    To("size", "system.traits.size.value", size),
    To("stealth", "system.skills.stealth.base"),
    To("stealth", "system.attributes.stealth.value"),
    To("stealth", "", _read_stealth_item),
    To("stealth", "system.abilities.dex.mod"),
    To("con", "system.saves.fortitude.value", _read_number),
    To("kind", "type", read_actor_kind),
    To("immune", "system.attributes.immunities", _read_immunities),
    To("saves", "", _read_saves),
)
"""Where an actor has each value; Intelligence is 10 + 2 * modifier, because the remaster has no scores."""

CARD_VALUES = {
    "Level": "system.details.level.value",
    "Rarity": "system.traits.rarity",
    "Traits": "system.traits.value",
    "Older traits": "system.traits.traits.value",
    "Abilities": "system.abilities",
    "Perception": "system.perception.mod",
    "Senses": "system.perception.senses",
    "Saves": "system.saves",
    "Skills": "system.skills",
    "Stealth": "system.attributes.stealth",
    "Hardness": "system.attributes.hardness",
    "AC": "system.attributes.ac.details",
    "HP": "system.attributes.hp.details",
    "Speed": "system.attributes.speed",
    "Immunities": "system.attributes.immunities",
    "Resistances": "system.attributes.resistances",
    "Weaknesses": "system.attributes.weaknesses",
    "Languages": "system.details.languages",
    "Notes": "system.details.publicNotes",
    "Description": "system.details.description",
    "Flavour": "system.details.flavorText",
    "Disable": "system.details.disable",
    "Routine": "system.details.routine",
    "Reset": "system.details.reset",
}


def _describe_item(item: Mapping[str, Any]) -> tuple[str, str]:
    """Return (limit, roll) of an item: `1/day` and `2 actions, +9, damage 1d8 fire`."""
    count, hit = whole(at(item, "system.actions.value")), whole(at(item, "system.bonus.value"))
    sort, most = at(item, "system.actionType.value"), whole(at(item, "system.frequency.max"))
    traits, rolls = at(item, "system.traits.value"), at(item, "system.damageRolls")
    traits_text = ", ".join(x for x in traits if isinstance(x, str)) if isinstance(traits, list) else ""
    rows = (
        [row for row in rolls.values() if has(row, "damage")]
        if isinstance(rolls, dict)
        else list_tables(rolls)
    )
    dealt = " plus ".join(
        " ".join(str(row[key]) for key in ("damage", "category", "damageType") if row.get(key))
        for row in rows
    )
    texts = (
        f"{count} action{'s' * (count != 1)}" if count else sort if sort in ("reaction", "free") else "",
        f"{hit:+}" if hit is not None else "",
        f"({traits_text})" if traits_text else "",
        f"damage {dealt}" if dealt else "",
    )
    words = ", ".join(filter(None, map(str, texts)))
    limit = f"{most}/{at(item, 'system.frequency.per')}" if most else ""
    return limit, f"{words}." if words else ""


def _list_actors(value: Any) -> list[dict[str, Any]]:
    rows = list_actors(value, ("npc", "character", "hazard", "vehicle"))
    return [x for x in rows if has(at(x, "system.attributes"), "hp", "ac")]


def _is_pf2e(actor: Mapping[str, Any]) -> bool:
    return has(actor.get("system"), "saves") or isinstance(at(actor, "system.details.level"), dict)


def _take(value: Any) -> Entries:
    creatures = _list_actors(value)
    for actor in creatures:
        if creature := take(actor, TABLE, text=write_actor_card(actor, CARD_VALUES, _describe_item)):
            yield creature
    yield from count_left_out(value, creatures)


FOUNDRY_PF2E = Format(
    "Foundry pf2e",
    ("json", "yaml"),
    lambda value: any(map(_is_pf2e, _list_actors(value)[:20])),
    _take,
    rank=2,
)

"""Foundry's pf2e actors, as exported and as in its packs, before and after the remaster: JSON or YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.card import flat, label
from tui.exchange.numbers import plus, score, size, text, whole
from tui.exchange.plaintext import plain
from tui.exchange.registry import Format, Found
from tui.exchange.shapes import actors, has, tables
from tui.exchange.taking import To, at, take


def _stealth(actor: Any) -> int | None:
    """Stealth as it is trained, else Dexterity; older packs hold skills as items."""
    found = _lore(actor, "stealth")
    return whole(at(actor, "system.abilities.dex.mod")) if found is None else found


def _passive(actor: Any) -> int | None:
    """The DC against which others hide."""
    perception = whole(at(actor, "system.perception.mod"))
    return plus(
        10, whole(at(actor, "system.attributes.perception.value")) if perception is None else perception
    )


def _initiative(actor: Any) -> int | None:
    """By the statistic that it rolls for initiative: Perception, or a skill; a hazard by its Stealth."""
    if actor.get("type") == "hazard":
        return whole(at(actor, "system.attributes.stealth.value"))
    paths = (
        "system.initiative.statistic",
        "system.attributes.initiative.statistic",
        "system.attributes.initiative.ability",
    )
    skill = next((found for path in paths if isinstance(found := at(actor, path), str)), "perception")
    if skill == "perception":
        return None
    base = whole(at(actor, f"system.skills.{skill}.base"))
    return _lore(actor, skill) if base is None else base


def _lore(actor: Any, skill: str) -> int | None:
    """A skill in older packs, which hold them as items."""
    for item in tables(actor.get("items")):
        if item.get("type") == "lore" and str(item.get("name", "")).lower() == skill.lower():
            return whole(at(item, "system.mod.value"))
    return None


def _there(path: str) -> Any:
    """Reads a number that a hazard has only where it can be hit: 0 stands for none."""

    def read(actor: Any) -> int | None:
        found = whole(at(actor, path))
        return None if actor.get("type") == "hazard" and not found else found

    return read


def _kind(value: Any) -> str | None:
    return "pc" if value == "character" else None


TABLE = (
    To("source", "system.details.publication.title", text),
    To("source", "system.details.source.value", text),
    To("hp", "", _there("system.attributes.hp.max")),
    To("hp", "", _there("system.attributes.hp.value")),
    To("ac", "", _there("system.attributes.ac.value")),
    To("initiative", "", _initiative),
    To("initiative", "system.perception.mod"),
    To("initiative", "system.attributes.perception.value"),
    To("per", "system.perception.mod"),
    To("per", "system.attributes.perception.value"),
    To("int", "system.abilities.int.mod", score),
    To("size", "system.traits.size.value", size),
    To("stealth", "system.skills.stealth.base"),
    To("stealth", "system.skills.stealth.value"),
    To("stealth", "system.attributes.stealth.value"),
    To("stealth", "", _stealth),
    To("passive", "", _passive),
    To("con", "system.saves.fortitude.value"),
    To("kind", "type", _kind),
)
"""Scores are given up since the remaster: Intelligence is 10 and twice the modifier."""


def _lines(actor: Mapping[str, Any]) -> Iterator[str]:
    """The card: what it is, its numbers, what it can do, what is told of it."""
    yield _first(actor)
    yield from _sheet(actor)
    for item in tables(actor.get("items")):
        yield _item(item)
    for key in _WORDS:
        words = plain(str(at(actor, f"system.details.{key}") or ""))
        yield f"{label(key)}: {words}" if words and key in _NAMED else words


_WORDS = (
    "publicNotes", "flavorText", "privateNotes", "blurb", "description", "disable", "routine", "reset",
)  # fmt: skip
_NAMED = ("disable", "routine", "reset")
"""Those of them that say nothing without their name."""
_LISTS = (
    "perception.senses", "perception.details", "traits.senses", "details.languages", "traits.languages",
)  # fmt: skip


def _first(actor: Mapping[str, Any]) -> str:
    """Level, rarity and traits, which stood elsewhere before the tenth version."""
    told = at(actor, "system.traits.value") or at(actor, "system.traits.traits.value")
    level, rarity = at(actor, "system.details.level.value"), at(actor, "system.traits.rarity")
    rarity = at(rarity, "value") if isinstance(rarity, dict) else rarity
    hazard = "hazard" if actor.get("type") == "hazard" else ""
    traits = " ".join(flat(told)) if isinstance(told, list) else ""
    return " ".join(
        filter(None, (f"Level {level}" if level is not None else "", str(rarity or ""), hazard, traits))
    )


def _sheet(actor: Mapping[str, Any]) -> Iterator[str]:
    abilities = at(actor, "system.abilities")
    if isinstance(abilities, dict):
        yield ", ".join(
            f"{k.capitalize()} {v.get('mod')}" for k, v in abilities.items() if isinstance(v, dict)
        )
    for key in ("saves", "skills"):
        found = at(actor, f"system.{key}")
        yield f"{label(key)}: {', '.join(_numbers(found))}" if isinstance(found, dict) and found else ""
    for key in ("hardness", "speed", "immunities", "resistances", "weaknesses", "allSaves"):
        found = at(actor, f"system.attributes.{key}")
        yield f"{label(key)}: {' '.join(filter(None, flat(found)))}" if found else ""
    for key in _LISTS:
        found = at(actor, f"system.{key}")
        words = ", ".join(filter(None, flat(found)))
        yield f"{label(key.rsplit('.', 1)[-1])}: {words}" if words else ""


def _numbers(found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in found.items():
        number = value.get("base", value.get("value")) if isinstance(value, dict) else value
        if number is not None:
            yield f"{key} {number}" + (
                f" ({value['saveDetail']})" if has(value, "saveDetail") and value["saveDetail"] else ""
            )


def _item(item: Mapping[str, Any]) -> str:
    """A strike, an ability, a spell, a thing it carries."""
    rolls = at(item, "system.damageRolls")
    parts = rolls.values() if isinstance(rolls, dict) else tables(rolls)
    damage = ", ".join(
        f"{p.get('damage', '')} {p.get('damageType', '')}" for p in parts if isinstance(p, dict)
    )
    strike = at(item, "system.bonus.value")
    traits = at(item, "system.traits.value")
    cost = at(item, "system.actions.value")
    more = ", ".join(
        filter(
            None,
            (
                str(item.get("type", "")),
                f"{strike:+}" if isinstance(strike, int) and strike else "",
                damage,
                f"{cost} action{'s' * (cost != 1)}" if isinstance(cost, int) else "",
                " ".join(flat(traits)) if isinstance(traits, list) else "",
            ),
        )
    )
    words = " ".join(plain(str(at(item, "system.description.value") or "")).split())
    return f"{item.get('name', '')} ({more}). {words}".rstrip()


def _actors(value: Any) -> list[dict[str, Any]]:
    kinds = ("npc", "character", "familiar", "hazard")
    return [x for x in actors(value, kinds) if has(at(x, "system.attributes"), "hp", "ac")]


def _pf2e(actor: Mapping[str, Any]) -> bool:
    return has(actor.get("system"), "saves") or isinstance(at(actor, "system.details.level"), dict)


def _take(value: Any) -> Found:
    for actor in _actors(value):
        if taken := take(actor, TABLE, text="\n".join(filter(None, _lines(actor)))):
            yield taken


FOUNDRY_PF2E = Format(
    "Foundry pf2e", ("json", "yaml"), lambda value: any(map(_pf2e, _actors(value)[:20])), _take, rank=2
)

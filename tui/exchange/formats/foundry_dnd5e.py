"""Foundry's dnd5e actors, as exported and as in its packs, of 2014 and 2024: JSON or YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tui.exchange.card import flat, label
from tui.exchange.numbers import dice, modifier, size, text, whole
from tui.exchange.plaintext import plain
from tui.exchange.registry import Format, Found
from tui.exchange.shapes import actors, has, tables
from tui.exchange.taking import To, at, take

_MOST_DEXTERITY = {"light": 99, "medium": 2}
"""What kinds of armour let through; heavy armour asks for none, and forgives none."""
_TERM = re.compile(
    r"([+-]?)(?:([0-9]{1,3})|@prof|@abilities\.(\w{3})\.mod|@attributes\.prof)(?:\*([0-9]{1,2}))?"
)


def _ability(actor: Any, name: str) -> int:
    return modifier(at(actor, f"system.abilities.{name}.value")) or 0


def _proficiency(actor: Any) -> int:
    """The proficiency bonus: of a challenge, or of the levels of the classes."""
    challenge = at(actor, "system.details.cr")
    if isinstance(challenge, int | float) and not isinstance(challenge, bool):
        return 2 + max(0, int(challenge) - 1) // 4
    levels = sum(
        whole(at(i, "system.levels")) or 0 for i in tables(actor.get("items")) if i.get("type") == "class"
    )
    return 2 + max(0, (levels or 1) - 1) // 4


def _sum(actor: Any, formula: Any) -> int | None:
    """A formula of whole numbers, the proficiency bonus and ability modifiers; None for any other."""
    if isinstance(formula, int):
        return whole(formula)
    told = re.sub(r"\s+", "", formula) if isinstance(formula, str) else ""
    if not told:
        return 0
    total, place = 0, 0
    while place < len(told):
        term = _TERM.match(told, place)
        if not term or (place and not term[1]):
            return None
        value = int(term[2]) if term[2] else _ability(actor, term[3]) if term[3] else _proficiency(actor)
        total += (-1 if term[1] == "-" else 1) * value * int(term[4] or 1)
        place = term.end()
    return total


def _initiative(actor: Any) -> int | None:
    """The bonus of its own, on top of the ability that it names, or of Dexterity."""
    given = at(actor, "system.attributes.init")
    if not isinstance(given, dict):
        return None
    own = _sum(actor, given.get("bonus", given.get("value", 0)))
    name = given.get("ability")
    return None if own is None else own + _ability(actor, name if isinstance(name, str) and name else "dex")


def _skill(name: str) -> Any:
    """Reads a skill: its ability, so many times the proficiency bonus, and a bonus of its own."""

    def read(actor: Any) -> int | None:
        given = at(actor, f"system.skills.{name}")
        if not isinstance(given, dict):
            return None
        times = given.get("value") or 0
        own = _sum(actor, at(given, "bonuses.check"))
        ability = given.get("ability")
        base = _ability(
            actor, ability if isinstance(ability, str) and ability else {"prc": "wis"}.get(name, "dex")
        )
        return (
            base + int(times * _proficiency(actor)) + (own or 0) if isinstance(times, int | float) else None
        )

    return read


def _passive(actor: Any) -> int | None:
    skill = _skill("prc")(actor)
    return (
        None
        if skill is None
        else 10 + int(skill) + (_sum(actor, at(actor, "system.skills.prc.bonuses.passive")) or 0)
    )


def _constitution(actor: Any) -> int | None:
    trained = whole(at(actor, "system.abilities.con.proficient"))
    return None if trained is None else _ability(actor, "con") + trained * _proficiency(actor)


def _armour(actor: Any) -> int | None:
    """The armour class: a number where one is given, else what is worn makes it."""
    given = at(actor, "system.attributes.ac")
    if not isinstance(given, dict):
        return whole(given)
    calc, flat_ = given.get("calc"), whole(given.get("flat"))
    if calc in ("flat", None) and flat_ is not None:
        return flat_
    if "calc" not in given:
        return whole(given.get("value"))
    armour, shield = _worn(actor)
    dexterity = _ability(actor, "dex")
    bare = {
        "natural": flat_, "mage": 13 + dexterity, "draconic": 13 + dexterity,
        "unarmoredMonk": 10 + dexterity + _ability(actor, "wis"),
        "unarmoredBarb": 10 + dexterity + _ability(actor, "con"), "default": armour,
    }  # fmt: skip
    base = bare.get(str(calc))
    return None if base is None else base + shield


def _worn(actor: Any) -> tuple[int, int]:
    """The best armour that is worn, with as much Dexterity as it lets through, and what a shield adds."""
    dexterity, best, shield = _ability(actor, "dex"), 0, 0
    for item in tables(actor.get("items")):
        kind = at(item, "system.type.value") or at(item, "system.armor.type")
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
    To("hp", "system.attributes.hp.value"),
    To("hp_dice", "system.attributes.hp.formula", dice),
    To("ac", "", _armour),
    To("initiative", "", _initiative),
    To("initiative", "system.abilities.dex.value", modifier),
    To("per", "", _skill("prc")),
    To("int", "system.abilities.int.value"),
    To("size", "system.traits.size", size),
    To("stealth", "", _skill("ste")),
    To("passive", "", _passive),
    To("con", "", _constitution),
    To("kind", "type", _kind),
)

_LISTS = ("di", "dr", "dv", "ci", "languages")
_TITLES = {
    "di": "Immune to",
    "dr": "Resists",
    "dv": "Vulnerable to",
    "ci": "No condition",
    "languages": "Languages",
}


def _page(actor: Mapping[str, Any]) -> str:
    """The card: what people read on the sheet. What only the machine reads (effects, activities, flags) is not on it."""
    return "\n".join(filter(None, _lines(actor)))


def _lines(actor: Mapping[str, Any]) -> Iterator[str]:
    told = {k: at(actor, f"system.details.{k}") for k in ("alignment", "race", "cr", "type")}
    yield ", ".join(f"{label(k)} {' '.join(flat(v))}" for k, v in told.items() if v not in (None, "", {}))
    for key in ("movement", "senses"):
        found = at(actor, f"system.attributes.{key}")
        yield f"{label(key)}: " + ", ".join(_ranges(found)) if isinstance(found, dict) else ""
    scores = at(actor, "system.abilities")
    if isinstance(scores, dict):
        yield ", ".join(
            f"{k.capitalize()} {v.get('value')}" for k, v in scores.items() if isinstance(v, dict)
        )
    for key in _LISTS:
        found = at(actor, f"system.traits.{key}")
        named = (
            ", ".join(filter(None, flat({k: v for k, v in found.items() if k in ("value", "custom")})))
            if isinstance(found, dict)
            else ""
        )
        yield f"{_TITLES[key]}: {named}" if named else ""
    for item in tables(actor.get("items")):
        yield _item(item)
    for key in ("value", "public"):
        yield plain(str(at(actor, f"system.details.biography.{key}") or ""))


def _ranges(found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in found.items():
        if isinstance(value, dict):
            yield from _ranges(value)
        elif value not in (None, "", 0, "0", False, []) and key not in ("units", "ignoredDifficultTerrain"):
            yield key if value is True else f"{key} {plain(str(value))}"


def _item(item: Mapping[str, Any]) -> str:
    """What it carries or can do: name, kind, uses, damage, words."""
    told = plain(str(at(item, "system.description.value") or ""))
    uses = at(item, "system.uses.max")
    damage = " ".join(_damage(item))
    more = ", ".join(filter(None, (str(item.get("type", "")), f"{uses} uses" if uses else "", damage)))
    return f"{item.get('name', '')} ({more}). {' '.join(told.split())}"


def _damage(item: Mapping[str, Any]) -> Iterator[str]:
    parts = at(item, "system.damage.parts")
    for part in parts if isinstance(parts, list) else ():
        yield " ".join(flat(part))
    base = at(item, "system.damage.base")
    if isinstance(base, dict) and base.get("number"):
        yield f"{base['number']}d{base.get('denomination') or 0}{base.get('bonus') or ''}"


def _actors(value: Any) -> list[dict[str, Any]]:
    return [x for x in actors(value, ("npc", "character")) if has(at(x, "system.attributes"), "hp")]


def _dnd(actor: Mapping[str, Any]) -> bool:
    """pf2e knows no death saves, and no initiative bonus beside its attributes."""
    attributes = at(actor, "system.attributes")
    return has(attributes, "init") or has(attributes, "movement") or has(attributes, "death")


def _take(value: Any) -> Found:
    for actor in _actors(value):
        if taken := take(actor, TABLE, text=_page(actor)):
            yield taken


FOUNDRY_DND5E = Format(
    "Foundry dnd5e", ("json", "yaml"), lambda value: any(map(_dnd, _actors(value)[:20])), _take, rank=3
)

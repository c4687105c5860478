"""A dnd5e actor of Foundry: the numbers that its program works out, of 2014 and of 2024."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.exchange.formulas import filled, total
from tui.exchange.mapping import at
from tui.exchange.values import modifier, tables, whole

SKILLS = {
    "acr": ("Acrobatics", "dex"), "ani": ("Animal Handling", "wis"), "arc": ("Arcana", "int"),
    "ath": ("Athletics", "str"),
    "dec": ("Deception", "cha"), "his": ("History", "int"), "ins": ("Insight", "wis"),
    "itm": ("Intimidation", "cha"),
    "inv": ("Investigation", "int"), "med": ("Medicine", "wis"), "nat": ("Nature", "int"),
    "prc": ("Perception", "wis"),
    "prf": ("Performance", "cha"), "per": ("Persuasion", "cha"), "rel": ("Religion", "int"),
    "slt": ("Sleight of Hand", "dex"),
    "ste": ("Stealth", "dex"), "sur": ("Survival", "wis"),
}  # fmt: skip
ABILITIES = {
    "str": "Strength", "dex": "Dexterity", "con": "Constitution", "int": "Intelligence", "wis": "Wisdom",
    "cha": "Charisma",
}  # fmt: skip


def ability(actor: Any, name: str) -> int:
    """Return the modifier of an ability; 0 for one that is not there."""
    return modifier(at(actor, f"system.abilities.{name}.value")) or 0


def proficiency(actor: Any) -> int:
    """Return the proficiency bonus: of a challenge, or of the levels of the classes."""
    challenge = at(actor, "system.details.cr")
    if isinstance(challenge, int | float) and not isinstance(challenge, bool):
        return 2 + max(0, int(challenge) - 1) // 4
    return 2 + max(0, (level(actor) or 1) - 1) // 4


def level(actor: Any) -> int:
    """Return the levels of all classes together."""
    found = (
        whole(at(i, "system.levels")) or 0 for i in tables(actor.get("items")) if i.get("type") == "class"
    )
    return sum(found)


def spellcasting(actor: Any) -> str:
    """Return the ability that spells are cast by."""
    found = at(actor, "system.attributes.spellcasting")
    return found if isinstance(found, str) and found in ABILITIES else "int"


def spell_dc(actor: Any, name: str = "") -> int:
    """Return the DC of its spells, by the ability that is named or else its own."""
    more = total(at(actor, "system.bonuses.spell.dc")) or 0
    return 8 + proficiency(actor) + ability(actor, name or spellcasting(actor)) + more


def skill(actor: Any, name: str) -> int | None:
    """Return a skill: its ability, so many times the proficiency bonus, and a bonus of its own."""
    given = at(actor, f"system.skills.{name}")
    if not isinstance(given, dict):
        return None
    times = given.get("value") or 0
    own = worked_out(actor, at(given, "bonuses.check"))
    chosen = given.get("ability")
    usual = SKILLS.get(name, ("", "dex"))[1]
    base = ability(actor, chosen if isinstance(chosen, str) and chosen else usual)
    return base + int(times * proficiency(actor)) + (own or 0) if isinstance(times, int | float) else None


def saves(actor: Any) -> dict[str, int]:
    """Return what it adds to each save."""
    found: dict[str, int] = {}
    for name in ABILITIES:
        trained = at(actor, f"system.abilities.{name}.proficient")
        if isinstance(trained, int | float):
            own = worked_out(actor, at(actor, f"system.abilities.{name}.bonuses.save")) or 0
            found[name] = ability(actor, name) + int(trained * proficiency(actor)) + own
    return found


def look_up(actor: Any, path: str, mod: int | None = None, item: Any = None) -> object:
    """Return what `@path` stands for in a formula or a text of this actor; None where it is not known."""
    parts = path.split(".")
    match parts:
        case ["mod"]:
            return mod
        case ["prof"] | ["attributes", "prof"]:
            return proficiency(actor)
        case ["name"]:
            return actor.get("name")
        case ["abilities", name, "mod"]:
            return ability(actor, name)
        case ["abilities", name, "dc"]:
            return 8 + proficiency(actor) + ability(actor, name)
        case ["abilities", name, "save", *_]:
            return saves(actor).get(name)
        case ["attributes", "spell", "dc"] | ["attributes", "spelldc"]:
            return spell_dc(actor)
        case ["attributes", "spell", "mod"]:
            return ability(actor, spellcasting(actor))
        case ["attributes", "spell", "attack"]:
            return proficiency(actor) + ability(actor, spellcasting(actor))
        case ["skills", name, "passive"]:
            found = skill(actor, name)
            return None if found is None else 10 + found
        case ["skills", name, *_]:
            return skill(actor, name)
        case ["details", "level"]:
            return level(actor) or None
        case ["item", *rest]:
            return at(item, ".".join(["system", *rest]))
        case ["classes", name, "levels"]:
            return _class_level(actor, name)
        case ["scale", name, key]:
            return _scaled(actor, name, key)
    found = at(actor, f"system.{path}")
    return found if isinstance(found, int | float | str) else None


def _class(actor: Any, name: str) -> Mapping[str, Any] | None:
    named = (i for i in tables(actor.get("items")) if i.get("type") in ("class", "subclass", "race"))
    return next((i for i in named if at(i, "system.identifier") == name), None)


def _class_level(actor: Any, name: str) -> int | None:
    return whole(at(_class(actor, name), "system.levels"))


def _scaled(actor: Any, name: str, key: str) -> object:
    """Return a number or dice that grow with the levels of a class, as they stand at its level now."""
    owner = _class(actor, name)
    levels = (
        _class_level(actor, name)
        or _class_level(actor, str(at(owner, "system.classIdentifier")))
        or level(actor)
    )
    advancement = at(owner, "system.advancement")
    rows = advancement.values() if isinstance(advancement, dict) else tables(advancement)
    for row in rows:
        scale = at(row, "configuration.scale")
        if at(row, "type") != "ScaleValue" or not isinstance(scale, dict):
            continue
        if key not in (at(row, "configuration.identifier"), str(at(row, "title")).lower().replace(" ", "-")):
            continue
        steps = sorted((int(k), v) for k, v in scale.items() if str(k).isdecimal() and int(k) <= levels)
        value = steps[-1][1] if steps else None
        if isinstance(value, dict) and (faces := whole(value.get("faces"))):
            return f"{value.get('number') or 1}d{faces}"
        return value.get("value") if isinstance(value, dict) else value
    return None


def written_out(actor: Any, formula: object, mod: int | None = None, item: Any = None) -> str:
    """Return a formula with the actor's numbers in it; a sum where it is one of whole numbers."""
    text = filled(formula, lambda path: look_up(actor, path, mod, item))
    number = total(text) if text else None
    return text if number is None else str(number)


def worked_out(actor: Any, formula: object) -> int | None:
    """Return what a formula totals for this actor; None for one with dice, or with words nobody knows."""
    if isinstance(formula, int):
        return whole(formula)
    if not isinstance(formula, str):
        return 0
    return total(filled(formula, lambda path: look_up(actor, path)))

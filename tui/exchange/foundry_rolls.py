"""Compute attacks, damage and saves of Foundry's dnd5e, whose files contain only scores and dice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from tui.exchange.foreign_values import LONG_ABILITIES, list_tables, modifier, strip_markup, whole
from tui.exchange.mapping import at

Table = Mapping[str, Any]

_REFERENCE = re.compile(
    r"\[\[/?(attack|damage|save|item|lookup)\b([^\[\]]{0,200})\]\](?:\{([^{}]{0,200})\})?", re.IGNORECASE
)
_ACTIVITY = re.compile(r"\bactivity=(\w{1,40})")
_KIND = re.compile(r"\btype=(\w{1,20})")
_ATTACKS = {"mwak": ("melee", "weapon"), "rwak": ("ranged", "weapon"), "msak": ("melee", "spell"),
            "rsak": ("ranged", "spell")}  # fmt: skip
_TERM = re.compile(r"([+-]?)\s*(?:(\d{1,3}d\d{1,4})|(\d{1,4}))\s*")
_ABILITY_NAMES = dict(zip(("str", "dex", "con", "int", "wis", "cha"), LONG_ABILITIES, strict=True))


class Sheet(Struct, frozen=True):
    """The numbers of an actor that are added to its rolls."""

    name: str
    things: Mapping[str, str]
    """The names of the actor's items, by their ids."""
    mods: Mapping[str, int]
    """The modifier of each ability, by its short name such as `dex`."""
    proficiency: int
    spells: str
    """The short name of the spellcasting ability, such as `wis`; "" for none."""

    @property
    def names(self) -> dict[str, int]:
        """The numbers of the actor by their names in formulas, such as `prof` and `abilities.dex.mod`."""
        return {"prof": self.proficiency, **{f"abilities.{k}.mod": n for k, n in self.mods.items()}}

    @staticmethod
    def of(actor: Table) -> Sheet:
        """Return the sheet of an actor; proficiency follows class levels, else challenge or level."""
        system = actor.get("system")
        mods = {name: modifier(at(system, f"abilities.{name}.value")) or 0 for name in _ABILITY_NAMES}
        items = list_tables(actor.get("items"))
        levels = sum(whole(at(x, "system.levels")) or 0 for x in items)
        things = {str(x.get("_id")): str(x.get("name") or "") for x in items}
        rank = levels or whole(at(system, "details.cr")) or whole(at(system, "details.level")) or 0
        spells = str(at(system, "attributes.spellcasting") or "")
        return Sheet(str(actor.get("name") or ""), things, mods, (max(rank, 1) + 7) // 4, spells)


def fill_references(actor: Table, sheet: Sheet) -> Table:
    """Return an actor with numbers for references in its texts, such as `[[/attack]]` and `[[/damage]]`."""
    return {**actor, "items": [_fill_item(sheet, item) for item in list_tables(actor.get("items"))]}


def describe_roll(sheet: Sheet, item: Table) -> str:
    """Return an item's first roll, `+7 to hit. Hit: 1d6+4 piercing damage.` or its save; "" for none."""
    for activity in _list_activities(item).values():
        if not (dealt := describe_damage(sheet, item, activity)):
            continue
        if activity.get("type") == "attack" and (hit := describe_to_hit(sheet, item, activity)):
            return f"{hit}. Hit: {dealt} damage."
        if activity.get("type") == "save" and (save := _describe_save(sheet, activity)):
            half = ", half as much on a success" if at(activity, "damage.onSave") != "none" else ""
            return f"{save} saving throw: {dealt} damage{half}."
    return ""


def _fill_item(sheet: Sheet, item: Table) -> Table:
    text = at(item, "system.description.value")
    if not isinstance(text, str) or "[[" not in text:
        return item
    known = _list_activities(item)

    def read(match: re.Match[str]) -> str:
        verb, words, label = match[1].lower(), match[2].strip(), match[3] or ""
        activity_name = _ACTIVITY.search(words)
        activity = known.get(activity_name[1], {}) if activity_name else next(iter(known.values()), {})
        return (
            _resolve_reference(verb, words, label, (sheet, item, activity)) or label or strip_markup(match[0])
        )

    described = {**at(item, "system.description"), "value": _REFERENCE.sub(read, text)}
    return {**item, "system": {**item["system"], "description": described}}


def _resolve_reference(verb: str, words: str, label: str, context: tuple[Sheet, Table, Table]) -> str:
    """Return the text of a reference: `+7 to hit`, `2d6 fire`, a name; "" if it cannot be computed."""
    sheet, item, activity = context
    first = words.split(" ", 1)[0]
    if verb == "attack":
        return describe_to_hit(sheet, item, activity)
    if verb == "damage" and first[:1].isdecimal():
        kind = _KIND.search(words)
        return f"{first} {kind[1] if kind else ''}".strip()
    if verb == "damage":
        dealt = describe_damage(sheet, item, activity)
        return f"Hit: {dealt} damage" if dealt and "extended" in words else dealt
    if verb == "save":
        return _describe_save(sheet, activity)
    if verb == "item":
        key = first.removeprefix(".")
        return label or sheet.things.get(key, "" if first != key else words)
    return _resolve_lookup(first.removeprefix("@"), sheet, activity)


def _resolve_lookup(path: str, sheet: Sheet, activity: Table) -> str:
    if path == "save.dc.value":
        dc = compute_save_dc(sheet, activity)
        return str(dc) if dc else ""
    found = sheet.name if path == "name" else at(activity, path)
    return str(found).lower() if isinstance(found, str | int) else ""


def _list_activities(item: Table) -> dict[str, Table]:
    """Return an item's activities by id, attacks first; an item of older versions is one activity."""
    stored = at(item, "system.activities")
    if isinstance(stored, dict):
        some = {str(k): x for k, x in stored.items() if isinstance(x, dict)}
        return dict(sorted(some.items(), key=lambda pair: pair[1].get("type") != "attack"))
    system = item.get("system")
    sort, save = at(system, "actionType"), at(system, "save")
    attack_type, by = _ATTACKS.get(sort, ("", "")) if isinstance(sort, str) else ("", "")
    bonus = at(system, "attack.bonus") or at(system, "attackBonus")
    return {
        "": {
            "type": "attack" if attack_type else "save" if at(save, "ability") else "",
            "attack": {
                "ability": at(system, "ability"), "bonus": bonus, "flat": at(system, "attack.flat"),
                "type": {"value": attack_type, "classification": by},
            },
            "damage": {"parts": at(system, "damage.parts")},
            "save": {
                "ability": at(save, "ability"),
                "dc": {"calculation": at(save, "scaling"), "formula": at(save, "dc")},
            },
        }
    }  # fmt: skip


def describe_to_hit(sheet: Sheet, item: Table, activity: Table) -> str:
    """Return `+7 to hit`; "" if the bonus is not a plain number."""
    extra = _add_numbers(at(activity, "attack.bonus"), sheet.names)
    if extra is None or at(activity, "attack") is None:
        return ""
    if at(activity, "attack.flat"):
        return f"{extra:+} to hit"
    # If the file does not say, monsters are proficient with their items.
    trained = at(item, "system.proficient") not in (0, False)
    mod = sheet.mods.get(_ability_of(sheet, item, activity), 0)
    return f"{mod + trained * sheet.proficiency + extra + _magic_bonus(item):+} to hit"


def _magic_bonus(item: Table) -> int:
    properties = at(item, "system.properties")
    magical = isinstance(properties, list) and "mgc" in properties
    return (whole(at(item, "system.magicalBonus")) or 0) if magical else 0


def _ability_of(sheet: Sheet, item: Table, activity: Table) -> str:
    """Return the short name of the ability that an attack, or damage with a save, adds."""
    ability = at(activity, "attack.ability") or (
        at(activity, "save.dc.calculation") if activity.get("type") == "save" else ""
    )
    if ability == "spellcasting" or (not ability and at(activity, "attack.type.classification") == "spell"):
        return sheet.spells
    if ability:
        return str(ability)
    stored, sort = (
        at(item, "system.properties"),
        str(at(item, "system.type.value") or at(item, "system.weaponType")),
    )
    finesse = ("fin" in stored) if isinstance(stored, list) else bool(at(stored, "fin"))
    if finesse:
        return max(("str", "dex"), key=lambda name: sheet.mods[name])
    attack_type = at(activity, "attack.type.value") or ("ranged" if sort.endswith("R") else "melee")
    return "dex" if attack_type == "ranged" else "str"


def describe_damage(sheet: Sheet, item: Table, activity: Table) -> str:
    """Return `1d6+4 piercing plus 2d6 fire`; "" without dice, or if more than numbers is added to them."""
    mod = sheet.mods.get(_ability_of(sheet, item, activity), 0)
    known = {"mod": mod, **sheet.names}
    parts = [(text, kind) for text, kind in _damage_parts(item, activity) if text]
    sums = [(_write_sum(text, known), kind) for text, kind in parts]
    return " plus ".join(f"{text} {kind}".strip() for text, kind in sums) if all(t for t, _ in sums) else ""


def _damage_parts(item: Table, activity: Table) -> Iterator[tuple[str, str]]:
    """Yield dice and kind of each part of the damage; `@mod` is added to a weapon's dice, as in Foundry."""
    base = at(item, "system.damage.base")
    if activity.get("type") == "attack" and isinstance(base, dict) and at(activity, "damage.includeBase"):
        text, kind = _damage_part(base)
        adds = "d" in text and "@mod" not in text and item.get("type") == "weapon"
        magic = f" + {_magic_bonus(item)}" if text and _magic_bonus(item) else ""
        yield f"{text}{' + @mod' if adds else ''}{magic}", kind
    parts = at(activity, "damage.parts")
    for row in parts if isinstance(parts, list) else ():
        if isinstance(row, dict):
            yield _damage_part(row)
        elif isinstance(row, list) and row and isinstance(row[0], str):
            yield row[0], row[1] if len(row) > 1 and isinstance(row[1], str) else ""


def _damage_part(row: Table) -> tuple[str, str]:
    types = row.get("types")
    kind = next((x for x in types if isinstance(x, str)), "") if isinstance(types, list) else ""
    if at(row, "custom.enabled"):
        return str(at(row, "custom.formula") or ""), kind
    number, sides, bonus = row.get("number"), row.get("denomination"), row.get("bonus") or ""
    dice = f"{number}d{sides}" if number and sides else ""
    return " + ".join(filter(None, (dice, str(bonus)))), kind


def _write_sum(text: str, known: Mapping[str, int]) -> str:
    """Return a formula as a sum such as `2d6+7`; "" if it has more than dice and numbers."""
    found = _add_terms(text, known)
    if found is None or not any(found):
        return ""
    dice, more = found
    return "+".join(dice) + (f"{more:+}" if dice and more else "" if dice else str(max(0, more)))


def _add_terms(text: str, known: Mapping[str, int]) -> tuple[list[str], int] | None:
    """Return the dice of a formula, and the sum of its numbers; None if it has anything else."""
    total, dice, place = 0, list[str](), 0
    text = re.sub(r"\[[^\[\]]{0,60}\]", "", _fill_names(text, known)).strip()
    while place < len(text):
        match = _TERM.match(text, place)
        if match is None or (match[1] == "-" and match[2]) or (place and not match[1]):
            return None
        if match[2]:
            dice.append(match[2])
        else:
            total += -int(match[3]) if match[1] == "-" else int(match[3])
        place = match.end()
    return dice, total


def _fill_names(text: str, known: Mapping[str, int]) -> str:
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(rf"\+?\s*@{re.escape(name)}\b", f"{known[name]:+}", text[:200])
    return text.strip()


def _add_numbers(value: Any, known: Mapping[str, int]) -> int | None:
    """Return a bonus as a number: 0 if it is missing, None if it has more than numbers."""
    if value in (None, "", 0):
        return 0
    dice, number = _add_terms(str(value), known) or ([""], 0)
    return None if dice else number


def _describe_save(sheet: Sheet, activity: Table) -> str:
    """Return `DC 14 Dexterity`; "" without a number."""
    dc, name = compute_save_dc(sheet, activity), _ABILITY_NAMES.get(_save_ability(activity), "")
    return f"DC {dc} {name.capitalize()}" if dc and name else ""


def _save_ability(activity: Table) -> str:
    stored = at(activity, "save.ability")
    return str(stored[0] if isinstance(stored, list) and stored else stored)


def compute_save_dc(sheet: Sheet, activity: Table) -> int:
    """Return the DC of a save; 0 if it cannot be computed."""
    by, formula = at(activity, "save.dc.calculation"), at(activity, "save.dc.formula")
    by = sheet.spells if by in ("spellcasting", "spell") else by
    if isinstance(by, str) and by in sheet.mods:
        return 8 + sheet.mods[by] + sheet.proficiency
    # In a formula `@mod` is the modifier of the ability that saves.
    return _add_numbers(formula, {"mod": sheet.mods.get(_save_ability(activity), 0), **sheet.names}) or 0

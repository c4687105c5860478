"""Foundry's dnd5e actors, as exported and as in its packs: JSON or YAML.

Numbers that Foundry computes (skills and saves with training, worn armour) are not in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tui.exchange.card_attacks import find_attacks
from tui.exchange.foreign_values import (
    ABILITIES,
    damage_kinds,
    dice,
    has,
    list_actors,
    list_tables,
    modifier,
    size,
    strip_markup,
    text,
    whole,
)
from tui.exchange.foundry import count_left_out, explain_refusal, read_actor_kind, write_actor_card
from tui.exchange.foundry_rolls import Sheet, describe_roll, fill_references
from tui.exchange.mapping import To, at, take, write_feature
from tui.exchange.registry import Entries, Format


def _make_modifier_reader(ability: str, training: str) -> Any:
    """Return a reader of an ability's modifier; it gives None if training or a bonus changes the number."""

    def read(system: Any) -> int | None:
        changed = at(system, training)
        changed = changed if not isinstance(changed, dict) else changed.get("value") or changed.get("bonus")
        return (
            None if changed not in (None, 0, "", "0") else modifier(at(system, f"abilities.{ability}.value"))
        )

    return read


def _read_armour(value: Any) -> int | None:
    """Return the armour class if the file states it; None if it depends on worn armour."""
    if not isinstance(value, dict):
        return whole(value)
    return whole(value.get("flat" if value.get("calc") in ("flat", "natural", None) else "value"))


TABLE = (
    To("source", "system.source.book", text),
    To("source", "system.source.custom", text),
    To("source", "system.details.source", text),
    To("hp", "system.attributes.hp.max"),
    To("hp", "system.attributes.hp.value"),
    To("hp_dice", "system.attributes.hp.formula", dice),
    To("ac", "system.attributes.ac", _read_armour),
    To("ac", "system.attributes.ac.value"),
    To("initiative", "system", _make_modifier_reader("dex", "attributes.init")),
    To("per", "system", _make_modifier_reader("wis", "skills.prc")),
    To("int", "system.abilities.int.value"),
    To("size", "system.traits.size", size),
    To("stealth", "system", _make_modifier_reader("dex", "skills.ste")),
    To("con", "system", _make_modifier_reader("con", "abilities.con.proficient")),
    To("kind", "type", read_actor_kind),
    To("resist", "system.traits.dr.value", damage_kinds),
    To("vulnerable", "system.traits.dv.value", damage_kinds),
    To("immune", "system.traits.di.value", damage_kinds),
)

CARD_VALUES = {
    "Type": "system.details.type",
    "Alignment": "system.details.alignment",
    "Level": "system.details.level",
    "Challenge": "system.details.cr",
    "Speed": "system.attributes.movement",
    **{name.capitalize(): f"system.abilities.{name}.value" for name in ABILITIES},
    "Initiative bonus": "system.attributes.init.bonus",
    "Damage resistances": "system.traits.dr.value",
    "Vulnerable to": "system.traits.dv.value",
    "Immune to": "system.traits.di.value",
    "Condition immunities": "system.traits.ci.value",
    "Senses": "system.attributes.senses",
    "Languages": "system.traits.languages.value",
    "Legendary actions": "system.resources.legact.max",
    "Description": "system.details.biography.value",
}


def _describe_item(sheet: Sheet, item: Mapping[str, Any]) -> tuple[str, str]:
    """Return (limit, roll) of an item, such as `3/Day` and `+5 to hit. Hit: 1d8+3`.

    The roll is "" if the item's text states it.
    """
    limit = _describe_limit(at(item, "system.uses"))
    told = write_feature("Item", strip_markup(str(at(item, "system.description.value") or "")))
    return limit, "" if find_attacks(told) else describe_roll(sheet, item) or _describe_damage(item)


def _describe_damage(item: Mapping[str, Any]) -> str:
    """Return the damage of an item as the file writes it, such as `1d8 + @mod slashing`."""
    rows = [at(item, "system.damage.base"), *list_tables(at(item, "system.damage.parts"))]
    activities = at(item, "system.activities")
    for activity in activities.values() if isinstance(activities, dict) else ():
        rows += list_tables(at(activity, "damage.parts"))
    texts = [_write_damage(row) for row in rows if has(row, "number", "denomination")]
    older = at(item, "system.damage.parts")
    pairs = older if isinstance(older, list) else []
    texts += [" ".join(map(str, pair)) for pair in pairs if isinstance(pair, list)]
    dealt = " plus ".join(dict.fromkeys(filter(None, texts)))
    return f"Damage {dealt}." if dealt else ""


_PERIODS = {"day": "Day", "dawn": "Day", "lr": "Long Rest", "sr": "Short Rest"}


def _describe_limit(uses: Any) -> str:
    """Return `Recharge 5-6` or `3/Day`; "" if the file states no number."""
    most, period = whole(at(uses, "max")), at(uses, "recovery.0.period") or at(uses, "per")
    if period == "recharge":
        least = whole(at(uses, "recovery.0.formula")) or 6
        return f"Recharge {least}-6" if least < 6 else "Recharge 6"
    return f"{most}/{_PERIODS[period]}" if most and period in list(_PERIODS) else ""


def _write_damage(row: Mapping[str, Any]) -> str:
    types = row.get("types")
    sort = " or ".join(x for x in types if isinstance(x, str)) if isinstance(types, list) else ""
    bonus = f" + {row['bonus']}" if row.get("bonus") else ""
    number, sides = row["number"], row["denomination"]
    return f"{number}d{sides}{bonus} {sort}".strip() if number and sides else ""


def _list_actors(value: Any) -> list[dict[str, Any]]:
    rows = list_actors(value, ("npc", "character", "vehicle"))
    return [x for x in rows if has(at(x, "system.attributes"), "hp")]


def _is_dnd5e(actor: Mapping[str, Any]) -> bool:
    """Return whether an actor is of dnd5e, not pf2e: it has death saves, movement or an initiative bonus."""
    return any(has(at(actor, "system.attributes"), key) for key in ("init", "movement", "death"))


def _take(value: Any) -> Entries:
    creatures = _list_actors(value)
    for actor in creatures:
        sheet = Sheet.of(actor)
        if creature := take(
            actor,
            TABLE,
            text=write_actor_card(fill_references(actor, sheet), CARD_VALUES, partial(_describe_item, sheet)),
        ):
            yield creature
    yield from count_left_out(value, creatures)


FOUNDRY_DND5E = Format(
    "Foundry dnd5e",
    ("json", "yaml"),
    lambda value: any(map(_is_dnd5e, _list_actors(value)[:20])),
    _take,
    rank=3,
    refuses=explain_refusal,
)

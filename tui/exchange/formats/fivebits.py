"""5e-bits: monsters of the SRD's API, versions 2014 and 2024, one monster or a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tui.exchange.foreign_values import (
    dice,
    has,
    has_some,
    list_tables,
    size,
    whole,
    write_saves,
)
from tui.exchange.limits import append_limit, write_usage
from tui.exchange.mapping import To, at, by_defences, by_scores, take
from tui.exchange.registry import Entries, Format


def _make_proficiency_reader(index: str) -> Any:
    """Return a reader of the bonus with this index in the list of proficiencies."""

    def read(value: Any) -> int | None:
        for row in list_tables(value):
            if has(row, "proficiency") and at(row, "proficiency.index") == index:
                return whole(row.get("value"))
        return None

    return read


def _read_saves(value: Any) -> str | None:
    """Return the saving throws in the list of proficiencies, None for none."""
    values = {str(at(r, "proficiency.index")): r.get("value") for r in list_tables(value)}
    return write_saves(
        {k.removeprefix("saving-throw-"): v for k, v in values.items() if k.startswith("saving-throw-")}
    )


def _read_armour(value: Any) -> int | None:
    """Return the armour class: a number, or the best one that needs neither spell nor condition."""
    if not isinstance(value, list):
        return whole(value)
    attacks = [w for w in list_tables(value) if w.get("type") not in ("spell", "condition")]
    return max((n for n in (whole(w.get("value")) for w in attacks) if n is not None), default=None)


TABLE = (
    To("hp", "hit_points"),
    To("hp_dice", "hit_points_roll", dice),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class", _read_armour),
    To("initiative", "initiative.modifier"),
    To("initiative", "initiative_bonus"),
    To("initiative", "initiative"),
    To("per", "proficiencies", _make_proficiency_reader("skill-perception")),
    To("int", "intelligence"),
    To("size", "size", size),
    To("stealth", "proficiencies", _make_proficiency_reader("skill-stealth")),
    To("passive", "senses.passive_perception"),
    To("con", "proficiencies", _make_proficiency_reader("saving-throw-con")),
    *by_defences("damage_resistances", "damage_vulnerabilities", "damage_immunities"),
    To("saves", "proficiencies", _read_saves),
    *by_scores("dexterity", "constitution", "wisdom"),
)

NOISE = ("image", "url", "index", "updated_at", "damage_type_url", "proficiencies")
_LISTS = ("special_abilities", "actions", "bonus_actions", "reactions", "legendary_actions")


def _rewrite_entry(row: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with limits in the names of its features, and its proficiencies as a line of skills."""
    rows = list_tables(row.get("proficiencies"))
    skills = [f"{str(at(x, 'proficiency.name')).removeprefix('Skill: ')} {x.get('value')}" for x in rows]
    lists: dict[str, Any] = {
        k: [_rewrite_feature(x) for x in row[k]] for k in _LISTS if isinstance(row.get(k), list)
    }
    if list_tables(row.get("legendary_actions")) and "legendary_desc" not in row:
        lists["legendary action uses"] = "3 a round"
    return {**row, "skills": ", ".join(skills), **lists}


def _rewrite_feature(row: Any) -> Any:
    """Return a trait or action with its limit in its name, without the bonus, damage and DC of its text."""
    if not has(row, "name", "desc"):
        return row
    rest = {k: row[k] for k in row if k not in (*_LIST_TITLES, "usage", "name")}
    rest["desc"] = "\n".join([str(row["desc"]).rstrip(), *_list_spells(row)])
    return {"name": append_limit(row["name"], write_usage(row.get("usage"))), **rest}


def _list_spells(row: dict[str, Any]) -> Iterator[str]:
    """Yield lines of a feature's spells by how often they are cast, unless its text names any of them."""
    lists: dict[str, list[str]] = {}
    for spell in list_tables(at(row, "spellcasting.spells")):
        often = write_usage(spell.get("usage"))
        title = "At will" if often == "at will" else f"{often} each" if often else "Spells"
        lists.setdefault(title, []).append(str(spell.get("name") or ""))
    listed = [name for spells in lists.values() for name in spells]
    if not any(name.lower() in str(row["desc"]).lower() for name in listed):
        yield from (f"{title}: {', '.join(spells)}" for title, spells in lists.items())


_LIST_TITLES = (
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


def _take(value: Any) -> Entries:
    for row in list_tables(value):
        if has(row, "name", "hit_points") and (creature := take(_rewrite_entry(row), TABLE, noise=NOISE)):
            yield creature


FIVE_BITS = Format(
    "5e-bits",
    ("json",),
    lambda value: has_some(value, "index", "name", "hit_points", "armor_class"),
    _take,
    rank=4,
)

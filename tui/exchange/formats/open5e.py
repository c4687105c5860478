"""Open5e: versions 1 and 2 of its API; one creature, a list, or a page."""

from __future__ import annotations

from typing import Any, Literal

from tui.exchange.foreign_values import (
    LONG_ABILITIES,
    dice,
    has,
    has_some,
    list_tables,
    passive,
    rating,
    size,
    text,
    whole,
    write_saves,
)
from tui.exchange.limits import append_limit, write_usage
from tui.exchange.mapping import Target, To, by_defences, by_scores, refuse_entry, take
from tui.exchange.registry import Entries, Format


def _make_saves_reader(pattern: str) -> Any:
    """Return a reader of saves that have one key for each ability."""
    return lambda entry: write_saves({name: entry.get(pattern.format(name)) for name in LONG_ABILITIES})


def _read_saves(value: Any) -> str | None:
    return write_saves(value) if isinstance(value, dict) else None


def _skill_rows(name: Literal["perception", "stealth"]) -> tuple[To, ...]:
    """Return table rows for every key at which a version of the API has this skill."""
    target: Target = "per" if name == "perception" else name
    places = ("skills.{}", "skill_bonuses.{}", "skill_bonuses_all.{}")
    spelt = (To(target, place.format(each)) for place in places for each in (name, name.capitalize()))
    return (*spelt, To(target, name))


_SAVES_AT = ("{}_save", "saving_throws.{}", "saving_throws_all.{}")

TABLE = (
    *(To("source", k, text) for k in ("document__title", "document.name", "document.display_name")),
    To("hp", "hit_points"),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class"),
    To("initiative", "initiative_bonus"),
    To("initiative", "modifiers.dexterity"),
    *_skill_rows("perception"),
    To("int", "intelligence"),
    To("int", "ability_scores.intelligence"),
    To("size", "size.key", size),
    To("size", "size", size),
    *_skill_rows("stealth"),
    To("passive", "passive_perception"),
    To("passive", "senses", passive),
    *(To("con", k.format("constitution")) for k in _SAVES_AT),
    *by_scores("dexterity", "constitution", "wisdom"),
    *(
        row
        for end in ("_display", "")
        for row in by_defences(
            *(f"damage_{k}{end}" for k in ("resistances", "vulnerabilities", "immunities"))
        )
    ),
    *(To("cr", key, rating) for key in ("challenge_rating_text", "challenge_rating", "cr")),
    To("saves", "", _make_saves_reader("{}_save")),
    To("saves", "saving_throws_all", _read_saves),
    To("saves", "saving_throws", _read_saves),
)
"""Where each version of the API has the values, the older version first."""

NOISE = (
    "img_main", "illustration", "url", "slug", "key", "page_no", "v2_converted_path", "document__license_url",
    "document__slug", "document__url", "permalink", "crossreferences", "creaturesets", "order_in_statblock",
    "skill_bonuses_all", "saving_throws_all", "speed_all", "normal_sight_range", "route", "category",
    "subcategory", "group", "experience_points_integer",
    "cr", "publisher", "gamesystem", "modifiers",
    "document", "spells", "spell_list", "environments", "experience_points", "creatureaction_set",
    "nonmagical_attack_resistance",
    "nonmagical_attack_immunity", "speed_json", "embedded", "page",
)  # fmt: skip
"""Keys of addresses and pictures, and of values that the entry states twice."""


def _list_entries(value: Any) -> list[dict[str, Any]]:
    return list_tables(value["results"] if has(value, "results") else value)


def _fits(value: Any) -> bool:
    rows = _list_entries(value)
    return has_some(rows, "name", "hit_points", "hit_dice", "armor_class") and not has_some(
        rows, "index", "url"
    )


def _take(value: Any) -> Entries:
    for row in _list_entries(value):
        creature = take(_group_actions(row), TABLE, noise=NOISE) if has(row, "name", "hit_points") else None
        yield creature or refuse_entry(row)


def _describe_cost(row: dict[str, Any]) -> str:
    cost = whole(row.get("legendary_action_cost"))
    return f"Costs {cost} Actions" if cost and cost > 1 else ""


def _group_actions(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with its actions grouped by kind, limits in their names, and each value once."""
    rows = fields.get("actions")
    table = {k: v for k, v in fields.items() if k != "actions"}
    for row in rows if isinstance(rows, list) else []:
        if not has(row, "name", "action_type"):
            return fields
        kind = str(row["action_type"]).lower() + "s"
        limit = write_usage(row.get("usage_limits")) or _describe_cost(row)
        table.setdefault(kind, []).append({"name": append_limit(row["name"], limit), "desc": row.get("desc")})
    if has(table.get("languages"), "as_string"):
        table["languages"] = table["languages"]["as_string"]
    defences = table.pop("resistances_and_immunities", None)
    if isinstance(defences, dict):
        table |= {k: v for k, v in defences.items() if k.endswith("_display")}
    return {k: v for k, v in table.items() if f"{k}_display" not in table}


OPEN5E = Format("Open5e", ("json",), _fits, _take)

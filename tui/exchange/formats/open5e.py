"""Open5e: the API's versions 1 and 2, one creature, a list or a page of them, and the dump in its repository."""

from __future__ import annotations

from typing import Any

import msgspec

from tui.exchange.defences import kinds, saves
from tui.exchange.limits import titled, told
from tui.exchange.mapping import Aside, To, take
from tui.exchange.registry import Format, Found
from tui.exchange.values import dice, has, modifier, passive, size, some, tables, text, whole

_ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


def _saves(pattern: str) -> Any:
    """Read saves that stand at a key each."""
    return lambda entry: saves({name: entry.get(pattern.format(name)) for name in _ABILITIES})


def _all_saves(value: Any) -> str | None:
    return saves(value) if isinstance(value, dict) else None


V1 = (
    To("source", "document__title", text),
    To("hp", "hit_points"),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class"),
    To("initiative", "initiative_bonus"),
    To("initiative", "dexterity", modifier),
    To("per", "perception"),
    To("per", "skills.perception"),
    To("per", "wisdom", modifier),
    To("int", "intelligence"),
    To("size", "size", size),
    To("stealth", "stealth"),
    To("stealth", "skills.stealth"),
    To("stealth", "dexterity", modifier),
    To("passive", "senses", passive),
    To("con", "constitution_save"),
    To("con", "constitution", modifier),
    To("resist", "damage_resistances", kinds),
    To("vulnerable", "damage_vulnerabilities", kinds),
    To("immune", "damage_immunities", kinds),
    To("saves", "", _saves("{}_save")),
)

V2 = (
    To("source", "document.name", text),
    To("source", "document.display_name", text),
    To("source", "document", text),
    To("hp", "hit_points"),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class"),
    To("initiative", "initiative_bonus"),
    To("initiative", "modifiers.dexterity"),
    To("initiative", "ability_score_dexterity", modifier),
    To("per", "skill_bonuses.perception"),
    To("per", "skill_bonuses_all.perception"),
    To("per", "skill_bonus_perception"),
    To("per", "ability_score_wisdom", modifier),
    To("int", "ability_scores.intelligence"),
    To("int", "ability_score_intelligence"),
    To("size", "size.key", size),
    To("size", "size", size),
    To("stealth", "skill_bonuses.stealth"),
    To("stealth", "skill_bonuses_all.stealth"),
    To("stealth", "skill_bonus_stealth"),
    To("stealth", "ability_score_dexterity", modifier),
    To("passive", "passive_perception"),
    To("con", "saving_throws.constitution"),
    To("con", "saving_throws_all.constitution"),
    To("con", "saving_throw_constitution"),
    To("con", "ability_score_constitution", modifier),
    To("resist", "damage_resistances_display", kinds),
    To("resist", "damage_resistances", kinds),
    To("vulnerable", "damage_vulnerabilities_display", kinds),
    To("vulnerable", "damage_vulnerabilities", kinds),
    To("immune", "damage_immunities_display", kinds),
    To("immune", "damage_immunities", kinds),
    To("saves", "saving_throws_all", _all_saves),
    To("saves", "saving_throws", _all_saves),
    To("saves", "", _saves("saving_throw_{}")),
)

NOISE = (
    "img_main", "illustration", "url", "slug", "key", "page_no", "v2_converted_path", "document__license_url",
    "document__slug", "document__url", "permalink", "crossreferences", "creaturesets", "order_in_statblock",
    "skill_bonuses_all", "saving_throws_all", "speed_all", "normal_sight_range", "route", "category", "subcategory",
    "cr", "publisher", "gamesystem", "modifiers",
    "document", "spells", "spell_list",
)  # fmt: skip
"""Addresses, pictures, and the second writing of what stands there already."""

_ASIDE = ("creatureaction", "creaturetrait")


def _entries(value: Any) -> list[dict[str, Any]]:
    return tables(value["results"] if has(value, "results") else value)


def _fits(value: Any) -> bool:
    rows = _entries(value)
    dump = any(str(r.get("model", "")).startswith(("api_v2.creature", "api.monster")) for r in rows[:50])
    return dump or (
        some(rows, "name", "hit_points", "hit_dice", "armor_class") and not some(rows, "index", "url")
    )


def _take(value: Any) -> Found:
    for row in _entries(value):
        fields = row["fields"] if has(row, "fields", "model") and isinstance(row["fields"], dict) else row
        model = str(row.get("model", "")).lower()
        if model.endswith(_ASIDE):
            yield Aside(str(fields.get("parent", "")), _feature(fields))
        elif has(fields, "name", "hit_points"):
            second = any(k in fields for k in ("ability_scores", "ability_score_strength"))
            key = str(row.get("pk") or row.get("key") or "")
            if taken := take(_grouped(_opened(fields)), V2 if second else V1, noise=NOISE, key=key):
                yield taken


def _feature(fields: dict[str, Any]) -> str:
    """An action or a trait of its own: its name with its limit and cost, when it is done, its words."""
    limit = told({"type": fields.get("uses_type"), "param": fields.get("uses_param")})
    name = titled(fields.get("name"), limit or _cost(fields))
    kind = str(fields.get("action_type") or "")
    when = f"{kind.replace('_', ' ').capitalize()}: " if kind not in ("", "ACTION") else ""
    return f"{when}{name}. {fields.get('desc', '')}"


def _cost(row: dict[str, Any]) -> str:
    cost = whole(row.get("legendary_action_cost"))
    return f"Costs {cost} Actions" if cost and cost > 1 else ""


def _grouped(fields: dict[str, Any]) -> dict[str, Any]:
    """The entry of the API with its actions under what they are, limits behind names, and nothing told twice."""
    rows = fields.get("actions")
    found = {k: v for k, v in fields.items() if k != "actions"}
    for row in rows if isinstance(rows, list) else []:
        if not has(row, "name", "action_type"):
            return fields
        kind = str(row["action_type"]).lower() + "s"
        limit = told(row.get("usage_limits")) or _cost(row)
        found.setdefault(kind, []).append({"name": titled(row["name"], limit), "desc": row.get("desc")})
    if has(found.get("languages"), "as_string"):
        found["languages"] = found["languages"]["as_string"]
    defences = found.pop("resistances_and_immunities", None)
    if isinstance(defences, dict):
        found |= {k: v for k, v in defences.items() if k.endswith("_display")}
    return {k: v for k, v in found.items() if f"{k}_display" not in found}


def _opened(fields: dict[str, Any]) -> dict[str, Any]:
    """The entry with what the dump of version 1 holds as JSON in texts."""
    return {k.removesuffix("_json"): _decoded(v) if k.endswith("_json") else v for k, v in fields.items()}


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return value


OPEN5E = Format("Open5e", ("json",), _fits, _take)

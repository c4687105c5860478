"""Open5e: versions 1 and 2 of the API (a creature, a list, a page), and the dump in its repository."""

from __future__ import annotations

import re
from typing import Any, Literal

from tui.exchange.foreign_values import (
    LONG_ABILITIES,
    dice,
    has,
    modifier,
    opened,
    passive,
    saves,
    size,
    some,
    tables,
    text,
    whole,
)
from tui.exchange.limits import titled, usage_text
from tui.exchange.mapping import Aside, Target, To, at, by_scores, card, label, take, withstood
from tui.exchange.printed_card import (
    CardPage,
    armour,
    bonuses,
    challenge,
    kind,
    names,
    points,
    sensed,
    speeds,
    written,
)
from tui.exchange.registry import Entries, Format


def _saves(pattern: str) -> Any:
    """Read saves that stand at a key each."""
    return lambda entry: saves({name: entry.get(pattern.format(name)) for name in LONG_ABILITIES})


def _all_saves(value: Any) -> str | None:
    return saves(value) if isinstance(value, dict) else None


def _skill(name: Literal["perception", "stealth"]) -> tuple[To, ...]:
    """Return rows for a skill at each place where it stands."""
    target: Target = "per" if name == "perception" else name
    places = ("skills.{}", "skill_bonuses.{}", "skill_bonuses_all.{}", "skill_bonus_{}")
    spelt = (To(target, place.format(each)) for place in places for each in (name, name.capitalize()))
    return (*spelt, To(target, "", _rolled_against(name)), To(target, name))


def _rolled_against(name: str) -> Any:
    """Return a reader of a bonus that some books give as the number to roll against, which is 10 more."""
    scores = ("wisdom", "ability_scores.wisdom", "ability_score_wisdom")
    if name == "stealth":
        scores = ("dexterity", "ability_scores.dexterity", "ability_score_dexterity")

    def read(entry: Any) -> int | None:
        number = whole(entry.get(name))
        untrained = next((m for path in scores if (m := modifier(at(entry, path))) is not None), 0)
        return number - 10 if number is not None and number >= 10 + untrained else None

    return read


_SAVES_AT = ("{}_save", "saving_throws.{}", "saving_throws_all.{}", "saving_throw_{}")

TABLE = (
    *(
        To("source", k, text)
        for k in ("document__title", "document.name", "document.display_name", "document")
    ),
    To("hp", "hit_points"),
    To("hp_dice", "hit_dice", dice),
    To("ac", "armor_class"),
    To("initiative", "initiative_bonus"),
    To("initiative", "modifiers.dexterity"),
    *_skill("perception"),
    To("int", "intelligence"),
    To("int", "ability_scores.intelligence"),
    To("int", "ability_score_intelligence"),
    To("size", "size.key", size),
    To("size", "size", size),
    *_skill("stealth"),
    To("passive", "passive_perception"),
    To("passive", "senses", passive),
    *(To("con", k.format("constitution")) for k in _SAVES_AT),
    *by_scores("dexterity", "constitution", "wisdom"),
    *by_scores("ability_score_dexterity", "ability_score_constitution", "ability_score_wisdom"),
    *(
        row
        for end in ("_display", "")
        for row in withstood(*(f"damage_{k}{end}" for k in ("resistances", "vulnerabilities", "immunities")))
    ),
    To("saves", "", _saves("{}_save")),
    To("saves", "saving_throws_all", _all_saves),
    To("saves", "saving_throws", _all_saves),
    To("saves", "", _saves("saving_throw_{}")),
)
"""What the versions of the API and of its dumps call things, the older first."""

NOISE = (
    "img_main", "illustration", "url", "slug", "key", "page_no", "v2_converted_path", "document__license_url",
    "document__slug", "document__url", "permalink", "crossreferences", "creaturesets", "order_in_statblock",
    "skill_bonuses_all", "saving_throws_all", "speed_all", "normal_sight_range", "route", "category",
    "subcategory", "group", "experience_points_integer", "desc", "legendary_desc",
    "cr", "publisher", "gamesystem", "modifiers",
    "document", "spells", "spell_list", "environments", "experience_points", "creatureaction_set",
    "nonmagical_attack_resistance",
    "nonmagical_attack_immunity", "speed_json", "embedded", "page",
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


def _take(value: Any) -> Entries:
    for row in _entries(value):
        fields = row["fields"] if has(row, "fields", "model") and isinstance(row["fields"], dict) else row
        model = str(row.get("model", "")).lower()
        if model.endswith(_ASIDE):
            kind = str(fields.get("action_type") or "").upper() if model.endswith("action") else "TRAIT"
            rank = _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
            place = (rank, whole(fields.get("order_in_statblock")) or 0)
            yield Aside(str(fields.get("parent", "")), _feature(fields), _titles(kind), place)
        elif has(fields, "name", "hit_points"):
            key = str(row.get("pk") or row.get("key") or "")
            entry = _grouped(_opened(fields))
            if taken := take(entry, TABLE, text=_page(entry), key=key):
                yield taken


def _feature(fields: dict[str, Any]) -> str:
    """Return an action or a trait that is an entry itself: its name, limit, cost and words."""
    limit = usage_text({"type": fields.get("uses_type"), "param": fields.get("uses_param")})
    words = _LEFT.sub("", str(fields.get("desc") or ""))
    return f"{titled(fields.get('name'), limit or _cost(fields))}. {words}".strip()


_KINDS = ("TRAIT", "ACTION", "BONUS_ACTION", "REACTION", "LEGENDARY_ACTION", "MYTHIC_ACTION", "LAIR_ACTION")


def _titles(kind: str) -> str:
    """Return the heading of a kind of action: `Bonus actions`."""
    return f"{kind.replace('_', ' ').capitalize()}s" if kind else "Actions"


def _cost(row: dict[str, Any]) -> str:
    cost = whole(row.get("legendary_action_cost"))
    return f"Costs {cost} Actions" if cost and cost > 1 else ""


def _grouped(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the API with its actions grouped by kind, limits behind names, nothing twice."""
    rows = fields.get("actions")
    table = {k: v for k, v in fields.items() if k != "actions"}
    for row in rows if isinstance(rows, list) else []:
        if not has(row, "name", "action_type"):
            return fields
        kind = str(row["action_type"]).lower() + "s"
        limit = usage_text(row.get("usage_limits")) or _cost(row)
        table.setdefault(kind, []).append({"name": titled(row["name"], limit), "desc": row.get("desc")})
    if has(table.get("languages"), "as_string"):
        table["languages"] = table["languages"]["as_string"]
    defences = table.pop("resistances_and_immunities", None)
    if isinstance(defences, dict):
        table |= {k: v for k, v in defences.items() if k.endswith("_display")}
    return {k: v for k, v in table.items() if f"{k}_display" not in table}


_PAGE = (
    "name", "size", "type", "subtype", "alignment", "armor_class", "armor_desc", "armor_detail", "hit_points",
    "hit_dice", "senses", "languages", "languages_desc", "initiative_bonus", "passive_perception",
    "perception",
    "challenge_rating", "challenge_rating_decimal", "challenge_rating_text", "speed", "unit", "hover",
    "ability_scores", "saving_throws", "skill_bonuses", "skills", "proficiency_bonus", "weight",
    *(f"damage_{sort}" for sort in ("vulnerabilities", "resistances", "immunities")), "condition_immunities",
    *(f"damage_{sort}_display" for sort in ("vulnerabilities", "resistances", "immunities")),
    "condition_immunities_display",
    *LONG_ABILITIES, *(f"{name}_save" for name in LONG_ABILITIES),
)  # fmt: skip
_PREFIXES = {
    "ability_scores": "ability_score_",
    "saving_throws": "saving_throw_",
    "skill_bonuses": "skill_bonus_",
}
"""How the keys of a group begin that some versions have in place of a table."""
_CHALLENGES = ("challenge_rating_text", "challenge_rating", "challenge_rating_decimal", "cr")
_LANGUAGES = ("languages_desc", "languages")
_WAYS = ("walk", "burrow", "climb", "fly", "swim")
_RANGES = ("blindsight", "darkvision", "tremorsense", "truesight", "telepathy")


def _page(fields: dict[str, Any]) -> str:
    """Return the card of an entry of any version."""
    own = {name: whole(fields.get(f"{name}_save")) for name in LONG_ABILITIES}
    given = {k: v for k, v in own.items() if v is not None} or _numbers(fields, "saving_throws")
    trained = {name: given[name] for name in LONG_ABILITIES if name in given}
    scores = {k: whole(fields.get(k)) for k in LONG_ABILITIES if k in fields}
    skills = _first(fields, "skills") or _numbers(fields, "skill_bonuses")
    plain_speed = {k: v for k in (*_WAYS, "unit", "hover") if (v := fields.get(k))}
    return written(
        CardPage(
            kind=kind(*(_name(fields.get(k)) for k in ("size", "type", "subtype", "alignment"))),
            challenge=challenge(_first(fields, *_CHALLENGES)),
            ac=armour(fields.get("armor_class"), _first(fields, "armor_desc", "armor_detail")),
            hp=points(fields.get("hit_points"), fields.get("hit_dice")),
            speed=speeds(_first(fields, "speed") or plain_speed),
            scores=scores or _numbers(fields, "ability_scores"),
            saves=bonuses({k[:3].capitalize(): v for k, v in trained.items()}),
            skills=bonuses({label(str(k)): whole(v) for k, v in skills.items()})
            if isinstance(skills, dict)
            else "",
            vulnerable=_defence(fields, "damage_vulnerabilities"),
            resists=_defence(fields, "damage_resistances"),
            immune=_defence(fields, "damage_immunities"),
            conditions=_defence(fields, "condition_immunities"),
            senses=_senses(fields),
            languages=names(_first(fields, *_LANGUAGES)),
            rest=_rest(fields),
        )
    )


def _first(fields: dict[str, Any], *keys: str) -> Any:
    """Return the value of the first of these keys that has one."""
    return next((fields[k] for k in keys if fields.get(k) not in (None, "", [], {})), None)


def _defence(fields: dict[str, Any], key: str) -> str:
    return names(_first(fields, f"{key}_display", key))


def _numbers(fields: dict[str, Any], group: str) -> dict[str, int | None]:
    """Return the numbers of a group by name, from its table or from a key for each."""
    start, given = _PREFIXES[group], _first(fields, group)
    table = given if isinstance(given, dict) else {}
    single = {k.removeprefix(start): v for k, v in fields.items() if k.startswith(start)}
    return {str(k): whole(v) for k, v in (table or single).items()}


def _senses(fields: dict[str, Any]) -> str:
    """Return the senses with their ranges; telepathy only where the languages do not say it."""
    ranges = [f"{k} {_feet(fields[f'{k}_range'])} ft." for k in _RANGES if _first(fields, f"{k}_range")]
    senses = [names(_first(fields, "senses")), *ranges]
    if "telepathy" in str(_first(fields, *_LANGUAGES)).lower():
        senses = [x for x in senses if not x.startswith("telepathy")]
    return sensed(", ".join(filter(None, senses)), fields.get("passive_perception"))


def _rest(fields: dict[str, Any]) -> str:
    """Return what stands below the numbers: traits, actions and the description."""
    hidden = (*_PAGE, *_WAYS, *(f"{k}_range" for k in _RANGES))
    starts = tuple(_PREFIXES.values())
    rest = {k: _spoken(v) for k, v in fields.items() if k not in hidden and not k.startswith(starts)}
    if tables(rest.get("legendary_actions")) and isinstance(rule := fields.get("legendary_desc"), str):
        rest["legendary_actions"] = [*([{"desc": rule}] if rule else []), *tables(rest["legendary_actions"])]
    words = _LEFT.sub("", names(fields.get("desc")))
    return _attacked(_LEFT.sub("", card(rest, noise=NOISE))) + (f"\n\n{words}" if words else "")


_LEFT = re.compile(r"\b[\w']{1,30}(?: \[[^\[\]\n]{1,40}\])?\|X[A-Z]{2,4}\|")
"""What its texts have kept of links of another site: the address before the words that are shown."""


_SHORTENED = re.compile(
    r"\b(Melee|Ranged)( [A-Z][a-z]{1,8} Attack: \+[0-9]{1,2} to hit), "
    r"([0-9/]{1,7} ft\.(?:, [^.\n:,]{1,60})?)(?:,\. (?=\S)|, (?=[0-9]{1,3} (?:\(|[a-z]{4,11} damage)))"
)


def _attacked(text: str) -> str:
    """Return a text with `reach`, `range` and `Hit`, which one book leaves out of its attacks."""
    far = {"Melee": "reach", "Ranged": "range"}
    return _SHORTENED.sub(lambda m: f"{m[1]}{m[2]}, {far[m[1]]} {m[3]}. Hit: ", text)


def _spoken(value: Any) -> Any:
    """Return the rows of a list without the numbers that their texts say as well."""
    if not isinstance(value, list):
        return value
    twice = ("attack_bonus", "damage_dice", "damage_bonus")
    return [
        {k: v for k, v in x.items() if k not in twice} if "to hit" in str(at(x, "desc")) else x for x in value
    ]


def _feet(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value).removesuffix(".0")


def _name(value: Any) -> Any:
    return value.get("name") if isinstance(value, dict) else value


def _opened(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of the dump of version 1 with its JSON texts decoded."""
    return {k.removesuffix("_json"): opened(v) if k.endswith("_json") else v for k, v in fields.items()}


OPEN5E = Format("Open5e", ("json",), _fits, _take)

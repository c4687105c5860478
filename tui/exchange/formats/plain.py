"""Any JSON or YAML with creatures: lists by name or key, saved fights of web trackers, and their players."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tui.core.fight.combatant import FightState
from tui.exchange.foreign_values import dice, has, list_tables, walk_tables, whole
from tui.exchange.formats.cells import column_key, take_row
from tui.exchange.mapping import is_true, label_of_key, write_condition
from tui.exchange.registry import Entries, Format

_DEPTH = 8
_PARTIES = ("players", "party", "pcs", "characters", "heroes")
"""Keys of lists of players' characters."""
_HEROES = ("player", "pc", "character", "hero", "party", "ally pc")
_ALLIES = ("ally", "allies", "friend", "friendly", "companion")
_ROLES = ("type", "kind", "side", "team", "faction", "role")
_INSIDE = (
    "stats",
    "attributes",
    "abilities",
    "ability scores",
    "statblock",
    "stat block",
    "defenses",
    "combat",
    "details",
)
"""Tables whose values count as the creature's own."""
_POINTS = {
    "max": "hp", "maximum": "hp", "average": "hp", "value": "hp", "total": "hp", "current": "current",
    "now": "current", "temp": "temporary", "temporary": "temporary", "formula": "hp_dice", "dice": "hp_dice",
}  # fmt: skip
_MOST = (
    "max hp",
    "hp max",
    "maximum hp",
    "max hit points",
    "hit points max",
    "max health",
    "max health points",
    "total hp",
)
_MODIFIERS = (
    "modifier",
    "initiative modifier",
    "initiative bonus",
    "init bonus",
    "init mod",
    "initiative mod",
)
_CONDITIONS = ("conditions", "condition", "status", "statuses", "status effects", "effects")
_NOISE = (
    "id", "uuid", "path", "image", "img", "icon", "color", "enabled", "active", "hidden", "visible",
    "friendly", "static", "player", "is player", "is pc", "is npc", "is active", "current max hp",
    "current ac", "roll hp", "rolled", "turn", "amount", "count", "quantity", "qty", *_CONDITIONS,
)  # fmt: skip

Labelled = dict[str, Any]


def _read_labels(table: Labelled) -> Labelled:
    """Return the values of a creature by target, or by words for keys that are no target."""
    labels = {label_of_key(str(key)).lower(): value for key, value in table.items()}
    row: Labelled = {}
    # Beside a maximum the plain word means what is left, and beside a modifier what was rolled.
    for key, words, other in (("hp", _MOST, "current"), ("initiative", _MODIFIERS, "rolled")):
        if label := next((word for word in words if labels.get(word) is not None), ""):
            row[key] = labels.pop(label)
            left = next((word for word in labels if column_key(word) == key), "")
            row |= {other: labels.pop(left)} if left else {}
    for label, value in labels.items():
        target = column_key(label)
        if isinstance(value, dict) and target == "hp":
            row |= {_POINTS[k.lower()]: v for k, v in value.items() if k.lower() in _POINTS}
        elif isinstance(value, dict) and label in _INSIDE:
            row = {**_read_labels(value), **row}
        elif isinstance(value, dict) and target in ("ac", "initiative"):
            row.setdefault(target, next(filter(None, map(value.get, ("value", "bonus", "modifier"))), None))
        elif isinstance(value, list) and target == "ac" and has(value[0] if value else None, "value"):
            row.setdefault(target, value[0]["value"])
        else:
            row.setdefault(target, value)
    return row


def _walk(
    value: Any, name: str = "", *, is_party: bool = False, depth: int = _DEPTH
) -> Iterator[tuple[Labelled, bool]]:
    """Yield the row of each creature, and whether it stands in a list of players."""
    if isinstance(value, dict):
        row = _read_labels(value)
        title = row.get("display") or row.get("display name") or row.get("name") or name
        if isinstance(title, str) and _is_creature(row):
            yield {**row, "name": title}, is_party
            return
        for key, inside in value.items() if depth else ():
            yield from _walk(
                inside, str(key), is_party=str(key).lower() in _PARTIES or is_party, depth=depth - 1
            )
    elif isinstance(value, list) and depth:
        for inside in value:
            yield from _walk(inside, is_party=is_party, depth=depth - 1)


def _is_creature(row: Labelled) -> bool:
    hp = row.get("hp", row.get("current"))
    has_points = not isinstance(hp, bool) and (whole(hp) is not None or dice(hp) is not None)
    others = ("ac", "initiative", "current", "cr", "dex", "level", "actions", "attacks", "type")
    is_person = row.get("player") is True or ("initiative" in row and isinstance(row.get("conditions"), list))
    return (has_points and any(key in row for key in others)) or (is_person and "name" in row)


def _says(row: Labelled, words: tuple[str, ...]) -> bool:
    return any(str(row.get(key)).lower() in words for key in _ROLES) or any(
        is_true(row.get(w)) for w in words
    )


def _list_conditions(row: Labelled) -> list[str]:
    given: list[Any] = next((row[key] for key in _CONDITIONS if isinstance(row.get(key), list)), [])
    return [
        write_condition(x.get("name") or x.get("text"), x.get("rounds", x.get("duration")))
        if isinstance(x, dict)
        else write_condition(x)
        for x in given
    ]


def _write_attack(item: Any) -> Any:
    """Return an attack of a name, a bonus and damage as a stat block writes it; other values unchanged."""
    row = {label_of_key(str(k)).lower(): v for k, v in item.items()} if isinstance(item, dict) else {}
    keys = ("to hit", "attack bonus", "bonus", "hit", "modifier")
    bonus = next((n for key in keys if (n := whole(row.get(key))) is not None), None)
    given = [row.get(key) for key in ("damage", "damage dice", "damage roll")]
    damage = next((x for x in given if dice(x)), given[0])
    # An action's own words say more than its numbers.
    is_told = any(isinstance(x, str) and "to hit" in x for x in row.values())
    if bonus is None or not isinstance(damage, str) or not row.get("name") or is_told:
        return item
    return {"name": row["name"], "desc": f"{bonus:+} to hit, {damage} {row.get('damage type') or ''}".strip()}


def _take(value: Any) -> Entries:
    parties = {
        name: str(party.get("name"))
        for party in list_tables(value.get("parties") if isinstance(value, dict) else None)
        for name in (party["players"] if isinstance(party.get("players"), list) else ())
        if isinstance(name, str)
    }
    # An Obsidian tracker keeps its last fight and saved ones beside its players.
    rows = list(_walk({"players": value["players"]} if has(value, "players", "parties") else value))
    names = [str(row["name"]) for row, _ in rows]
    numbers: dict[str, int] = {}
    for row, is_listed in rows:
        name = str(row["name"])
        is_hero = (
            is_listed or _says(row, _HEROES) or is_true(row.get("is pc")) or is_true(row.get("is player"))
        )
        in_fight = "current" in row or any(isinstance(row.get(key), list) for key in _CONDITIONS)
        numbers[name] = numbers.get(name, 0) + 1
        if is_hero and numbers[name] > 1:
            continue
        values = {k: [_write_attack(x) for x in v] if isinstance(v, list) else v for k, v in row.items()}
        if in_fight and "rolled" not in row:
            values.pop("initiative", None)
        if whole(values.get("hp")) == 0:
            values.pop("hp")
        if name in parties:
            values["source"] = parties[name]
        if in_fight and not is_hero and names.count(name) > 1:
            values["name"] = f"{name} {numbers[name]}"
        hidden = is_true(row.get("hidden")) or row.get("visible") is False
        many = whole(next((row[k] for k in ("count", "quantity", "qty", "amount") if k in row), None)) or 1
        taken = take_row(
            {k: v for k, v in values.items() if k not in _NOISE},
            is_party=is_hero,
            hidden=hidden,
            ally=not is_hero and _says(row, _ALLIES),
            conditions=_list_conditions(row),
        )
        if taken:
            amount = str(many) if 1 < many <= 200 else ""
            state = taken.fight_state or (FightState({}) if in_fight and not is_hero else None)
            yield replace(taken, fight_state=state, amount=amount, is_row=bool(amount))


def _explain(value: Any) -> str:
    """Return what data without creatures has and lacks; `{kind}` stands for JSON, YAML or TOML."""
    tables = list(itertools.islice(walk_tables(value), 2_000))
    if not tables:
        has_names = isinstance(value, list) and any(isinstance(x, str) for x in value)
        what = "names alone" if has_names else "nothing in it"
        return f"this is {{kind}} with {what}, and no hit points; {_NEEDS}"
    rows = list(map(_read_labels, tables))
    named, counted = (any(key in row for row in rows) for key in ("name", "hp"))
    what = (
        "names"
        if named
        else "hit points"
        if counted
        else ", ".join(map(str, tables[0]))[:80] or "empty tables"
    )
    missing = "hit points beside a name" if named and counted else "names" if counted else "hit points"
    return f"this is {{kind}} with {what}, and without {missing}; {_NEEDS}"


_NEEDS = 'a creature needs a name and hit points, such as `{"name": "Orc", "hp": 15, "ac": 13}`'
PLAIN = Format(
    "creatures by name",
    ("json", "yaml", "toml"),
    lambda value: next(_walk(value), None) is not None,
    _take,
    rank=11,
    refuses=_explain,
)

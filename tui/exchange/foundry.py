"""Foundry's documents: the card of an actor, and reasons for documents that are not creatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tui.exchange.foreign_values import list_tables, strip_markup, whole
from tui.exchange.limits import append_limit
from tui.exchange.mapping import Unread, at, write_card_lines, write_feature

Table = Mapping[str, Any]

_GEAR = ("armor", "shield", "equipment", "consumable", "backpack", "treasure", "kit", "ammo", "loot", "tool",
         "container")  # fmt: skip
_QUIET_KINDS = ("lore", "condition", "effect", "spellcastingEntry")
_PROGRAM = (
    "slug", "custom", "bypasses", "units", "ignoredDifficultTerrain", "dimensions", "proficient", "dc",
    "roll", "rollable", "bonuses", "breakdown", "attribute", "totalModifier", "_modifiers",
)  # fmt: skip
"""Keys that only Foundry itself needs, which the card leaves out."""


def write_actor_card(
    actor: Table, shown: Mapping[str, str], item_numbers: Callable[[Table], tuple[str, str]]
) -> str:
    """Return the card of an actor: values by title, its items with their texts, spells and gear.

    `shown` maps titles to paths in the actor. `item_numbers` returns (limit, roll) of an item, such as
    `3/Day` and `+5 to hit`.
    """
    values = {title: value for title, path in shown.items() if (value := at(actor, path)) not in (None, 0)}
    features, spells, gear = list[str](), list[str](), list[str]()
    for item in list_tables(actor.get("items")):
        kind, name = item.get("type"), strip_markup(str(item.get("name") or "")).strip()
        if kind == "spell":
            spells.append(name)
        elif kind in _GEAR:
            gear.append(name)
        elif kind not in _QUIET_KINDS:
            words = strip_markup(str(at(item, "system.description.value") or ""))
            limit, numbers = item_numbers(item)
            features.append(
                write_feature(append_limit(name, limit), " ".join(filter(None, (numbers, words))))
            )
    last = {"Spells": ", ".join(spells), "Carries": ", ".join(gear)}
    lines = [f"{title}: {names}" for title, names in last.items() if names]
    return "\n".join([write_card_lines(values, noise=_PROGRAM), "", *dict.fromkeys(features), *lines])


def read_actor_kind(value: object) -> str | None:
    """Return `pc` for a player's actor, None for others."""
    return "pc" if value == "character" else None


# --- documents that are not creatures: each kind has its refusal, with what would work instead

_MEMBERS = "names its members without their values: export each of them"
_CAUSES = {
    "familiar": "a familiar of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "eidolon": "an eidolon of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "party": f"a party of Foundry {_MEMBERS}",
    "group": f"a group of Foundry {_MEMBERS}",
    "encounter": f"an encounter of Foundry {_MEMBERS}",
    "loot": "loot of Foundry is not a creature: export the creature that carries it",
    "character": "Foundry works out the numbers of a Pathfinder character, its file has none: "
    "`add NAME kind=pc hp=40 ac=18`",
}
_ACTORS = ("prototypeToken", "token")
_PROGRAM_MARKS = ("_stats", "effects", "items", "flags", "ownership", "permission", "img", *_ACTORS)


def _list_documents(value: Any) -> list[dict[str, Any]]:
    """Return the tables that look like Foundry's documents: a type, a system's data, Foundry's own keys."""
    return [
        row
        for row in list_tables(value)
        if isinstance(row.get("type"), str)
        and (isinstance(row.get("system"), dict) or isinstance(row.get("data"), dict))
        and any(mark in row for mark in _PROGRAM_MARKS)
    ]


def _explain_document(row: dict[str, Any]) -> str:
    kind = row["type"][:40]
    if cause := _CAUSES.get(kind):
        return cause
    system = row.get("system") or row.get("data")
    if any(mark in row for mark in _ACTORS) or whole(at(system, "attributes.hp.max")) is not None:
        return f"a Foundry actor of kind {kind}: export a creature, a vehicle or a hazard"
    return f"a Foundry item ({kind}) is not a creature: export the actor that has it"


def explain_refusal(value: Any) -> str:
    """Return why a Foundry file holds no creature, and what would work; "" for other files."""
    return next(map(_explain_document, _list_documents(value)), "")


def count_left_out(value: Any, actors: Sequence[Table]) -> Iterator[Unread]:
    """Yield how many documents of each kind are left out because they are no creatures."""
    creatures = {str(row.get("type")) for row in actors}
    causes = Counter(_explain_document(row) for row in _list_documents(value) if row["type"] not in creatures)
    for cause, count in causes.items():
        yield Unread(f"{count} left out: {cause}")

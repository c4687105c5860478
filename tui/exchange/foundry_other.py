"""Foundry's documents that are no creatures: each is refused by its kind, with what would work instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tui.exchange.mapping import Unread, at
from tui.exchange.values import has, tables, whole

_MEMBERS = "names its members and does not hold them: export each of them"
_CAUSES = {
    "familiar": "a familiar of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "eidolon": "an eidolon of Foundry has its master's numbers and none of its own: `add NAME hp=15 ac=18`",
    "party": f"a party of Foundry {_MEMBERS}",
    "group": f"a group of Foundry {_MEMBERS}",
    "encounter": f"an encounter of Foundry {_MEMBERS}",
    "loot": "loot of Foundry is no creature: export who carries it",
}
_ACTORS = ("prototypeToken", "token")
_MARKS = ("_stats", "effects", "items", "flags", "ownership", "permission", "img", *_ACTORS)


def _documents(value: Any) -> list[dict[str, Any]]:
    """Return Foundry's documents: a kind, the numbers of a game, and marks of the program itself."""
    return [
        row
        for row in tables(value)
        if isinstance(row.get("type"), str)
        and (isinstance(row.get("system"), dict) or isinstance(row.get("data"), dict))
        and any(mark in row for mark in _MARKS)
    ]


def _cause(row: dict[str, Any]) -> str:
    kind = row["type"][:40]
    system = row.get("system") or row.get("data")
    if cause := _CAUSES.get(kind):
        return cause
    if kind == "character" and has(system, "details") and "items" in row:
        return "a character of Foundry without ancestry or class has no numbers yet: export it from its sheet"
    actor = any(mark in row for mark in _ACTORS) or whole(at(system, "attributes.hp.max")) is not None
    if actor:
        return (
            f"a Foundry actor of kind {kind}: read are creatures, characters and vehicles of dnd5e and pf2e"
        )
    return f"a Foundry item ({kind}) is no creature: export the actor that has it"


def refusal(value: Any) -> str:
    """Return why a file of Foundry holds no creature, and what would work; "" for other files."""
    return next(map(_cause, _documents(value)), "")


def left_out(value: Any, taken: Sequence[Mapping[str, Any]]) -> Iterator[Unread]:
    """Yield the kinds of documents that are no creatures beside those that are, each with its number."""
    creatures = {str(row.get("type")) for row in taken}
    causes = Counter(_cause(row) for row in _documents(value) if row["type"] not in creatures)
    for cause, count in causes.items():
        yield Unread(f"{count} left out: {cause}")

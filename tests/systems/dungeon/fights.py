"""Dungeons for tests: dice from the table, turns played through, what was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.kit.table import Table, acting
from tui.core.fight import events as ev
from tui.core.fight.encounter import label
from tui.core.language.tokens import quote
from tui.systems.dungeon.by_track import is_by_track


def rolls(table: Table, faces: Mapping[str, tuple[int, int]], other: tuple[int, int] = (3, 4)) -> None:
    """Everybody who owes 2d6 rolls these faces; who is not in `faces` rolls `other`."""
    for _ in range(50):
        owing = [d["who"] for d in table.state()["due"] if d["kind"] == "roll" and d["who"] != "GM"]
        if not owing:
            return
        first, second = faces.get(owing[0], other)
        table.do(f"roll {quote(owing[0])} {first} {second}")
    raise AssertionError("the dice never settle")


def acts(table: Table, kind: str) -> list[str]:
    """Who may do such a thing now."""
    return [x.get("who", "") for x in table.state()["offer"].get("acts", []) if x["kind"] == kind]


def played(table: Table) -> list[str]:
    """Everybody who has a turn from here on, until a side or a round must be opened; the first choice
    goes."""
    found = []
    for _ in range(100):
        if who := acting(table):
            found.append(who)
            table.do("end")
        elif may := table.may():
            table.do(f"turn {quote(may[0])}")
        else:
            return found
    raise AssertionError(f"no end: {found}")


def side(table: Table, name: str) -> dict[str, Any]:
    """A side's line of the state."""
    return next(s for s in table.state()["sides"] if s["name"] == name)


def values(table: Table) -> dict[str, int]:
    """The numbers on the track."""
    return {r["entry"]: r["value"] for r in table.state()["track"]}


def caught(table: Table) -> list[str]:
    """Whom the latest contest caught."""
    return list(table.state()["outcome"].get("caught", []))


def events(table: Table) -> list[ev.Event]:
    """Everything that happened."""
    return [event for step in table.ledger.steps for event in step.events]


def rules(table: Table) -> list[str]:
    """The clauses that were announced, in order."""
    return [event.rule for event in events(table) if isinstance(event, ev.Announced)]


def dice(table: Table, purpose: str) -> list[list[Any]]:
    """The dice of rolls whose purpose begins so, as [who, sides, face]."""
    return [
        [label(table.encounter, event.who), sides, face]
        for event in events(table)
        if isinstance(event, ev.Rolled) and event.ask.startswith(purpose)
        for sides, face in zip(event.dice, event.faces, strict=True)
    ]


def mode(table: Table) -> str:
    """Whether sides or numbers order the turns."""
    return "track" if is_by_track(table.encounter) else "sides"

"""What a round of Chaos remembers, the house rules that are set, and who still has a slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry
from tui.core.rules.system import notes
from tui.systems.chaos.words import OPTIONS
from tui.systems.shared.numbering import track_notes

WRITING = "orders"
"""The phase in which orders are open."""

LOCKED = "locked"
"""The mark of those who were here when the orders were locked: only they act in this round (CHA-A13)."""

READY = "ready"
"""The mark of those who hold an action that they readied in their own slot (CHA-9)."""

HOLDING = "holding"
"""The mark of those who gave up this round's reaction to keep the action of the last (CHA-10)."""

ROUND_NOTES = ("warn", "used", "missing", "let_go", "fell", "own", "taken")
"""The notes that are gone when a round ends; `held` stays for those who are still ready."""

_DEFAULTS = {option.key: option.default for option in OPTIONS}


class ChaosNotes(Struct, frozen=True):
    """What a round remembers beside the numbers of its track; tables are by entry, if nothing else is said.

    `begun`: the round whose first slot has opened; `warn`: what the GM should look at in an order; `used`:
    components whose alternative was used; `held`: readied actions in words; `missing`: entries without an order at
    the lock; `let_go`: ids of those who did not keep last round's readied action; `fell`: ids of those who went
    out in the moment of their own slot (ties that act together); `own`: by id, the orders of creatures from before
    they were grouped; `taken`: entries that have had their slot; `joins`: by id, the group that a creature who came after the lock joins next round.
    """

    begun: int = 0
    warn: dict[str, list[str]] = field(default_factory=dict)
    used: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    let_go: list[str] = field(default_factory=list)
    fell: list[str] = field(default_factory=list)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    taken: dict[str, bool] = field(default_factory=dict)
    joins: dict[str, str] = field(default_factory=dict)


def notes_of(e: Encounter) -> ChaosNotes:
    """The notes of the round."""
    return notes(e, ChaosNotes)


def house_rule(e: Encounter, key: str) -> Any:
    """A house rule of Chaos: as set, else its default."""
    return e.options.get(key, _DEFAULTS[key])


def head_to_head(e: Encounter) -> bool:
    """Whether the players play without a GM (CHA-24)."""
    return bool(house_rule(e, "cha.mode") == "head-to-head")


def together(e: Encounter) -> bool:
    """Whether equals act in the same moment (CHA-A1)."""
    return bool(house_rule(e, "cha.tie") == "simultaneous")


def before_dice(e: Encounter) -> bool:
    """Whether the orders are locked, and no die has fallen yet."""
    return e.phase == "rolls" and not track_notes(e).values


def order_of(e: Encounter, key: str) -> Mapping[str, str]:
    """An entry's order of this round; empty without one."""
    return e.orders.get(key, {})


def pending(e: Encounter, entry: Entry) -> list[str]:
    """The ids in an entry whose slot is still to come: here at the lock, unacted, and not back after the row's slot."""
    people = e.combatants
    return [k for k in entry.members if waits(people[k])]


def waits(c: Combatant) -> bool:
    """Whether a creature's slot is still to come."""
    return LOCKED in c.marks and "acted" not in c.marks and "barred" not in c.marks

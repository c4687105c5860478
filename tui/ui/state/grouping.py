"""One row for creatures of one kind that were added singly: the lines that would make it, until they are answered."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Added, RoundBegan
from tui.core.rules.newcomers import group_line, kinds
from tui.core.rules.system import InitiativeSystem
from tui.store.history import Step
from tui.store.store import Store

LOOKED_BACK = 60
"""How many steps back newcomers are looked for."""


def newcomers(store: Store) -> frozenset[str]:
    """The ids of whoever was added since the fight began, or ever where none runs; of the last steps."""
    found: set[str] = set()
    for step in range(store.step, max(0, store.step - LOOKED_BACK), -1):
        done = store.done(step)
        found |= added(done)
        if store.encounter.running and begins(done):
            break
    return frozenset(found)


def renewed(store: Store, before: frozenset[str], step: int) -> frozenset[str]:
    """The newcomers after a record, where `before` were those at `step`: one line more adds to them."""
    if not store.system.grouped or not store.step:
        return frozenset()
    last = store.done(store.step)
    # A walk back through the fight only after undo and redo: every key asks this.
    return before | added(last) if store.step == step + 1 and not begins(last) else newcomers(store)


def added(step: Step) -> set[str]:
    """The ids of whoever was added in a step."""
    return {x.c.id for x in step.events if isinstance(x, Added)}


def begins(step: Step) -> bool:
    """Whether the fight began in a step."""
    return any(isinstance(x, RoundBegan) and x.round == 1 for x in step.events)


def grouping(
    e: Encounter, system: InitiativeSystem, new: frozenset[str], last: Iterable[str], declined: Iterable[str]
) -> str:
    """`group "Orc 1,Orc 2" Orcs` while a kind stands singly where the system rolls by group; else "".

    Before the fight begins every kind that stands is offered, in a fight those of the newcomers `new` and what the system itself
    says could be grouped; the kind of those added `last` first. A line that was `declined` is not offered again.
    """
    phase = system.all_phases.get(e.phase)
    if not system.grouped or (phase and phase.closed):
        return ""
    latest = set(last)
    # Hardly ever is anybody new, and every picture asks.
    people = e.combatants.values() if new or not e.running else ()
    found = kinds(c for c in people if not c.out and (not e.running or c.id in new))
    # False sorts first: the kind just added is the one that the GM thinks of.
    found.sort(key=lambda kind: latest.isdisjoint(kind.members))
    lines = [group_line(e, kind) for kind in found]
    lines += [x.line for x in system.choices(e, "group")] if e.running else []
    return next((line for line in lines if line not in declined), "")

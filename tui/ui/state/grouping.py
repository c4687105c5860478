"""One row for creatures of one kind that were added singly: the line that would make it."""

from __future__ import annotations

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Added
from tui.core.rules.kinds import group_line, kinds
from tui.core.rules.system import InitiativeSystem
from tui.store.history import Step


def grouping(e: Encounter, system: InitiativeSystem, last: Step | None) -> str:
    """`group "Orc 1,Orc 2" Orcs` while a kind still stands singly where the system rolls by group; else "".

    Before the fight begins every kind is offered, the one that was added last first; then who was just added, and
    what the system itself says could be grouped.
    """
    phase = system.all_phases.get(e.phase)
    if not system.grouped or (phase and phase.closed):
        return ""
    added = {x.c.id for x in last.events if isinstance(x, Added)} if last else set()
    found = [k for k in kinds(e.combatants.values()) if not e.running or added.issuperset(k.members)]
    # False sorts first: the kind just added is the one that the GM thinks of.
    found.sort(key=lambda kind: added.isdisjoint(kind.members))
    if found:
        return group_line(e, found[0])
    return next((x.line for x in system.choices(e, "group")), "") if e.running else ""

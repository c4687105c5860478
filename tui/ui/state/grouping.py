"""One row for those who were just added together: the line that would make it."""

from __future__ import annotations

import re

from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Added
from tui.core.language.select import groups
from tui.core.language.tokens import quote
from tui.core.rules.system import InitiativeSystem
from tui.store.history import Step

_NUMBERED = re.compile(r"(.+) \d{1,6}")


def grouping(e: Encounter, system: InitiativeSystem, last: Step | None) -> str:
    """`group "Orc 1,Orc 2" Orcs` after `add 2 Orc`, where the system rolls by group; else ""."""
    if last is None or not system.grouped:
        return ""
    added = [e.combatants[x.c.id] for x in last.events if isinstance(x, Added) and x.c.id in e.combatants]
    stems = {m[1] for c in added if (m := _NUMBERED.fullmatch(c.name))}
    if len(added) < 2 or len(stems) != 1 or any(c.group for c in added):
        return ""
    names = quote(",".join(c.name for c in added))
    return f"group {names} {quote(_name(e, stems.pop(), added[0].side))}"


def _name(e: Encounter, stem: str, side: str) -> str:
    """The plural; a group of that name on the same side is joined, any other name is avoided."""
    plural = stem + "s"
    taken = {c.name.lower() for c in e.combatants.values()} | {c.side.lower() for c in e.combatants.values()}
    taken |= {
        g.lower() for g in groups(e) if any(c.group == g and c.side != side for c in e.combatants.values())
    }
    return next(n for n in [plural, *(f"{plural} {i}" for i in range(2, 2100))] if n.lower() not in taken)

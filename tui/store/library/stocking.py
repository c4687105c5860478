"""A line with what the library knows of its creatures and conditions, before the rules decide it.

The journal then holds the values, so that no save ever needs the library.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.fight.text import quote
from tui.core.language.actions import Action, Add
from tui.core.language.actions.health import Afflict
from tui.core.rules.keeping.stock import already, brought, later
from tui.core.rules.system import InitiativeSystem
from tui.store.outlet import Roster, Stocked


def stocked(action: Action, library: Stocked, e: Encounter, system: InitiativeSystem) -> Action:
    """The action with the values of the library where it names something that it knows. Raises RuleError."""
    if isinstance(action, Add):
        return _stocked(action, library, e, system)
    if isinstance(action, Afflict) and not (action.rounds or action.until or action.of):
        known = library.condition(action.name)
        return replace(action, rounds=known.rounds, until=known.until) if known else action
    return action


def _stocked(add: Add, library: Stocked, e: Encounter, system: InitiativeSystem) -> Add:
    block = library.creature(add.name)
    return brought(add, block, e, system) if block else add


def reading(library: Stocked, e: Encounter, system: InitiativeSystem) -> Callable[[str, Roster], list[Add]]:
    """Reads a party or an encounter for this fight.

    Who has no hit points in the file and is known by name is taken from the library; arrivals count from now on.
    """

    def read(file: str, kind: Roster) -> list[Add]:
        adds = library.adds(file, kind, system)
        if twice := already(adds, e):
            names = ", ".join(twice[:6]) + (" …" if len(twice) > 6 else "")
            line = f"`remove {quote(','.join(twice))}` makes room"
            raise RuleError(f"{names} {'are' if len(twice) > 1 else 'is'} here already", line)
        told = (a if {"hp", "max_hp"} & set(a.keys) else _stocked(a, library, e, system) for a in adds)
        return [later(a, e) for a in told]

    return read

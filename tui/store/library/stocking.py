"""A line with what the library knows of its creatures and conditions, before the rules decide it.

The journal then holds the values, so that no save ever needs the library.
"""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.encounter import Encounter
from tui.core.language.actions import Action
from tui.core.language.creature_actions import Afflict
from tui.core.rules.fields import Kept, Newcomer
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.transfer import already, brought, later
from tui.store.outlet import Roster, Stocked


def stocked(action: Action, library: Stocked) -> Action:
    """The action with what the library knows of the condition that it names. Raises RuleError."""
    if isinstance(action, Afflict) and not (action.rounds or action.until or action.of):
        known = library.condition(action.name)
        return replace(action, rounds=known.rounds, until=known.until) if known else action
    return action


def kept(library: Stocked, e: Encounter, system: InitiativeSystem) -> Kept:
    """The library for this fight.

    Who has no hit points in a file and is known by name is taken from the library; arrivals count from now on.
    """

    def known(coming: Newcomer) -> Newcomer:
        block = library.creature(coming.add.name)
        return brought(coming, block, e, system) if block else coming

    def read(file: str, kind: Roster) -> list[Newcomer]:
        found = library.newcomers(file, kind, system)
        if twice := already(found, e):
            names = ", ".join(twice[:6]) + (" …" if len(twice) > 6 else "")
            line = f"`remove {quote(','.join(twice))}` makes room"
            raise RuleError(f"{names} {'are' if len(twice) > 1 else 'is'} here already", line)
        told = (x if {"hp", "max_hp"} & set(x.add.keys) else known(x) for x in found)
        return [later(x, e) for x in told]

    return Kept(read, lambda add: known(Newcomer(add)))

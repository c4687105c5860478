"""Let a kept party rest outside of any fight."""

from __future__ import annotations

from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.creature_actions import Party, Rest
from tui.core.rules import transfer
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import Systems
from tui.core.views.log import story
from tui.store.disk import Disk, read_regular
from tui.store.library import rosters
from tui.store.library.actions import kept
from tui.store.library.service import Library
from tui.store.library.shelves import place, refused, write
from tui.store.problems import BadFile
from tui.store.safetoml import CAP

BEFORE = ".before"
"""What the file of a party is called, behind its name, as it was before it rested."""


def rest_party(library: Library, systems: Systems, dice: Dice, name: str, length: str) -> tuple[str, ...]:
    """Let a kept party rest outside of any fight, and return what that gave back, in words.

    Its file is written again in the system that it was saved with; as it was, it stays beside it. Raises
    RuleError, NotSaved.
    """
    path = place(library.folder, "party", name)
    try:
        system = systems.get(rosters.system_of(path) or systems.ids()[0])
        before, _ = read_regular(Disk(), path, CAP)
    except BadFile as error:
        raise refused(error) from None
    empty = Encounter(system=system.id)
    rules = Rules(systems, dice, kept=kept(library, empty, system))
    there = draft(empty, Party(name), rules).encounter
    rested = draft(there, Rest(length), rules)
    people = list(rested.encounter.combatants.values())
    tables = transfer.entries(people, rested.encounter, system, systems)
    write(f"{path}{BEFORE}", before.decode(), over=True)
    library.keep("party", name, tables, system=system.id, over=True)
    return tuple(m.text for m in story(there, rested.events, GAME_MASTER, system))

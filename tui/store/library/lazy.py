"""The library behind a door: nothing of it is imported, let alone read, before a line asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tui.core.fight.combatant import ConditionText, Plain, StatBlock
from tui.core.rules.fields import Newcomer
from tui.core.rules.system import InitiativeSystem, Systems
from tui.store.effects import Roster, Stock
from tui.store.library.service import Library
from tui.store.library.shelves import RosterFile


class LibraryDoor:
    """A library that is made when it is first asked: most calls end without, and start without its modules."""

    def __init__(self, folder: str, systems: Systems) -> None:
        self._folder, self._systems = folder, systems

    @cached_property
    def _library(self) -> Library:
        return Library(self._folder, self._systems)

    def newcomers(self, file: str, kind: Roster, system: InitiativeSystem) -> list[Newcomer]:
        """The creatures of a party or an encounter."""
        return self._library.newcomers(file, kind, system)

    def creature(self, name: str) -> StatBlock | None:
        """The creature of that name; None for one that is not there."""
        return self._library.creature(name)

    def condition(self, name: str) -> ConditionText | None:
        """What is known of a condition; None for nothing."""
        return self._library.condition(name)

    def names(self, kind: Stock, begun: str = "") -> list[str]:
        """Names of one kind that begin so."""
        return self._library.names(kind, begun)

    def rosters(self, kind: Roster) -> list[RosterFile]:
        """The files of one kind, each with who is in it or what is wrong."""
        return self._library.rosters(kind)

    def keep(self, kind: Roster, name: str, tables: Sequence[dict[str, Plain]], *, over: bool) -> str:
        """Writes a party or an encounter; its path."""
        return self._library.keep(kind, name, tables, over=over)

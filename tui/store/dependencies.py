"""Define what a store gets from outside, as arguments, and the results of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Event
from tui.core.language.actions import Action
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.views.log import Message
from tui.store.history import Step
from tui.store.journal.format import Record

if TYPE_CHECKING:  # a program that only reads a save loads no library
    from tui.store.library.service import Library

Roster = Literal["party", "fight"]
Stock = Literal["party", "fight", "creature", "condition"]


class Ledger(Protocol):
    """The place where records are written: the journal, or nothing in a test."""

    def append(self, step: Record[Event]) -> None:
        """Write one record. Raises NotSaved, and then nothing is written."""


class Result(Struct, frozen=True):
    """The result of a line."""

    step: int
    """The number of lines in force after the line."""
    notices: tuple[Message, ...] = ()
    """Remarks on the line itself, such as lines that can no longer be redone."""
    tale: Callable[[], Iterable[Message]] = tuple
    """Returns the messages on what the line did."""

    @property
    def lines(self) -> tuple[Message, ...]:
        """The messages of the line, then its notices; computed at each call."""
        return (*self.tale(), *self.notices)


class Open(Protocol):
    """A save that this process writes."""

    effects: StoreEffects
    systems: Systems

    @property
    def encounter(self) -> Encounter:
        """The current encounter."""

    @property
    def system(self) -> InitiativeSystem:
        """The system that runs the encounter."""

    @property
    def step(self) -> int:
        """How many lines are in force."""

    def done(self, step: int) -> Step:
        """Return the line of a step; the first step is 1."""

    def parse(self, line: str) -> Action:
        """Return the action of a line, with the verbs of the running system. Raises RuleError."""

    def accept(self, line: str, d: Draft) -> Result:
        """Accept a step that has been decided. Raises NotSaved."""


class StoreEffects(Struct, frozen=True):
    """The effects of a store, as arguments: journal, dice, clock (RFC 3339, UTC), library."""

    ledger: Ledger
    dice: Dice
    clock: Callable[[], str]
    library: Library | None = None

    def stock(self, kind: Stock, begun: str) -> Sequence[str]:
        """Return the library's names of one kind that begin with `begun`; none without a library."""
        return self.library.names(kind, begun) if self.library else ()

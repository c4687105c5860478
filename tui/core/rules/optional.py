"""Define the rules that only some systems have: written orders, corrected rolls, own saves, hits, cards.

A system that has one is a subclass of `InitiativeSystem` and of it; elsewhere the lines for it are refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FaceNames, OrderRow, RollAsk
from tui.core.fight.combatant import OwedSave
from tui.core.fight.encounter import DiceRoll, Encounter
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem


class Orders(ABC):
    """Entries write down what they will do (`order`, `lock`, `unlock`)."""

    title: ClassVar[str] = ""

    @abstractmethod
    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Return the orders of this round."""

    @abstractmethod
    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """Write an entry's order."""

    def lock(self, d: Draft, *, missing: bool) -> None:  # noqa: ARG002
        """Close the writing of orders; `missing`: entries without one do nothing."""
        raise RuleError(f"{self.title} has no orders to lock")

    def unlock(self, d: Draft) -> None:  # noqa: ARG002
        """Open the writing of orders again."""
        raise RuleError(f"{self.title} has no orders to unlock")


class Corrections(ABC):
    """Rolls for the order can be put right (`total`, `roll WHO FACES`)."""

    @abstractmethod
    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the order that can still be put right, as they were asked for."""

    def settled(self, e: Encounter, who: str) -> str:  # noqa: ARG002
        """Return why the roll of a creature, group or side cannot be put right any more; "" for no reason."""
        return ""

    @abstractmethod
    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Sort an entry in again by what it really rolled: `new` are faces and their number, `old` the dice.

        Turns that were taken stay taken. Raises RuleError for the number that it has already.
        """


class OwnSaves:
    """The system has saving throws of its own causes, or rolls that are made or failed."""

    def saved(self, d: Draft, who: str, save: OwedSave, *, made: bool) -> None:
        """React to a saving throw of this system's own cause that was made or failed."""

    def owes(self, e: Encounter, who: str, save: OwedSave) -> bool:  # noqa: ARG002
        """Return whether a saving throw of this system's own cause is still owed."""
        return True

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """Answer a roll that `ticks` without a number."""


class Hits(ABC):
    """A hit changes more than hit points (`hit=yes` of `area`, attacks)."""

    @abstractmethod
    def counts_hits(self, e: Encounter) -> bool:
        """Return whether a hit changes anything but hit points now, so that an area may be one."""

    @abstractmethod
    def count_hit(self, d: Draft, who: str) -> None:
        """Count the hit of an area on a creature, before its damage."""


class Deck(ABC):
    """A die shows no numbers: its faces have names, and one that has fallen may be gone, as cards are."""

    @abstractmethod
    def names(self, dice: tuple[int, ...]) -> FaceNames | None:
        """Return what the faces of these dice are called, as in the ask for them; None for numbers."""

    def gone(self, e: Encounter, ask: RollAsk) -> Collection[int]:  # noqa: ARG002
        """Return the faces that cannot fall for an ask now; some must be left for all that is due.

        The app rolls again for one that is gone, and one that is typed is refused. What the roller has is
        not gone: to say it again is no correction.
        """
        return ()


_NO_SAVES = OwnSaves()


def own_saves(system: InitiativeSystem) -> OwnSaves:
    """Return the part of a system about its own saves; the defaults for one without any."""
    return system if isinstance(system, OwnSaves) else _NO_SAVES


def writing(system: InitiativeSystem) -> Orders:
    """Return the system as one with orders. Raises RuleError for one without."""
    if isinstance(system, Orders):
        return system
    raise RuleError(f"{system.title} has no orders")


def names_of(system: InitiativeSystem, dice: tuple[int, ...]) -> FaceNames | None:
    """Return what the faces of dice are called; None for dice that show numbers."""
    return system.names(dice) if isinstance(system, Deck) else None


def gone(system: InitiativeSystem, e: Encounter, ask: RollAsk) -> Collection[int]:
    """Return the faces that cannot fall for an ask now."""
    return system.gone(e, ask) if isinstance(system, Deck) else ()


def orders_of(system: InitiativeSystem, e: Encounter) -> tuple[OrderRow, ...]:
    """Return the orders of this round; none in a system without orders."""
    return system.orders(e) if isinstance(system, Orders) else ()


def correctable(system: InitiativeSystem, e: Encounter) -> tuple[RollAsk, ...]:
    """Return the rolls for the order that can still be put right, as they were asked for."""
    return system.correctable(e) if isinstance(system, Corrections) else ()


def settled(system: InitiativeSystem, e: Encounter, who: str) -> str:
    """Return why the roll of a creature, group or side cannot be put right any more; "" for no reason."""
    return system.settled(e, who) if isinstance(system, Corrections) else ""


def counts_hits(system: InitiativeSystem, e: Encounter) -> bool:
    """Return whether a hit changes anything but hit points now."""
    return isinstance(system, Hits) and system.counts_hits(e)


def count_hit(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Count a hit on a creature, where hits count."""
    if isinstance(system, Hits) and system.counts_hits(d.encounter):
        system.count_hit(d, who)

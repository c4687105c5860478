"""Define what only some systems have: orders, corrections, own saves, hits, cards, fields of d20 games.

A system with such rules is a subclass of `InitiativeSystem` and of their class; in other systems the lines
for them are refused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import FaceNames, Field, OrderRow, RollAsk
from tui.core.fight.combatant import OwedSave
from tui.core.fight.encounter import DiceRoll, Encounter, label
from tui.core.fight.viewer import fill_names
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem

D20_FIELDS = (
    Field("level", "level", help="a hero's, for the difficulty of a fight", least=1, most=20),
    Field("cr", "challenge rating", "rating", help="a foe's, for the difficulty: 1/4, 2, 17"),
    Field("passive", "passive Perception", default=10, help="Perception: what it notices without a roll"),
)
"""The fields of the creatures of a system that `is_d20`, besides its own."""


class Orders(ABC):
    """Entries write down what they will do (`order`, `lock`, `unlock`)."""

    title: ClassVar[str] = ""

    @abstractmethod
    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Return the orders of this round."""

    @abstractmethod
    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """Write an entry's order. Raises RuleError."""

    def order_left(self, e: Encounter, who: str, text: Mapping[str, str]) -> Mapping[str, str]:  # noqa: ARG002
        """Return the parts of an entry's order that it can still carry out."""
        return text

    def lock(self, d: Draft, *, missing: bool) -> None:  # noqa: ARG002
        """Close the writing of orders; with `missing` entries without an order do nothing.

        Raises RuleError.
        """
        raise RuleError(f"{self.title} has no orders to lock")

    def unlock(self, d: Draft) -> None:  # noqa: ARG002
        """Open the writing of orders again. Raises RuleError."""
        raise RuleError(f"{self.title} has no orders to unlock")


class Corrections(ABC):
    """Rolls for the order can be corrected (`total`, `roll WHO FACES`)."""

    @abstractmethod
    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the rolls for the order that can still be corrected, as they were asked for."""

    def settled(self, e: Encounter, who: str) -> str:  # noqa: ARG002
        """Return the reason why a creature's, group's or side's roll is final; "" if it can be corrected."""
        return ""

    @abstractmethod
    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Sort an entry in again with a corrected roll; turns that were taken stay taken.

        `new` is the right faces and their number, `old` the dice before. Raises RuleError if the number is
        the same.
        """

    def takes_any_total(self, e: Encounter, ask: RollAsk) -> bool:  # noqa: ARG002
        """Return whether a roll takes totals that its dice cannot give."""
        return ask.purpose == "init" and bool(ask.subject)

    def overrule(self, d: Draft, ask: RollAsk, number: int) -> None:
        """Give the roller of a roll for the order this number, which its dice cannot give.

        Raises RuleError if faces decide.
        """
        line = f"`roll {quote(label(d.encounter, ask.who))}` takes faces"
        raise RuleError(f"{number} is more or less than the dice can give", line)


class OwnSaves:
    """Saving throws with a cause of the system, or rolls that are made or failed."""

    def saved(self, d: Draft, who: str, save: OwedSave, *, made: bool) -> None:
        """React to a saving throw of the system's own cause."""

    def owes(self, e: Encounter, who: str, save: OwedSave) -> bool:  # noqa: ARG002
        """Return whether a saving throw of the system's own cause is still owed."""
        return True

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """Answer a roll with `ticks` that was made or failed, without a number."""


class Hits(ABC):
    """A hit changes more than hit points (`hit=yes` of `area`, attacks)."""

    @abstractmethod
    def counts_hits(self, e: Encounter) -> bool:
        """Return whether a hit changes anything besides hit points now."""

    @abstractmethod
    def count_hit(self, d: Draft, who: str) -> None:
        """Count a hit on a creature, before its damage."""


class Deck(ABC):
    """A die whose faces have names and may be gone, as cards are."""

    @abstractmethod
    def names(self, dice: tuple[int, ...]) -> FaceNames | None:
        """Return the names of the faces of these dice; None for dice with numbers."""

    def gone(self, e: Encounter, ask: RollAsk) -> Collection[int]:  # noqa: ARG002
        """Return the faces that cannot be rolled for an ask now; enough must be left for all that is due.

        The app rolls again for such a face, and a typed one is refused. The roller's own face is not gone.
        """
        return ()


_NO_SAVES = OwnSaves()


def own_saves(system: InitiativeSystem) -> OwnSaves:
    """Return the system as `OwnSaves`; the defaults if it is not one."""
    return system if isinstance(system, OwnSaves) else _NO_SAVES


def require_orders(system: InitiativeSystem) -> Orders:
    """Return the system as `Orders`. Raises RuleError if it is not one."""
    if isinstance(system, Orders):
        return system
    raise RuleError(f"{system.title} has no orders")


def face_names(system: InitiativeSystem, dice: tuple[int, ...]) -> FaceNames | None:
    """Return the names of the faces of dice; None for dice with numbers."""
    return system.names(dice) if isinstance(system, Deck) else None


def faces_gone(system: InitiativeSystem, e: Encounter, ask: RollAsk) -> Collection[int]:
    """Return the faces that cannot be rolled for an ask now."""
    return system.gone(e, ask) if isinstance(system, Deck) else ()


def orders_of(system: InitiativeSystem, e: Encounter) -> tuple[OrderRow, ...]:
    """Return the orders of this round; none in a system without orders, and outside a fight."""
    return system.orders(e) if isinstance(system, Orders) and e.running else ()


def correctable_rolls(system: InitiativeSystem, e: Encounter) -> tuple[RollAsk, ...]:
    """Return the rolls for the order that can still be corrected, as they were asked for."""
    return system.correctable(e) if isinstance(system, Corrections) else ()


def order_left(
    system: InitiativeSystem, e: Encounter, who: str, text: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the parts of an entry's order that it can still carry out."""
    return system.order_left(e, who, text) if isinstance(system, Orders) else text


def why_settled(system: InitiativeSystem, e: Encounter, who: str) -> str:
    """Return the reason why a creature's, group's or side's roll is final; "" if it can be corrected."""
    return system.settled(e, who) if isinstance(system, Corrections) else ""


def has_hit_count(system: InitiativeSystem, e: Encounter) -> bool:
    """Return whether a hit changes anything besides hit points now."""
    return isinstance(system, Hits) and system.counts_hits(e)


def count_area_hit(d: Draft, system: InitiativeSystem, who: str) -> None:
    """Count a hit on a creature, if hits count."""
    if isinstance(system, Hits) and system.counts_hits(d.encounter):
        system.count_hit(d, who)


def correct_roll(
    d: Draft,
    system: InitiativeSystem,
    ask: RollAsk,
    faces: tuple[int, ...],
    by: str,
    total: int | None = None,
    *,
    beyond: bool = False,
) -> None:
    """Correct a roll by its faces, or by a total that they add up to; `by` is the creature that rolled.

    `beyond`: whether the total is one that the dice cannot give.
    """
    number = system.number_of(d.encounter, ask, faces) if total is None else total
    rolled = ev.Rolled(ask.key, ask.who, ask.dice, faces, "table", (), by)
    if total is not None and (beyond or len(ask.dice) > 1):
        rolled = ev.Rolled(ask.key, ask.who, (), (), "table", (), by, total)
    # The system reads the old dice, which the new ones replace.
    old = None if beyond else d.encounter.rolls.get(ask.key)
    d.emit(rolled)
    assert isinstance(system, Corrections)
    system.correct(d, ask, (faces, number), old)


def announce_correction(d: Draft, ask: RollAsk, before: int, after: int) -> None:
    """Announce that a number replaces another one. Raises RuleError if they are the same."""
    old, new = (ask.names.write_name(n) if ask.names else str(n) for n in (before, after))
    if old == new:
        raise RuleError(fill_names(d.encounter, f"{{0}} has {new} already", ask.who), kind="not_due")
    d.announce(f"{{0}}: {new} instead of {old}", ask.who, rule=ask.why.rule)


def refuse_dice(d: Draft, asks: Sequence[RollAsk]) -> RuleError:
    """Return the refusal of app dice for a number that has been rolled."""
    ask = asks[0]
    name = quote(label(d.encounter, ask.who))
    line = f"to correct what was rolled, type total {name} N or roll {name} FACES"
    if ask.names:
        line = f"to correct {ask.names.any}, say roll {name} and its name, such as {ask.names.such}"
    return RuleError(fill_names(d.encounter, "{0} owes no roll", ask.who), line, kind="not_due")

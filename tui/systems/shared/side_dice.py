"""Let the dice of the sides decide, as long as no turn has begun; a side chooses who of it acts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tui.core.fight.agenda import Act, Offer, RollAsk, Sentence, name_slots, say
from tui.core.fight.combatant import EntryKey
from tui.core.fight.encounter import SIDE, Encounter, Entry, is_awaited, side_of
from tui.core.rules.optional import Corrections
from tui.core.rules.system import InitiativeSystem


class SideDice(InitiativeSystem, Corrections, ABC):
    """A system in which sides roll for the order and choose who acts."""

    @abstractmethod
    def is_under_way(self, e: Encounter) -> bool:
        """Return whether a turn has begun since the sides rolled."""

    @abstractmethod
    def choosing_sides(self, e: Encounter) -> Sequence[str]:
        """Return the keys of the sides whose turn it is; none after the last."""

    @abstractmethod
    def side_rolls(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the first rolls of the sides that have rolled, as they were asked for."""

    def side_entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the sides in play with their creatures, in roster order."""
        grouped: dict[EntryKey, list[str]] = {}
        for c in self.in_play(e):
            grouped.setdefault(EntryKey(SIDE + c.side), []).append(c.id)
        return tuple(Entry(key, tuple(ids)) for key, ids in grouped.items())

    def sides_in_play(self, e: Encounter) -> list[str]:
        """Return the keys of the sides with creatures, in roster order."""
        return [x.key for x in self.side_entries(e)]

    def turn_side(self, e: Encounter) -> str:
        """Return the side that acts or chooses."""
        if e.turn:
            return side_of(e, e.acting)
        choosing = self.choosing_sides(e) if e.phase == "turns" and not self.due(e) else ()
        return choosing[0].removeprefix(SIDE) if choosing else ""

    def correctable(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the first dice of the sides, before a turn has begun."""
        return () if self.is_under_way(e) else self.side_rolls(e)

    def settled(self, e: Encounter, who: str) -> str:  # noqa: ARG002
        """Return the reason why the dice of the sides can no longer be corrected, or ""."""
        return "a turn has begun since that roll: `undo` takes it back" if self.is_under_way(e) else ""


def sides_from(line: Sequence[str], side: str, *, after: bool = False) -> list[str]:
    """Return all sides of a line from one of them on, or from the one after it."""
    at = line.index(side) + after if side in line else 0
    return [*line[at:], *line[:at]]


def side_key(e: Encounter, entry: Entry) -> str:
    """Return `@heroes` for an entry whose members are on the side `heroes`."""
    return SIDE + e.combatants[entry.members[0]].side


def offer_sides(
    e: Encounter, sides: Sequence[str], waiting: Sequence[Entry], rule: str, over: Sentence
) -> Offer:
    """Return the turns of the waiting entries of these sides; without a side the next round."""
    if not sides:
        return Offer((Act("round"),), over) if is_awaited(e) else Offer()
    # Side by side, as the rows stand: sides that share a turn may be mixed in the roster.
    acts = tuple(Act("turn", x.key) for side in sides for x in waiting if side_key(e, x) == side)
    verb = "chooses" if len(sides) == 1 else "choose"
    reason = say(f"{name_slots(len(sides), joint=' and ')} {verb} who acts", *sides, rule=rule)
    # If sides share a turn, no single side chooses: each player decides for the own creatures.
    return Offer(acts, reason, sides[0] if len(sides) == 1 else "")

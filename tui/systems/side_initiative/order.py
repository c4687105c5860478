"""Put the sides in order: their dice, ties among them, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.core.fight.agenda import RollAsk, places, reasoned, say
from tui.core.fight.encounter import SIDE, Encounter, Entry, unacted
from tui.core.rules.system import InitiativeSystem, notes


class SideNotes(Struct, frozen=True):
    """Notes of the fight; keys are sides.

    `rolled`: the d6 of each side and its rolls of ties; `over`: the sides whose turn of this round is over;
    `begun`: whether a turn of this round has begun; `settled`: the order that was announced last.
    """

    rolled: dict[str, list[int]] = {}
    over: tuple[str, ...] = ()
    begun: bool = False
    settled: tuple[str, ...] = ()


def side_notes(e: Encounter) -> SideNotes:
    """Return the notes of the fight."""
    return notes(e, SideNotes)


def side_key(e: Encounter, entry: Entry) -> str:
    """Return the key of the side of an entry."""
    return SIDE + e.combatants[entry.members[0]].side


def rivals(rolled: dict[str, list[int]], side: str, here: Sequence[str]) -> list[str]:
    """Return the sides that were tied with a side at its latest roll, itself among them."""
    mine = rolled[side]
    return [key for key in here if rolled[key][: len(mine)] == mine]


def _roll_off(side: str, times: int, tied: Sequence[str]) -> list[RollAsk]:
    others = [key for key in tied if key != side]
    if not others:
        return []
    why = reasoned(f"{{0}} is tied with {places(len(others), 1)}", "roll again", side, *others, rule="SID-2")
    return [RollAsk(f"tie{times - 1} {side}", side, (6,), why, tuple(tied))]


class SideOrder(InitiativeSystem):
    """Sides in the order of their dice."""

    def present(self, e: Encounter) -> list[str]:
        """Return the keys of the sides that are here, in roster order."""
        return list(dict.fromkeys(SIDE + c.side for c in self.in_play(e)))

    def due(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the dice that sides owe before the turns of a round: the first, then those of ties."""
        if e.phase != "rolls":
            return ()
        rolled, here = side_notes(e).rolled, self.present(e)
        if owing := [key for key in here if key not in rolled]:
            why = "{0} rolls a d6 for this round"
            return tuple(RollAsk(f"init {k}", k, (6,), say(why, k, rule="SID-1"), plain=True) for k in owing)
        if self.option(e, "sid.tie") == "together":
            return ()
        return tuple(
            ask
            for key in self.ordered(e)
            for ask in _roll_off(key, len(rolled[key]), rivals(rolled, key, here))
        )

    def ordered(self, e: Encounter) -> list[str]:
        """Return the sides that are here and have rolled, first to act first."""
        rolled = side_notes(e).rolled
        return sorted(
            (k for k in self.present(e) if k in rolled), key=lambda k: [-face for face in rolled[k]]
        )

    def waiting(self, e: Encounter) -> list[Entry]:
        """Return who still has a turn in the turn of its side, in roster order."""
        n = side_notes(e)
        some = [x for x in self.entries(e) if unacted(e.combatants[k] for k in x.members)]
        return [x for x in some if (key := side_key(e, x)) in n.rolled and key not in n.over]

    def current(self, e: Encounter) -> tuple[str, ...]:
        """Return the side whose turn it is, or by house rule those that share one; none after the last."""
        n = side_notes(e)
        first = next((k for k in self.ordered(e) if k not in n.over), "")
        return tuple(k for k in self.ordered(e) if first and n.rolled[k] == n.rolled[first])

"""Judge an opposed roll: the winner, the nearest creatures, the reach of surprise (DUN-2 to DUN-8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.core.fight.combatant import Combatant

FAR = 1_000_000
"""The distance, in squares, that stands for an unknown one."""


class RollValues(Struct, frozen=True):
    """What dice were rolled with."""

    per: int
    """The Perception of the roller."""
    mod: int
    """The sum of the roller's bonuses and penalties."""
    mind: int
    """The Intelligence of the roller."""
    best: int
    """The Intelligence of the best member of the roller's entry."""


class Side(Struct, frozen=True):
    """One roller of a contest with its dice."""

    who: str
    made: RollValues
    faces: tuple[int, ...]
    """The two dice, or their sum alone."""

    @property
    def total(self) -> int:
        """Return 2d6 + Perception + bonuses (DUN-2)."""
        return sum(self.faces) + self.made.per + self.made.mod

    @property
    def is_fumble(self) -> bool:
        """Return whether both dice show 1 (DUN-5)."""
        return sum(self.faces) == 2


class Verdict(Struct, frozen=True):
    """The result of an opposed roll."""

    winner: Side
    loser: Side
    by: str
    """The reason for the victory: total, intelligence or critical."""


def judge_roll(a: Side, b: Side, *, double_one_loses: bool) -> Verdict | None:
    """Return the result of an opposed roll, or None if all is equal and both roll again (DUN-2 to DUN-5)."""
    if double_one_loses and a.is_fumble != b.is_fumble:
        return Verdict(b, a, "critical") if a.is_fumble else Verdict(a, b, "critical")
    if a.total != b.total:
        return Verdict(a, b, "total") if a.total > b.total else Verdict(b, a, "total")
    if a.made.mind != b.made.mind:
        return Verdict(a, b, "intelligence") if a.made.mind > b.made.mind else Verdict(b, a, "intelligence")
    return None


def find_nearest(pool: Sequence[Combatant]) -> list[Combatant]:
    """Return the nearest, then most perceptive creatures; several if a die must choose (DUN-6, DUN-7)."""
    # Unknown distances come last, so that a single known distance already decides which creature is nearest.
    return _lowest_ranked(pool, [(c.number("distance", FAR), -c.number("per")) for c in pool])


def find_keenest(pool: Sequence[Combatant]) -> list[Combatant]:
    """Return the most perceptive creatures; several if a die must choose (DUN-8, TRK-2)."""
    return _lowest_ranked(pool, [(0, -c.number("per")) for c in pool])


def _lowest_ranked(pool: Sequence[Combatant], ranks: Sequence[tuple[int, int]]) -> list[Combatant]:
    return [c for c, rank in zip(pool, ranks, strict=True) if rank == min(ranks)]


class Catch(Struct, frozen=True):
    """The ids that surprise can catch at any distance, and the reason: `double 1`, `both dice` or ""."""

    who: tuple[str, ...] = ()
    why: str = ""


def find_caught(v: Verdict, losers: Sequence[Combatant], *, each: bool) -> Catch:
    """Return the losers that surprise can reach, before distances (DUN-18, DUN-22).

    With `each` the Intelligence of every loser is tested, not only the roller's. A double 1 that wins by
    house rule decides by its own dice (DUN-A2).
    """
    everyone = tuple(c.id for c in losers)
    if v.loser.is_fumble:
        return Catch(everyone, "double 1")
    # Both dice must reach the number, so the lower one decides (DUN-18).
    if len(v.winner.faces) == 1:
        return Catch()  # nobody said what each of the dice showed
    low = min(v.winner.faces)
    if each:
        minds = {c.id: c.number("int") for c in losers} | {v.loser.who: v.loser.made.mind}
        caught = tuple(c.id for c in losers if low >= minds[c.id])
        return Catch(caught, "both dice") if caught else Catch()
    return Catch(everyone, "both dice") if low >= v.loser.made.mind else Catch()


def squares_from_winner(losers: Sequence[Combatant], loser: str, winner: Combatant | None) -> dict[str, int]:
    """Return the known distances of the losers from the winner, in squares, by id.

    The winner's distance is also the losing roller's, if that has none.
    """
    result = {c.id: c.number("distance") for c in losers if "distance" in c.fields}
    if winner is not None and "distance" in winner.fields:
        result.setdefault(loser, winner.number("distance"))
    return result

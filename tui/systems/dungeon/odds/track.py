"""The odds of the track that follows a meeting: two keep their opposed totals, all others roll."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Off, Outcome, Race, Rank, Throw, alone
from tui.core.odds.spread import Spread, added, changed, die
from tui.systems.dungeon.notes import DARK, HEROES, best, entry_of, gather, notes_of, own
from tui.systems.dungeon.odds.meetings import (
    ANY_ORDER,
    Met,
    Pair,
    against,
    alike,
    all_meetings,
    beside,
    side_of,
    waits_for_other,
)
from tui.systems.dungeon.track_order import fixed, tie_option, tie_rule, track_of, value_of
from tui.systems.dungeon.two_sides import TwoSides
from tui.systems.shared.racing import BY_THE_GM


def by_track(e: Encounter, system: TwoSides) -> Race | None:
    """Without a commander: both totals are kept, all others roll, and heroes who won go first once (TRK-2 to 11)."""
    met, how = all_meetings(e, system), tie_option(e, system)
    if not met or waits_for_other(e):
        return None
    cases, later = list[Case](), list[Case]()
    for pair, found in met:
        joint = _Joint(e, system, pair, how)
        for won in (HEROES, DARK):
            if some := [x for x in found if x.won == won]:
                throws = joint.throws(some, free=won == HEROES)
                cases.append(Case(sum(x.chance for x in some), throws))
        later.append(Case(sum(x.chance for x in found), joint.throws(found, free=False)))
    given = (ANY_ORDER, *against(e, met), *((BY_THE_GM,) if how == "by_hand" else ()))
    totals = {x.key: spread_of(e, x) for x in gather(e) if fixed(e, x) is None}
    said = beside([x for _, found in met for x in found])
    return Race(tuple(cases), True, tuple(later), totals, alike(e, system), said, given)


def by_numbers(e: Encounter, system: TwoSides) -> Race | None:
    """After the opposed roll of a meeting: who has a number keeps it, all others roll (TRK-2 to 11)."""
    contest, n, how = notes_of(e).contest, track_of(e), tie_rule(e, system)
    ready = contest and contest.kind == "meeting" and contest.stage == "ranks" and not waits_for_other(e)
    # Whoever has rolled off, or shares the roll of another, is not told by its number alone.
    if (
        contest is None
        or not ready
        or e.shifts
        or n.pushes
        or any(p.ties or p.kin or p.hand for p in n.places.values())
    ):
        return None
    all_ = _Joint(e, system, None, how)
    given = (ANY_ORDER, *((BY_THE_GM,) if how == "by_hand" else ()))
    totals = {x.key: spread_of(e, x) for x in gather(e) if value_of(e, x) is None}
    free, track = (all_.throws([], free=some) for some in (contest.won == HEROES, False))
    return Race((Case(1.0, free),), True, (Case(1.0, track),), totals, given=given)


def spread_of(e: Encounter, entry: Entry) -> Spread:
    """What an entry rolls: 2d6 + Perception."""
    c = best(e, entry)
    return changed(added([die(6), die(6)]), lambda n: n + c.number("per") + c.number("mod"))


class _Joint:
    """The throws of a track on which the two who met keep the totals of the opposed roll."""

    def __init__(self, e: Encounter, system: TwoSides, both: Pair | None, how: str) -> None:
        self._e, self._how = e, how
        self._entries = gather(e)
        keeps = system.option(e, "trk.roller_group") == "keeps"
        self._kept: list[tuple[Entry, int]] = []
        for i, c in enumerate(both or ()):
            entry = entry_of(self._entries, c.id)
            if entry and c in own(e, entry) and self.place(entry) is None and (keeps or i == 0):
                self._kept.append((entry, i))

    def place(self, entry: Entry) -> int | None:
        """The fixed place of an entry."""
        return fixed(self._e, entry)

    def throws(self, found: Sequence[Met], *, free: bool) -> tuple[Throw, ...]:
        """All throws where the opposed roll ends in one of these ways; `free`: the heroes go before all others."""
        total = sum(x.chance for x in found)
        outcomes: dict[tuple[Rank, ...], float] = {}
        for x in found:
            ranks = tuple(self._rank(entry, x.totals[i], free=free) for entry, i in self._kept)
            outcomes[ranks] = outcomes.get(ranks, 0.0) + x.chance / total
        rows = tuple(x.key for x, _ in self._kept)
        offs = tuple(() if free and self._hero(x) else self._off(x) for x, _ in self._kept)
        joint = Throw(rows, tuple(Outcome(p, r) for r, p in outcomes.items()), offs=offs)
        return (
            *([joint] if rows else ()),
            *(self._own(x, free=free) for x in self._entries if x.key not in rows),
        )

    def _own(self, entry: Entry, *, free: bool) -> Throw:
        place = value_of(self._e, entry)
        ranks = {} if place is None else {self._rank(entry, place, free=free): 1.0}
        for n, chance in (spread_of(self._e, entry) if place is None else {}).items():
            rank = self._rank(entry, n, free=free)
            ranks[rank] = ranks.get(rank, 0.0) + chance
        return alone(entry.key, ranks.items(), () if free and self._hero(entry) else self._off(entry))

    def _hero(self, entry: Entry) -> bool:
        return side_of(self._e, entry) == HEROES

    def _rank(self, entry: Entry, value: int, *, free: bool) -> Rank:
        """What orders an entry before any roll-off (as on the track itself); heroes who go first are all alike."""
        if free and self._hero(entry):
            return (0,)
        if self.place(entry) is not None:
            return (1, -value, 1, 0, 0, self._entries.index(entry))
        side = {"heroes_first": not self._hero(entry), "creatures_first": self._hero(entry)}.get(
            self._how, False
        )
        known = track_of(self._e).places.get(entry.key) if value_of(self._e, entry) is not None else None
        now = best(self._e, entry).number("int") if known is None else known.mind
        mind = 0 if self._how == "by_hand" else -now
        return (1, -value, 0, int(side), mind, 0)

    def _off(self, entry: Entry) -> Off:
        """What an entry throws in a roll-off: 2d6 + Perception again (TRK-7)."""
        return () if self._how == "by_hand" else tuple(spread_of(self._e, entry).items())

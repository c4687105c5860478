"""Compute the odds of an opposed roll, and of the track that follows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, Entry, label
from tui.core.language.tokens import quote
from tui.core.odds.race import Case, Chance, Off, Outcome, Race, Rank, Throw, alone
from tui.core.odds.spread import Spread, added, changed, die
from tui.systems.dungeon.meeting import Side, Verdict, catch, judge, rollers
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    TwoSides,
    best,
    entry_of,
    fighting,
    gather,
    notes_of,
    own,
    pending,
    playing,
    reserve,
    team,
)
from tui.systems.dungeon.track_order import (
    by_track,
    fixed,
    standing,
    tie_option,
    tie_rule,
    track_of,
    value_of,
)
from tui.systems.dungeon.turns import ready_of, side_of_entry
from tui.systems.shared.placing import fresh
from tui.systems.shared.track import BY_THE_GM

ANY_ORDER = "a side that acts in any order takes each as often as another"


class Met(Struct, frozen=True):
    """A possible end of an opposed roll: its winner, both totals, whether anybody is caught."""

    chance: float
    won: str
    totals: tuple[int, int]
    caught: bool


def toward(e: Encounter) -> str:
    """Return the line by which the first hero meets the reserve, or "" while a contest or fight runs."""
    heroes = team(e, HEROES)
    idle = heroes and reserve(e) and not fighting(e) and not notes_of(e).contest
    return f"meet {quote(heroes[0].name)}" if idle else ""


Pair = tuple[Combatant, Combatant]
"""The hero and the enemy who roll against each other."""


def pairs(e: Encounter, system: TwoSides) -> list[tuple[float, Pair]]:
    """Return every kind of pair that may make the opposed roll, with its chance by the fair die.

    Empty where no such roll is owed.
    """
    n = notes_of(e)
    if n.contest is None or n.contest.stage != "opposed" or n.contest.kind != "meeting":
        return []
    both = [rollers(e, system, side) for side in (HEROES, DARK)]
    kinds = [[(c, len(_like(e, some, c)) / len(some)) for c in _firsts(e, some)] for some in both]
    return [(p * q, (hero, enemy)) for (hero, p), (enemy, q) in product(*kinds)]


def alike(e: Encounter, system: TwoSides) -> tuple[tuple[str, ...], ...]:
    """Return the rows among which a fair die chooses the roller and which nothing else distinguishes."""
    both = [rollers(e, system, side) for side in (HEROES, DARK)]
    creatures = (_like(e, some, c) for some in both for c in _firsts(e, some))
    return tuple(
        keys for some in creatures if len(keys := tuple(dict.fromkeys(_row(e, c) for c in some))) > 1
    )


def _firsts(e: Encounter, some: Sequence[Combatant]) -> list[Combatant]:
    """Return one of each kind of those among whom a die chooses."""
    return list({_kind(e, c): c for c in reversed(some)}.values())[::-1]


def _like(e: Encounter, some: Sequence[Combatant], c: Combatant) -> list[Combatant]:
    return [x for x in some if _kind(e, x) == _kind(e, c)]


def _kind(e: Encounter, c: Combatant) -> tuple[object, ...]:
    """Return what distinguishes rollers: their numbers, and their row unless it holds one creature."""
    entry = entry_of(gather(e), c.id)
    own_row = entry is not None and entry.members == (c.id,) and c.value is None
    return ("" if own_row else _row(e, c), c.number("per"), c.number("mod"), c.number("int"))


def _row(e: Encounter, c: Combatant) -> str:
    entry = entry_of(gather(e), c.id)
    return entry.key if entry else c.id


def all_meetings(e: Encounter, system: TwoSides) -> list[tuple[Pair, list[Met]]]:
    """Return every pair that may meet, with all ends of its opposed roll; all chances sum to 1."""
    return [
        (pair, [replace(x, chance=x.chance * chance) for x in meetings(e, system, pair)])
        for chance, pair in pairs(e, system)
    ]


def meetings(e: Encounter, system: TwoSides, pair: Pair) -> list[Met]:
    """Return every end of an opposed roll, given the dice already rolled; equals roll again."""
    faces = {c.id: tuple(notes_of(e).faces[c.id]) for c in pair if c.id in notes_of(e).faces}
    ends, again = _ends(e, system, pair, faces)
    if again:
        # Both roll again then (DUN-4), even one that had rolled: it ends like a roll without any faces.
        fresh, rest = _ends(e, system, pair, {})
        for key, chance in fresh.items():
            ends[key] = ends.get(key, 0.0) + again * chance / (1 - rest)
    return [Met(chance, *key) for key, chance in ends.items()]


Ends = dict[tuple[str, tuple[int, int], bool], float]


def _ends(
    e: Encounter, system: TwoSides, pair: Pair, faces: Mapping[str, tuple[int, ...]]
) -> tuple[Ends, float]:
    """Return the chance of every end of one throw with these faces known, and that both roll again."""
    fumble = bool(system.option(e, "dun.double_one_loses"))
    hero, enemy = pair
    two = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    falls = [[(known[0], known[1])] if (known := faces.get(c.id)) else two for c in pair]
    ends, again, chance = Ends(), 0.0, 1 / (len(falls[0]) * len(falls[1]))
    for one, other in product(*falls):
        sides = (Side.of(hero, one), Side.of(enemy, other))
        verdict = judge(*sides, double_one_loses=fumble)
        if verdict is None:
            again += chance
            continue
        won = HEROES if verdict.winner.who == hero.id else DARK
        key = (won, (sides[0].total, sides[1].total), _catches(e, system, verdict, won))
        ends[key] = ends.get(key, 0.0) + chance
    return ends, again


def _catches(e: Encounter, system: TwoSides, verdict: Verdict, won: str) -> bool:
    contest = notes_of(e).contest or Contest("")
    losers = team(e, DARK if won == HEROES else HEROES)
    each = system.option(e, "dun.surprise_int") == "each"
    return not contest.door and bool(catch(verdict, losers, each=each).why)


def beside(cases: Sequence[Met]) -> tuple[Chance, ...]:
    """Return who wins, and whom the winner may catch by surprise."""
    won = sum(x.chance for x in cases if x.won == HEROES)
    caught = {side: sum(x.chance for x in cases if x.caught and x.won != side) for side in (HEROES, DARK)}
    return (
        Chance("the heroes win the opposed roll", won),
        Chance("the heroes can be caught by surprise", caught[HEROES]),
        Chance("the dark side can be caught by surprise", caught[DARK]),
    )


def waits_for_other(e: Encounter) -> bool:
    """Return whether anybody in play is kept from acting by something older than this meeting."""
    return any("barred" in c.marks for c in playing(e))


# --- by sides


def by_sides(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race in which the winning side acts before the other, in any order (DUN-11, DUN-12)."""
    met = all_meetings(e, system)
    if not met or waits_for_other(e) or any("acted" in c.marks for c in team(e, DARK)):
        return None
    every = [x for _, some in met for x in some]
    cases = []
    for side in (HEROES, DARK):
        if chance := sum(x.chance for x in every if x.won == side):
            throws = [alone(x.key, [((int(side_of_entry(e, x) != side),), 1.0)]) for x in gather(e)]
            cases.append(Case(chance, tuple(throws)))
    return Race(tuple(cases), kept=True, beside=beside(every), given=(ANY_ORDER, *against(e, met)))


def against(e: Encounter, met: Sequence[tuple[Pair, object]]) -> tuple[str, ...]:
    """Return who rolls against whom, in words."""
    return tuple(f"{label(e, hero.id)} may roll against {label(e, enemy.id)}" for (hero, enemy), _ in met[:3])


def race_by_track(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race without a commander; heroes who won go first once (TRK-2 to 11)."""
    met, how = all_meetings(e, system), tie_option(e, system)
    if not met or waits_for_other(e):
        return None
    cases, later = list[Case](), list[Case]()
    for pair, meeting in met:
        joint = _Joint(e, system, pair, how)
        for won in (HEROES, DARK):
            if some := [x for x in meeting if x.won == won]:
                throws = joint.throws(some, free=won == HEROES)
                cases.append(Case(sum(x.chance for x in some), throws))
        later.append(Case(sum(x.chance for x in meeting), joint.throws(meeting, free=False)))
    given = (ANY_ORDER, *against(e, met), *((BY_THE_GM,) if how == "by_hand" else ()))
    totals = {x.key: spread_of(e, x) for x in gather(e) if fixed(e, x) is None}
    chances = beside([x for _, meeting in met for x in meeting])
    return Race(tuple(cases), True, tuple(later), totals, alike(e, system), chances, given)


def by_numbers(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race after a meeting's opposed roll: numbers are kept, all others roll (TRK-2 to 11)."""
    contest, n, how = notes_of(e).contest, track_of(e), tie_rule(e, system)
    ready = contest and contest.kind == "meeting" and contest.stage == "ranks" and not waits_for_other(e)
    # An entry that has rolled off, or shares a roll, is not known by its number alone.
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
    """Return the distribution of an entry's roll: 2d6 + Perception."""
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
        """Return the fixed place of an entry, or None."""
        return fixed(self._e, entry)

    def throws(self, cases: Sequence[Met], *, free: bool) -> tuple[Throw, ...]:
        """Return all throws where the opposed roll ends in one of these ways; `free`: the heroes go first."""
        total = sum(x.chance for x in cases)
        outcomes: dict[tuple[Rank, ...], float] = {}
        for x in cases:
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
        return side_of_entry(self._e, entry) == HEROES

    def _rank(self, entry: Entry, value: int, *, free: bool) -> Rank:
        """Return the rank of an entry before any roll-off; heroes who go first all rank alike."""
        if free and self._hero(entry):
            return (0,)
        if self.place(entry) is not None:
            return (1, -value, 1, self._entries.index(entry))
        side = {"heroes_first": not self._hero(entry), "creatures_first": self._hero(entry)}.get(
            self._how, False
        )
        known = track_of(self._e).places.get(entry.key) if value_of(self._e, entry) is not None else None
        now = best(self._e, entry).number("int") if known is None else known.mind
        mind = 0 if self._how == "by_hand" else -now
        return (1, -value, 0, int(side), mind)

    def _off(self, entry: Entry) -> Off:
        """Return the roll-off of an entry: 2d6 + Perception again (TRK-7)."""
        return () if self._how == "by_hand" else tuple(spread_of(self._e, entry).items())


def as_it_stands(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race for the rest of the round, or None where newcomers may cut in or a side waits."""
    if notes_of(e).contest or pending(e) or system.option(e, "dun.second_activation"):
        return None
    if any(c.marks.get("barred", "fight") != "fight" for c in playing(e)):
        # Newcomers who lost may wait for the next round; the fight is played on to see that.
        return None
    return _by_track(e, system) if by_track(e) else _by_sides(e)


def _by_track(e: Encounter, system: TwoSides) -> Race | None:
    """Return the race in which heroes with a first turn act in any order, then the track (TRK-9, TRK-10)."""
    free = ready_of(e, HEROES) if track_of(e).free else []
    first = {x.key for x in free}
    return _race(free, [[x] for x in standing(e, system) if fresh(e, x) and x.key not in first])


def _by_sides(e: Encounter) -> Race | None:
    """Return those of the side who may still act, then the Dark Player's (DUN-24)."""
    n = notes_of(e)
    heroes = ready_of(e, HEROES)
    if n.side == DARK or n.closed:
        # Heroes whose turn was taken away act in the next round; the fight is played on to see that.
        if heroes or (n.side == DARK and n.closed):
            return None
        heroes = []
    dark = ready_of(e, DARK) if n.side == DARK else _of_dark(e)
    return _race(heroes, [dark])


def _of_dark(e: Encounter) -> list[Entry]:
    """Return the entries of the coming Dark Player's turn; bars of the heroes' turn end with it (DUN-14)."""
    return [
        x for x in gather(e) if side_of_entry(e, x) == DARK and any(_will(e.combatants[k]) for k in x.members)
    ]


def _will(c: Combatant) -> bool:
    return "acted" not in c.marks and c.marks.get("barred", "fight") == "fight"


def _race(first: Iterable[Entry], then: Iterable[Iterable[Entry]]) -> Race:
    ranks = [list(first), *map(list, then)]
    throws: list[Throw] = [alone(x.key, [((place,), 1.0)]) for place, some in enumerate(ranks) for x in some]
    given = (ANY_ORDER,) if any(len(some) > 1 for some in ranks) else ()
    return Race((Case(1.0, tuple(throws)),), kept=True, given=given)

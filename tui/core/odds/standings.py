"""Compute each row's places, roll-offs included: exactly, or from many races that are run."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import comb, prod
from typing import NamedTuple

from tui.core.odds.race import Case, Off, Race, Rank, Throw, apart, kinds, offs
from tui.core.odds.spread import Forecast, Standing, joined

Tied = tuple[int, ...]
"""How many of each kind are tied with someone; kinds are told apart by what they throw."""


class RollOffs:
    """The chances among the tied of one race; `kinds` is what each kind throws, () for all alike."""

    def __init__(self, kinds: Sequence[Off]) -> None:
        self._kinds = [dict(off) for off in kinds]
        self.places = cache(self._places)
        # Shared by all of the tied: twelve creatures with five modifiers took 9 s without, now 1.
        self._fallen = cache(self._all_fallen)
        self._split = cache(self._one_split)

    def _places(self, own: int, tied: Tied) -> tuple[float, ...]:
        """Return the chance of each place, the best first, of one of kind `own` among n others."""
        many = sum(tied)
        if not many or (len([n for n in tied if n]) <= 1 and tied[own] == many):
            return (1 / (many + 1),) * (many + 1)
        places, again = [0.0] * (many + 1), 0.0
        for face, chance in self._kinds[own].items():
            for (ahead, level), p in self._fallen(face, tied):
                if level == tied:
                    again += chance * p
                    continue
                for place, q in enumerate(self.places(own, level), ahead):
                    places[place] += chance * p * q
        # Where all are tied once more everything begins again.
        return tuple(p / (1 - again) for p in places)

    def _all_fallen(self, face: int, tied: Tied) -> list[tuple[tuple[int, Tied], float]]:
        """Return how many tied rows throw more than a face, how many of each kind as much, the chance."""
        states: dict[tuple[int, Tied], float] = {(0, ()): 1.0}
        for kind, many in enumerate(tied):
            after: dict[tuple[int, Tied], float] = {}
            split = self._split(kind, face, many)
            for (ahead, level), p in states.items():
                for (more, same), q in split:
                    key = (ahead + more, (*level, same))
                    after[key] = after.get(key, 0.0) + p * q
            states = after
        return list(states.items())

    def _one_split(self, kind: int, face: int, many: int) -> list[tuple[tuple[int, int], float]]:
        return list(_split(self._kinds[kind], face, many))


def _split(off: Mapping[int, float], face: int, many: int) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield how many of n that throw alike throw more than a face, and how many the same."""
    same = off.get(face, 0.0)
    more = sum(chance for number, chance in off.items() if number > face)
    less = max(0.0, 1 - same - more)
    for a in range(many + 1):
        for b in range(many - a + 1):
            chance = comb(many, a) * comb(many - a, b) * more**a * same**b * less ** (many - a - b)
            if chance:
                yield (a, b), chance


MOST_WORK = 4_000_000
"""Products of two chances in one answer, some seconds; a race that needs more is sampled."""

Around = int
"""The rows ahead and those beside, by kind, as digits of one number: adding is three times as fast."""


def exact(race: Race, sides: Mapping[str, str]) -> Forecast | None:
    """Return the forecast of a race; None where no formula covers its ties, or where it would take too long.

    `sides` names the side of every row: those on another one are foes.
    """
    if not all(map(apart, race.cases)) or work(race) > MOST_WORK:
        return None
    most = len(race.rows)
    sums = {key: ([0.0] * most, [0.0]) for key in race.rows}
    for case in race.cases:
        for key, standing in _Case(case, sides).standings().items():
            places, before = sums[key]
            for place, chance in enumerate(standing.places):
                places[place] += case.chance * chance
            before[0] += case.chance * standing.before
    return Forecast({key: Standing(tuple(places), before[0]) for key, (places, before) in sums.items()})


def work(race: Race) -> int:
    """Return about how many products it takes."""
    total = 0
    for case in race.cases:
        # Creatures that throw alike are worked out once.
        unlike = {(throw.outcomes, throw.offs): throw for throw in case.throws}.values()
        ranks = sum(len({r for o in t.outcomes for r in o.ranks}) for t in unlike)
        level: dict[Off, int] = {}
        for throw in case.throws:
            for off in offs(throw):
                level[off] = level.get(off, 0) + 1
        total += ranks * len(case.throws) ** 2 * prod(n + 1 for n in level.values()) // 3
    return total


class _Case:
    """One case of a race: its throws, and the kinds of roll-offs in it."""

    def __init__(self, case: Case, sides: Mapping[str, str]) -> None:
        self._throws, self._sides = case.throws, sides
        self._kinds = kinds(case)
        # No digit overflows: there are never more rows in one than there are.
        base = sum(len(throw.rows) for throw in case.throws) + 1
        self._digits = [base**i for i in range(len(self._kinds) + 1)]
        self._unpack = cache(self._unpacked)
        self._places = RollOffs(self._kinds).places
        self._kind = {
            key: self._kinds.index(off)
            for throw in case.throws
            for key, off in zip(throw.rows, offs(throw), strict=True)
        }

    def standings(self) -> dict[str, Standing]:
        """Return the standing of every row."""
        known: dict[object, Standing] = {}
        result: dict[str, Standing] = {}
        for place, throw in enumerate(self._throws):
            others = [*self._throws[:place], *self._throws[place + 1 :]]
            for at, key in enumerate(throw.rows):
                # Creatures of one side that throw alike stand alike.
                who = place if len(throw.rows) > 1 else -1
                like = (self._sides[key], throw.outcomes, throw.offs, 0 if throw.shuffled else at, who)
                if like not in known:
                    known[like] = self._standing(throw, at, others)
                result[key] = known[like]
        return result

    def _standing(self, throw: Throw, at: int, others: list[Throw]) -> Standing:
        """Return the standing of the row at that index of a throw."""
        key, most = throw.rows[at], sum(len(t.rows) for t in others) + len(throw.rows)
        side, kind = self._sides[key], self._kind[key]
        places, before = [0.0] * most, 0.0
        for chance, rank, beside in _results(throw, at):
            around = self._among(others, rank, self._around(beside, rank), lambda _: True)
            for packed, p in around.items():
                ahead, level = self._unpack(packed)
                for place, q in enumerate(self._places(kind, level), ahead):
                    places[place] += chance * p * q
            foes = [(k, r) for k, r in beside if self._sides[k] != side]
            against = self._among(others, rank, self._around(foes, rank), lambda k: self._sides[k] != side)
            first = ((self._unpack(packed), p) for packed, p in against.items() if packed < self._digits[-1])
            before += chance * sum(p * self._places(kind, level)[0] for (_, level), p in first)
        return Standing(tuple(places), before)

    def _around(self, ranked: Iterable[tuple[str, Rank]], rank: Rank) -> Around:
        """Return how many of these rows are ahead of a rank, and how many of each kind level with it."""
        digits, packed = self._digits, 0
        for key, one in ranked:
            if one < rank:
                packed += digits[-1]
            elif one == rank:
                packed += digits[self._kind[key]]
        return packed

    def _unpacked(self, packed: Around) -> tuple[int, Tied]:
        """Return how many are ahead, and how many of each kind beside."""
        base = self._digits[1]
        ahead, rest = divmod(packed, self._digits[-1])
        return ahead, tuple(rest // digit % base for digit in self._digits[:-1])

    def _among(
        self, others: list[Throw], rank: Rank, start: Around, counts: Callable[[str], bool]
    ) -> dict[Around, float]:
        """Return the chances of how many counted rows stand around a rank, added to those of the start."""
        result = {start: 1.0}
        for throw in others:
            result = joined(result, self._of_throw(throw, rank, counts))
        return result

    def _of_throw(self, throw: Throw, rank: Rank, counts: Callable[[str], bool]) -> dict[Around, float]:
        """Return the same for one throw."""
        result: dict[Around, float] = {}
        for outcome in throw.outcomes:
            rows = zip(throw.rows, outcome.ranks, strict=True)
            key = self._around([(k, r) for k, r in rows if counts(k)], rank)
            result[key] = result.get(key, 0.0) + outcome.chance
        return result


def _results(throw: Throw, at: int) -> Iterator[tuple[float, Rank, list[tuple[str, Rank]]]]:
    """Yield how the throw may fall for one of its rows: chance, its rank, and the ranks of its other rows."""
    for outcome in throw.outcomes:
        # Where the ranks are shuffled the row may have any of them; the others then have the rest.
        own = range(len(outcome.ranks)) if throw.shuffled else (at,)
        keys = [*throw.rows[:at], *throw.rows[at + 1 :]]
        for i in own:
            rest = [*outcome.ranks[:i], *outcome.ranks[i + 1 :]]
            yield outcome.chance / len(own), outcome.ranks[i], list(zip(keys, rest, strict=True))


Random = Callable[[], float]
"""A source of chance: a number from 0 up to, but without, 1."""

MOST_RUNS = 10_000
MOST_ROWS = 100_000
"""Rows in all runs together, about half a second."""


def sampled(race: Race, sides: Mapping[str, str], random: Random, runs: int = 0) -> Forecast:
    """Return the forecast of a race from that many runs; 0: as many as take about half a second."""
    rows = race.rows
    runs = runs or max(1_000, min(MOST_RUNS, MOST_ROWS // max(1, len(rows))))
    draw = _drawer([case.chance for case in race.cases], random)
    cases = [_Runner(case, random) for case in race.cases]
    return tally((cases[draw()].order() for _ in range(runs)), rows, sides, runs)


def order(race: Race, random: Random) -> list[str]:
    """Return the rows in the order of one run, first to act first."""
    return _Runner(race.cases[_drawer([case.chance for case in race.cases], random)()], random).order()


def tally(
    orders: Iterator[Sequence[str]], rows: Sequence[str], sides: Mapping[str, str], runs: int
) -> Forecast:
    """Return the forecast that these orders amount to."""
    counts = {key: [0] * len(rows) for key in rows}
    first = dict.fromkeys(rows, 0)
    for order in orders:
        ahead = set[str]()
        for place, key in enumerate(order):
            counts[key][place] += 1
            # No one of another side has come yet.
            first[key] += not ahead - {sides[key]}
            ahead.add(sides[key])
    return Forecast({k: Standing(tuple(n / runs for n in counts[k]), first[k] / runs) for k in rows}, runs)


def _drawer(chances: Sequence[float], random: Random) -> Callable[[], int]:
    """Return a callback that draws an index of the list by its chance."""
    sums = list(accumulate(chances))
    return lambda: min(bisect(sums, random() * sums[-1]), len(sums) - 1)


class _Runner:
    """One case, which is run again and again."""

    def __init__(self, case: Case, random: Random) -> None:
        self._random = random
        self._throws = [
            (
                t,
                _drawer([o.chance for o in t.outcomes], random),
                [self._off(off) for off in t.offs] or [random] * len(t.rows),
            )
            for t in case.throws
        ]

    def _off(self, off: Off) -> Callable[[], float]:
        draw = _drawer([chance for _, chance in off], self._random) if off else None
        return (lambda: -off[draw()][0]) if draw else self._random

    def order(self) -> list[str]:
        """Return the rows as one run puts them, first to act first."""
        level: dict[Rank, list[_Run]] = {}
        for place, (throw, draw, roll_offs) in enumerate(self._throws):
            fallen = throw.outcomes[draw()].ranks
            ranks = fallen
            if throw.shuffled:
                ranks = tuple(rank for _, rank in sorted((self._random(), rank) for rank in fallen))
            for at, (key, rank, off) in enumerate(zip(throw.rows, ranks, roll_offs, strict=True)):
                level.setdefault(rank, []).append(_Run(key, (place, 0 if throw.kin else at), off))
        return [run.key for rank in sorted(level) for run in _settled(level[rank])]


class _Run(NamedTuple):
    """A row in one run; `roll`: those who have it in common stay together in a roll-off."""

    key: str
    roll: tuple[int, int]
    off: Callable[[], float]


def _settled(tied: list[_Run]) -> list[_Run]:
    """Return the tied in the order that roll-offs give them, repeated among those who are still tied."""
    offs = {run.roll: run.off for run in tied}
    if len(offs) < 2:
        return tied
    thrown = {roll: off() for roll, off in offs.items()}
    level: dict[float, list[_Run]] = {}
    for run in tied:
        level.setdefault(thrown[run.roll], []).append(run)
    return [run for luck in sorted(level) for run in _settled(level[luck])]

"""The standing of every row, from many races that are run: what is too much or too uneven for arithmetic."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from tui.core.odds.race import Case, Off, Race, Rank, Throw
from tui.core.odds.spread import Forecast, Standing

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
            # Nobody of another side has come yet.
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
            (t, _drawer([o.chance for o in t.outcomes], random), self._offs(t)) for t in case.throws
        ]

    def _offs(self, throw: Throw) -> list[Callable[[], float]]:
        return [self._off(off) for off in throw.offs] or [self._random] * len(throw.rows)

    def _off(self, off: Off) -> Callable[[], float]:
        draw = _drawer([chance for _, chance in off], self._random) if off else None
        return (lambda: -off[draw()][0]) if draw else self._random

    def order(self) -> list[str]:
        """Return the rows as one run puts them, first to act first."""
        level: dict[Rank, list[_Run]] = {}
        for place, (throw, draw, offs) in enumerate(self._throws):
            fallen = throw.outcomes[draw()].ranks
            ranks = self._shuffled(fallen) if throw.shuffled else fallen
            for at, (key, rank, off) in enumerate(zip(throw.rows, ranks, offs, strict=True)):
                level.setdefault(rank, []).append(_Run(key, (place, 0 if throw.kin else at), off))
        return [run.key for rank in sorted(level) for run in _settled(level[rank])]

    def _shuffled(self, ranks: Sequence[Rank]) -> tuple[Rank, ...]:
        return tuple(rank for _, rank in sorted((self._random(), rank) for rank in ranks))


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

"""The standing of every row, exactly: of each of its ranks, how many others stand before it and how many beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tui.core.odds.race import Case, Race, Rank, Throw, even
from tui.core.odds.standing import Forecast, Standing

MOST_WORK = 4_000_000
"""Products of two chances in one answer, some seconds; a race that needs more is sampled."""

Around = Mapping[tuple[int, int], float]
"""The chance of so many rows ahead and so many beside."""


def exact(race: Race, sides: Mapping[str, str]) -> Forecast | None:
    """The forecast of a race; None where ties are not even, or where it would take too long.

    `sides` names the side of every row: whoever is on another one is a foe.
    """
    if not all(map(even, race.cases)) or work(race) > MOST_WORK:
        return None
    most = len(race.rows)
    found = {key: ([0.0] * most, [0.0]) for key in race.rows}
    for case in race.cases:
        for key, standing in _case(case, sides).items():
            places, before = found[key]
            for place, chance in enumerate(standing.places):
                places[place] += case.chance * chance
            before[0] += case.chance * standing.before
    return Forecast({key: Standing(tuple(places), before[0]) for key, (places, before) in found.items()})


def work(race: Race) -> int:
    """About how many products it takes."""
    total = 0
    for case in race.cases:
        # Creatures that throw alike are worked out once.
        unlike = {throw.outcomes: throw for throw in case.throws}.values()
        ranks = sum(len({r for o in t.outcomes for r in o.ranks}) for t in unlike)
        total += ranks * len(case.throws) ** 3 // 3
    return total


def _case(case: Case, sides: Mapping[str, str]) -> dict[str, Standing]:
    """The standing of every row in one case."""
    known: dict[object, Standing] = {}
    found: dict[str, Standing] = {}
    for place, throw in enumerate(case.throws):
        others = [*case.throws[:place], *case.throws[place + 1 :]]
        for at, key in enumerate(throw.rows):
            # Creatures of one side that throw alike stand alike.
            like = (
                sides[key],
                throw.outcomes,
                0 if throw.shuffled else at,
                place if len(throw.rows) > 1 else -1,
            )
            if like not in known:
                known[like] = _row(throw, at, others, sides)
            found[key] = known[like]
    return found


def _row(throw: Throw, at: int, others: list[Throw], sides: Mapping[str, str]) -> Standing:
    """The standing of the row at that place of a throw."""
    side, most = sides[throw.rows[at]], sum(len(t.rows) for t in others) + len(throw.rows)
    places, before = [0.0] * most, 0.0
    ways: dict[tuple[Rank, tuple[int, int], tuple[int, int]], float] = {}
    for chance, rank, beside in _ways(throw, at):
        foes = [(key, r) for key, r in beside if sides[key] != side]
        way = (rank, _around([r for _, r in beside], rank), _around([r for _, r in foes], rank))
        ways[way] = ways.get(way, 0.0) + chance
    for (rank, all_, foes_), chance in ways.items():
        for (ahead, level), p in _among(others, rank, all_, lambda _: True).items():
            for place in range(ahead, ahead + level + 1):
                places[place] += chance * p / (level + 1)
        # Of n who are tied each is as likely to be the first.
        against = _among(others, rank, foes_, lambda key: sides[key] != side)
        before += chance * sum(p / (level + 1) for (ahead, level), p in against.items() if not ahead)
    return Standing(tuple(places), before)


def _ways(throw: Throw, at: int) -> Iterator[tuple[float, Rank, list[tuple[str, Rank]]]]:
    """How the throw may fall for one of its rows: chance, its rank, and the ranks of its other rows."""
    for outcome in throw.outcomes:
        # Where the ranks are shuffled the row may have any of them; the others then have the rest.
        own = range(len(outcome.ranks)) if throw.shuffled else (at,)
        for i in own:
            rest = [*outcome.ranks[:i], *outcome.ranks[i + 1 :]]
            keys = [*throw.rows[:at], *throw.rows[at + 1 :]]
            yield outcome.chance / len(own), outcome.ranks[i], list(zip(keys, rest, strict=True))


def _around(ranks: list[Rank], rank: Rank) -> tuple[int, int]:
    return sum(r < rank for r in ranks), sum(r == rank for r in ranks)


def _among(others: list[Throw], rank: Rank, start: tuple[int, int], counts: Callable[[str], bool]) -> Around:
    """How many rows of other throws are ahead of a rank and level with it, beside those of the start."""
    found: dict[tuple[int, int], float] = {start: 1.0}
    for throw in others:
        step = _of_throw(throw, rank, counts)
        after: dict[tuple[int, int], float] = {}
        for (a, b), p in found.items():
            for (x, y), q in step.items():
                key = (a + x, b + y)
                after[key] = after.get(key, 0.0) + p * q
        found = after
    return found


def _of_throw(throw: Throw, rank: Rank, counts: Callable[[str], bool]) -> dict[tuple[int, int], float]:
    """The same of one throw."""
    found: dict[tuple[int, int], float] = {}
    for outcome in throw.outcomes:
        key = _around([r for k, r in zip(throw.rows, outcome.ranks, strict=True) if counts(k)], rank)
        found[key] = found.get(key, 0.0) + outcome.chance
    return found

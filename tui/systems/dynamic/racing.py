"""The odds of a round: what each declaration and each size may roll, before the dice."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import RollAsk
from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Race, Throw
from tui.core.odds.spread import Spread, added, always, best_of_two, changed, die
from tui.systems.dynamic.pool import Pool
from tui.systems.dynamic.rolls import number_of, pool_of, shifts_of
from tui.systems.dynamic.rows import roller, rows, takers
from tui.systems.shared.numbering import Numbering, fixed, track_notes
from tui.systems.shared.racing import given, throw, throw_of
from tui.systems.shared.ties import fresh


def race(s: Numbering, e: Encounter) -> Race | None:
    """The race of a round; None where earlier dice or the game master's hand weigh in."""
    if e.shifts or s.lateness(e):
        return None
    all_ = [x for x in rows(e) if fresh(e, x)]
    throws, totals = list[Throw](), dict[str, Spread]()
    for x in all_:
        if (place := fixed(s, e, x)) is not None:
            throws.append(throw(s, e, x, always(place)))
    for taker in takers(e):
        mine = [x for x in all_ if roller(e, x.key) == taker.key and fixed(s, e, x) is None]
        spread, worth = _worth(e, taker, mine)
        if len(mine) > 1 and track_notes(e).ties:
            return None
        throws.append(
            throw_of(s, e, mine, spread, worth)
            if len(mine) > 1
            else throw(s, e, mine[0], changed(spread, worth[mine[0].key].__getitem__))
        )
        totals |= {x.key: changed(spread, worth[x.key].__getitem__) for x in mine}
    return Race((Case(1.0, tuple(throws)),), totals=totals, given=given(s, e))


def _worth(e: Encounter, taker: Entry, mine: Sequence[Entry]) -> tuple[Spread, dict[str, dict[int, int]]]:
    """What a taker may roll, and what each of its rows makes of every sum."""
    values = track_notes(e).values
    if all(x.key in values for x in mine):
        return always(0), {x.key: {0: values[x.key]} for x in mine}
    pool = pool_of(e, taker)
    spread, shifts = spread_of(pool), shifts_of(e, taker, mine)
    return spread, {x.key: {n: number_of(e, x, n, shifts[x.key], pool) for n in spread} for x in mine}


def spread_of(pool: Pool) -> Spread:
    """What a pool may come to; of the die that falls twice one face counts."""
    dice = [
        best_of_two(sides, low=pool.low) if place == pool.twice else die(sides)
        for place, sides in enumerate(pool.dice)
    ]
    return added([*dice, always(pool.flat)])


def ways(e: Encounter, taker: Entry, ask: RollAsk) -> list[tuple[float, tuple[int, ...]]]:
    """One set of faces for each sum of a pool, with the chance of that sum; empty for other dice."""
    pool = pool_of(e, taker)
    if not ask.key.startswith("init ") or ask.dice != pool.rolled:
        return []
    found: dict[int, tuple[float, tuple[int, ...]]] = {0: (1.0, ())}
    for place, sides in enumerate(pool.dice):
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for so_far, (p, faces) in found.items():
            for face, q, more in _falls(pool, place, sides):
                chance, _ = after.get(so_far + face, (0.0, ()))
                after[so_far + face] = (chance + p * q, (*faces, *more))
        found = after
    return list(found.values())


def _falls(pool: Pool, place: int, sides: int) -> list[tuple[int, float, tuple[int, ...]]]:
    """What a die of a pool counts, the chance of that, and faces that give it."""
    if sides == 1:
        return [(1, 1.0, ())]
    if place != pool.twice:
        return [(face, p, (face,)) for face, p in die(sides).items()]
    other = sides if pool.low else 1
    return [(face, p, (face, other)) for face, p in best_of_two(sides, low=pool.low).items()]

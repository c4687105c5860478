"""The race of a track: the numbers that its rows may still throw, and what wins ties among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Outcome, Race, Rank, Throw, alone
from tui.core.odds.spread import Spread, always, counted
from tui.systems.shared.numbering import (
    BY_HAND,
    TOGETHER,
    Numbering,
    fixed,
    here,
    number,
    tie_break,
    tie_rule,
    track_notes,
)
from tui.systems.shared.placing import level
from tui.systems.shared.ties import fresh

BY_THE_GM = "ties that the game master settles by hand are counted as even"
AT_ONCE = (
    "equals act in the same moment; they are counted in the order of the roster, as their turns are shown"
)


def spread_of(s: Numbering, e: Encounter, entry: Entry) -> Spread | None:
    """What an entry may throw, by all faces of its dice; None where they are too many."""
    return counted(s.dice_for(e, entry), lambda faces: s.total(e, entry, faces))


def settled_before(e: Encounter) -> bool:
    """Whether rows were put elsewhere, or share a roll of before: what they throw is not theirs alone."""
    return bool(e.shifts or track_notes(e).kin)


def ranks(s: Numbering, e: Encounter, entry: Entry, value: int) -> list[tuple[Rank, float]]:
    """What orders an entry that has this number, before the next roll-off among equals (`placing.rank`).

    Against whom has thrown in a roll-off before, it throws as often as that one did, while they are level.
    """
    n, place = track_notes(e), fixed(s, e, entry) is not None
    rule = n.rules.get(str(value)) or tie_rule(s, e)
    late = s.lateness(e).get(entry.key, 0)
    known = entry.key in n.values
    won = 0 if place else tie_break(s, e, entry, rule, n) if known else s.tie_break(e, entry, rule)
    first = (-value if s.high_first else value, late, int(place), -won)
    if place or rule == TOGETHER:
        # Who is not parted by dice stands in the order of the roster.
        return [((*first, here(s, e).index(entry) + 1), 1.0)]
    level_now = [x for x in s.ranked(e) if x.key != entry.key and level(s, e, x, n) == first]
    thrown = [tuple(n.ties.get(x.key, ())) for x in level_now]
    return [
        ((*first, 0, *(-t for t in off)), p)
        for off, p in _thrown(s, tuple(n.ties.get(entry.key, ())), thrown)
    ]


def _thrown(
    s: Numbering, so_far: tuple[int, ...], others: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], float]]:
    """What an entry will have thrown in roll-offs once it has caught up with all who are level with it."""
    ahead = [x for x in others if len(x) > len(so_far) and x[: len(so_far)] == so_far]
    if not ahead:
        yield so_far, 1.0
        return
    for face in range(1, s.rolloff_die + 1):
        for off, p in _thrown(s, (*so_far, face), ahead):
            yield off, p / s.rolloff_die


def throw(s: Numbering, e: Encounter, entry: Entry, spread: Mapping[int, float]) -> Throw:
    """The throw of one row, from the numbers that it may have."""
    outcomes: dict[Rank, float] = {}
    for number_, chance in spread.items():
        for rank, p in ranks(s, e, entry, number_):
            outcomes[rank] = outcomes.get(rank, 0.0) + chance * p
    return alone(entry.key, outcomes.items())


def throw_of(
    s: Numbering,
    e: Encounter,
    rows: Sequence[Entry],
    spread: Mapping[int, float],
    worth: Mapping[str, Mapping[int, int]],
) -> Throw:
    """The throw of rows that one roll gives their numbers; `worth`: what each makes of it. Only while none has rolled off."""
    outcomes = tuple(
        Outcome(chance, tuple(ranks(s, e, x, worth[x.key][n])[0][0] for x in rows))
        for n, chance in spread.items()
    )
    return Throw(tuple(x.key for x in rows), outcomes, kin=len(rows) > 1)


def race(s: Numbering, e: Encounter) -> Race | None:
    """The race of a track on which every row throws for itself; None where one roll counts for several, or rows were moved."""
    if settled_before(e):
        return None
    throws, totals = list[Throw](), dict[str, Spread]()
    for x in s.rollers(e):
        known = number(s, e, x)
        spread = spread_of(s, e, x) if known is None else always(known)
        if spread is None:
            return None
        if fresh(e, x):
            throws.append(throw(s, e, x, spread))
            totals[x.key] = spread
    return Race((Case(1.0, tuple(throws)),), totals=totals, given=given(s, e))


def stands(order: Iterable[Entry], said: tuple[str, ...] = ()) -> Race:
    """The race of an order that is known."""
    throws = (alone(x.key, [((place,), 1.0)]) for place, x in enumerate(order))
    return Race((Case(1.0, tuple(throws)),), kept=True, given=said)


def given(s: Numbering, e: Encounter) -> tuple[str, ...]:
    """What is taken for granted about ties."""
    by_hand = s.option(e, BY_HAND.key) if any(f.key == BY_HAND.key for f in s.options) else False
    if tie_rule(s, e) == TOGETHER:
        return (AT_ONCE,)
    return (BY_THE_GM,) if by_hand or tie_rule(s, e) == "by_hand" else ()

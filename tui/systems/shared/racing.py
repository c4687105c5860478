"""The race of a track: the numbers that its rows may still throw, and what wins ties among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.fight.encounter import Encounter, Entry
from tui.core.odds.race import Case, Outcome, Race, Rank, Throw
from tui.core.odds.spread import Spread, always, counted
from tui.systems.shared.numbering import (
    BY_HAND,
    TOGETHER,
    Numbering,
    fixed,
    here,
    number,
    tie_rule,
    track_notes,
)

BY_THE_GM = "ties that the game master settles by hand are counted as even"


def spread_of(s: Numbering, e: Encounter, entry: Entry) -> Spread | None:
    """What an entry may throw, by all faces of its dice; None where they are too many."""
    return counted(s.dice_for(e, entry), lambda faces: s.total(e, entry, faces))


def settled_before(e: Encounter) -> bool:
    """Whether dice that fell before, or the game master's hand, weigh in beside the numbers."""
    n = track_notes(e)
    return bool(e.shifts or n.ties or n.rules)


def rank(s: Numbering, e: Encounter, entry: Entry, value: int) -> Rank:
    """What orders an entry that throws this number, before any roll-off (the order of `placing.level`)."""
    place, rule = fixed(s, e, entry) is not None, tie_rule(s, e)
    late = s.lateness(e).get(entry.key, 0)
    won = 0 if place else -s.tie_break(e, entry, rule)
    # Who is not parted by dice stands in the order of the roster.
    seat = here(s, e).index(entry) + 1 if place or rule == TOGETHER else 0
    return (-value if s.high_first else value, late, int(place), won, seat)


def throw(
    s: Numbering,
    e: Encounter,
    rows: Sequence[Entry],
    spread: Mapping[int, float],
    worth: Mapping[str, Mapping[int, int]] = {},
) -> Throw:
    """The throw of rows that one roll gives their numbers; `worth`: what a row makes of each roll, else the roll."""
    outcomes = tuple(
        Outcome(chance, tuple(rank(s, e, x, worth[x.key][n] if x.key in worth else n) for x in rows))
        for n, chance in spread.items()
    )
    return Throw(tuple(x.key for x in rows), outcomes, kin=len(rows) > 1)


def race(s: Numbering, e: Encounter) -> Race | None:
    """The race of a track on which every row throws for itself; None where earlier dice weigh in."""
    if settled_before(e):
        return None
    throws, totals = list[Throw](), dict[str, Spread]()
    for x in here(s, e):
        known = number(s, e, x)
        spread = spread_of(s, e, x) if known is None else always(known)
        if spread is None:
            return None
        throws.append(throw(s, e, [x], spread))
        totals[x.key] = spread
    return Race((Case(1.0, tuple(throws)),), totals=totals, given=given(s, e))


def given(s: Numbering, e: Encounter) -> tuple[str, ...]:
    """What is taken for granted about ties."""
    by_hand = s.option(e, BY_HAND.key) if any(f.key == BY_HAND.key for f in s.options) else False
    return (BY_THE_GM,) if by_hand or tie_rule(s, e) == "by_hand" else ()

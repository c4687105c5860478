"""Tell which side goes first, and whose turn it is to choose."""

from __future__ import annotations

from msgspec import Struct

from tui.core.fight.agenda import Ask, PickAsk, RollAsk, say
from tui.core.fight.encounter import GM, SIDE, USUAL_SIDES, Encounter, Entry, unacted
from tui.core.rules.system import InitiativeSystem, notes

HEROES = SIDE + USUAL_SIDES[0]
ENOUGH = 6
"""The least face of the d10 with which the heroes go first."""


class AlternateNotes(Struct, frozen=True):
    """Notes of the fight; sides are keys.

    `line`: all sides in order of joining; `die`: the d10 of the heroes; `named`: the side that the GM named;
    `first`: the side that begins the round; `last`: the side that acted last in this round.
    """

    line: tuple[str, ...] = ()
    die: int = 0
    named: str = ""
    first: str = ""
    last: str = ""


def alternate_notes(e: Encounter) -> AlternateNotes:
    """Return the notes of the fight."""
    return notes(e, AlternateNotes)


def line_of(s: InitiativeSystem, e: Encounter) -> tuple[str, ...]:
    """Return all sides in order of joining; one that is gone keeps its place."""
    return tuple(dict.fromkeys((*alternate_notes(e).line, *(SIDE + c.side for c in s.in_play(e)))))


def present(s: InitiativeSystem, e: Encounter) -> list[str]:
    """Return the sides that are here, in order of joining."""
    here = {SIDE + c.side for c in s.in_play(e)}
    return [key for key in line_of(s, e) if key in here]


def asks(s: InitiativeSystem, e: Encounter) -> tuple[Ask, ...]:
    """Return what decides the side that goes first, before the first turn: a d10 or the GM's choice."""
    if e.phase != "rolls":
        return ()
    n, here, how = alternate_notes(e), present(s, e), s.option(e, "alt.first")
    if how == "gm" and n.named not in here and len(here) > 1:
        return (PickAsk("first", GM, tuple(here), say("Which side goes first?", rule="ALT-1")),)
    # Also with no foe to be seen: a die that nobody asks for would tell players that nobody hides.
    if how == "roll" and HEROES in here and not n.die:
        return (die_ask(),)
    return ()


def die_ask() -> RollAsk:
    """Return the roll of the heroes."""
    why = say(f"{{0}} rolls a d10: with {ENOUGH} or more they go first", HEROES, rule="ALT-1")
    return RollAsk("init", HEROES, (10,), why)


def beginner(s: InitiativeSystem, e: Encounter) -> str:
    """Return the side that goes first by the die, the GM or the house rule; "" with nobody here."""
    n, here, how = alternate_notes(e), present(s, e), s.option(e, "alt.first")
    if how == "gm" and n.named in here:
        return n.named
    if HEROES in here and (how == "heroes" or (how == "roll" and n.die >= ENOUGH)):
        return HEROES
    return next((key for key in here if key != HEROES), *here[:1] or ("",))


def waiting(s: InitiativeSystem, e: Encounter) -> list[Entry]:
    """Return who still has a turn in this round, in roster order."""
    return [x for x in s.entries(e) if unacted(e.combatants[k] for k in x.members)]


def side_key(e: Encounter, entry: Entry) -> str:
    """Return the key of the side of an entry."""
    return SIDE + e.combatants[entry.members[0]].side


def around(s: InitiativeSystem, e: Encounter, first: str, *, after: bool = False) -> list[str]:
    """Return all sides in order of joining, from this one on, or from the one after it."""
    line = line_of(s, e)
    at = line.index(first) + after if first in line else 0
    return [*line[at:], *line[:at]]


def current(s: InitiativeSystem, e: Encounter) -> str:
    """Return the side that chooses; "" when all have acted. A side without anybody left is passed over."""
    n, left = alternate_notes(e), {side_key(e, x) for x in waiting(s, e)}
    line = around(s, e, n.last, after=True) if n.last else around(s, e, n.first)
    return next((key for key in line if key in left), "")

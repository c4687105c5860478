"""The edges of turns that conditions count: which of them end, and which have less left."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tui.core.fight import events as ev
from tui.core.fight.combatant import BEGUN, Combatant, Condition
from tui.core.fight.encounter import SIDE, Encounter, key_of, members


def passed(e: Encounter, edge: str, whose: Collection[str] | None) -> Iterator[ev.Event]:
    """One edge (start, end) of the turns of `whose` (keys; None: of everybody) has passed."""
    for c in e.combatants.values():
        for x in c.conditions:
            if x.until == edge and x.rounds and (whose is None or (x.of or c.id) in whose):
                yield _less(c, x)


def _less(c: Combatant, x: Condition) -> ev.Event:
    # The end of the turn in which it was given takes nothing but its freshness.
    if x.fresh:
        return ev.Ticked(c.id, x.name, x.rounds, x.of)
    if x.rounds <= 1:
        return ev.Cleared(c.id, x.name, over=True, of=x.of)
    return ev.Ticked(c.id, x.name, x.rounds - 1, x.of)


def starting(e: Encounter, key: str, who: Collection[str]) -> set[str]:
    """The keys whose turn starts for the first time in this round with this entry's; after a delay it has started before."""
    first = {k for k in who if k in e.combatants and not {"acted", BEGUN} & e.combatants[k].marks.keys()}
    return first | ({key} if first and not _in_part(e, key, who) else set())


def ending(e: Encounter, key: str, who: Collection[str]) -> set[str]:
    """Whose turn ends when an entry's turn is over; a group's ends once in a round."""
    return {*who, *(() if _in_part(e, key, who) else (key,))}


def _in_part(e: Encounter, key: str, who: Collection[str]) -> bool:
    """Whether others of a group have had its turn before, or have begun it."""
    return key.startswith(SIDE) and any(
        c.id not in who and {"acted", BEGUN} & c.marks.keys() for c in members(e, key)
    )


def missed(e: Encounter) -> tuple[set[str], set[str]]:
    """Whose turn never started in the round that ends, and whose never ended: they count all the same."""
    bearers = {k for c in e.combatants.values() for x in c.conditions for k in (x.of or c.id, c.id)}
    unstarted = {k for k in bearers if not any({"acted", BEGUN} & c.marks.keys() for c in _behind(e, k))}
    return unstarted, {k for k in bearers if not any("acted" in c.marks for c in _behind(e, k))}


def _behind(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """The creatures behind a key, also those who were removed: whoever had a turn this round keeps having had it."""
    return members(e, key) or tuple(c for k, c in e.gone.items() if key in (k, key_of(c)))

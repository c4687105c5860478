"""Creatures who go from one fight into another, as they are: hit points, conditions, cards and all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.combatant import Combatant, Condition, relieved
from tui.core.fight.encounter import SIDE, Encounter, label, members
from tui.core.fight.errors import RuleError
from tui.core.language.select import resolve
from tui.core.rules.decide import drafted
from tui.core.rules.draft import Draft
from tui.core.rules.fields import unfit
from tui.core.rules.names import NamesInUse, check_places, free
from tui.core.rules.newcomers import MOST_COMBATANTS, may_hide
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep.leaving import gone


def chosen(e: Encounter, who: str) -> tuple[Combatant, ...]:
    """Who goes: those named, or, with "", everybody. Staged arrivals count their rounds from now.

    A condition of somebody who stays behind keeps the name alone (`@Ana`). Raises RuleError.
    """
    ids = resolve(e, who) if who else tuple(e.combatants)
    if not ids:
        raise RuleError("nobody is there")
    people = [e.combatants[k] for k in ids]
    going = {*ids, *(SIDE + c.group for c in people if c.group)}

    def named(x: Condition) -> Condition:
        return x if not x.of or x.of in going else replace(x, of=SIDE + label(e, x.of))

    return tuple(
        replace(c, arrives=max(0, c.arrives - e.round), conditions=tuple(map(named, c.conditions)))
        for c in people
    )


def left(e: Encounter, people: Iterable[Combatant], system: InitiativeSystem) -> Draft:
    """The fight that they leave. Raises RuleError."""
    people = tuple(people)
    ids = tuple(c.id for c in people)

    def go(d: Draft, system: InitiativeSystem) -> None:
        d.emit(*(ev.Removed(k) for k in ids))
        gone(d, system, ids)
        d.notices.extend(_left_behind(e, people))

    return drafted(e, system, go)


def entered(
    e: Encounter, people: Sequence[Combatant], system: InitiativeSystem, before: InitiativeSystem
) -> Draft:
    """Return the fight that they come into, from one that `before` runs.

    Raises RuleError when a name is taken, or a side is not there.
    """
    if len(e.combatants) + len(people) > MOST_COMBATANTS:
        raise RuleError(f"a fight holds {MOST_COMBATANTS} combatants at the most")

    def come(d: Draft, system: InitiativeSystem) -> None:
        ids = _come(d, system, before, people)
        here = tuple(k for k in ids if d.encounter.combatants[k].arrives <= d.encounter.round)
        if d.encounter.running and here:
            system.joined(d, here)

    return drafted(e, system, come)


def _come(
    d: Draft, system: InitiativeSystem, before: InitiativeSystem, people: Sequence[Combatant]
) -> list[str]:
    """Puts them into the roster under new numbers; the numbers they got."""
    first = d.encounter.serial + 1
    numbers = {c.id: f"c{first + i}" for i, c in enumerate(people)}
    keys = numbers | {SIDE + c.group: SIDE + c.group for c in people if c.group}
    # Whoever stayed behind when the bearer went is found again by name.
    known = {SIDE + c.name: c.id for c in d.encounter.combatants.values()}
    known |= {SIDE + c.name: numbers[c.id] for c in people}
    borne = {x.of for c in people for x in c.conditions if x.of}
    keys |= {of: known.get(of, of) for of in borne if of not in keys}
    taken = NamesInUse(d.encounter.combatants.values())
    cards: dict[str, list[str]] = {}
    for c in people:
        free(taken, system.sides, c.name, "rename one of them first")
        if c.alias:
            free(taken, system.sides, c.alias, "`alias` gives it another")
        new = _arriving(c, keys, d.encounter.round)
        check_places(d.encounter, system.sides, new, taken)
        if new.hidden:
            may_hide(d.encounter, system)
        d.emit(ev.Added(new))
        taken.put(new)
        for key in unfit(system, before, new):
            d.emit(ev.FieldSet(new.id, key, empty=True, quiet=True))
        if c.card:
            cards.setdefault(c.card, []).append(new.id)
        _tell_absent(d, new)
    d.emit(*(ev.Carded(tuple(ids), card, quiet=True) for card, ids in cards.items()))
    return list(numbers.values())


def _left_behind(e: Encounter, people: Iterable[Combatant]) -> Iterator[str]:
    """Which conditions go along though whoever they are of stays."""
    named = {SIDE + c.name for c in e.combatants.values()} | {SIDE + c.group for c in e.combatants.values()}
    for c in people:
        for x in c.conditions:
            if x.of in named and x.of != SIDE + c.group:
                yield f"{c.name} takes {x.name} of {label(e, x.of)} along, who stays: it counts at the end of each round there"


def _tell_absent(d: Draft, c: Combatant) -> None:
    """Say which conditions are of somebody who is not here: their turns count at the end of each round."""
    for x in c.conditions:
        if x.of and not members(d.encounter, x.of) and x.of.startswith(SIDE):
            name, what = literal(label(d.encounter, x.of)), literal(x.name)
            counts = ": its turns count at the end of each round" if x.until else ""
            d.announce(f"{{0}}: {what} of {name}, who is not here{counts}", c.id)


def _arriving(c: Combatant, keys: dict[str, str], number: int) -> Combatant:
    """A creature under its new number (`keys` are the new of the old), without what belonged to the fight that it left."""
    conditions = tuple(replace(x, of=keys.get(x.of, ""), fresh=False) for x in c.conditions)
    return replace(
        relieved(c),
        id=keys[c.id],
        arrives=c.arrives + number if c.arrives else 0,
        conditions=conditions,
        marks={},
        card="",
    )

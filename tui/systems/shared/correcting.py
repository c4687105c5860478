"""Put right what was rolled for a track: number, those that share the roll, and the roll-offs it ends."""

from __future__ import annotations

from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, say
from tui.core.fight.encounter import DiceRoll, Encounter, Entry, key_of, label
from tui.core.rules.correcting import tell
from tui.core.rules.draft import Draft
from tui.systems.shared.declarations import Numbering, fixed, track_notes


def rolled(s: Numbering, e: Encounter) -> tuple[RollAsk, ...]:
    """Return the first rolls of all entries whose number came from dice, as they were asked for."""
    n = track_notes(e)
    asks = []
    for x in s.who_rolled(e):
        purpose = f"init {n.kin.get(x.key, x.key)}"
        roll = e.rolls.get(purpose)
        if roll is None or x.key not in n.values or fixed(s, e, x) is not None:
            continue
        if dice := roll.dice or s.dice_for(e, x):
            why = say("{0} rolls for a place in the order", x.key, rule=s.roll_rule)
            asks.append(RollAsk(purpose, x.key, dice, why, plain=True))
    return tuple(asks)


def pinned(s: Numbering, e: Encounter, who: str) -> str:
    """Return the line that ends a fixed place; "" for an entry without one."""
    key = key_of(e.combatants[who])
    entry = next((x for x in s.entries(e) if who in x.members), Entry(key, ()))
    name = next((c.name for k in entry.members if (c := e.combatants[k]).value is not None), "")
    place = fixed(s, e, entry)
    return (
        f"{label(e, entry.key)} stands at a fixed place, {place}: `set {quote(name)} value=none` ends it"
        if name
        else ""
    )


def correct(
    s: Numbering, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None
) -> None:
    """Write the right numbers, and forget roll-offs against those that are no longer tied."""
    before = track_notes(d.encounter)
    was = before.values[ask.who]
    numbers = s.corrected(d, s.entry(d.encounter, ask.who), new, old)
    tell(d, ask, was, numbers[ask.who])
    moved = {k: value for k, value in numbers.items() if before.values.get(k) != value}
    d.emit(*(ev.Noted("values", value, k) for k, value in moved.items()))
    d.emit(*(ev.Forgot("ties", k) for k in moved if k in before.ties))
    n = track_notes(d.encounter)
    left = [k for k, value in n.values.items() if value == was]
    # One that is alone at its number now has been tied with nobody.
    if len({n.kin.get(k, k) for k in left}) == 1:
        d.emit(*(ev.Forgot("ties", k) for k in left if k in n.ties))
    if len({n.kin.get(k, k) for k in left}) <= 1 and str(was) in n.rules:
        d.emit(ev.Forgot("rules", str(was)))

"""A round of the Dynamic Initiative System: how it opens, goes on from declarations to turns, and is swept away."""

from __future__ import annotations

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.rules.draft import Draft
from tui.core.rules.system import next_round
from tui.systems.dynamic import disruption
from tui.systems.dynamic.declarations import forms, picks
from tui.systems.dynamic.notes import OF_A_ROUND, notes_of
from tui.systems.dynamic.rolls import pool_of
from tui.systems.dynamic.rows import declares, roller, rows, takers, valueless
from tui.systems.dynamic.surprise import cut
from tui.systems.dynamic.timing import before_dice, may_surprise
from tui.systems.shared.placing import decided, forget_order
from tui.systems.shared.rolling import give_number
from tui.systems.shared.track import TrackSystem


def open_round(s: TrackSystem, d: Draft) -> None:
    """The next round: declarations are open, and the GM is reminded of surprise and intents (DIS-9)."""
    next_round(d, s)
    asking = any(declares(d.encounter, x.key) for x in takers(d.encounter))
    d.emit(ev.PhaseEntered("orders" if asking else "rolls"))
    who = "Who is surprised? " if may_surprise(d.encounter) else ""
    d.announce(f"{who}What are the enemies about to do?", rule="DIS-2" if who else "DIS-3")


def sweep(d: Draft) -> None:
    """Nothing is carried over (DIS-26) but what the players declared, which the next form suggests."""
    forget_order(d)
    disruption.forget(d)
    kept = d.encounter.notes
    d.emit(*(ev.Forgot(key) for key in OF_A_ROUND if kept.get(key)))
    if d.encounter.orders:
        d.emit(ev.OrdersForgotten())


def reopen(d: Draft) -> None:
    """A round that needed no die was ready for its turns, and something is changed after all."""
    if d.encounter.phase == "turns":
        forget_order(d)
        d.emit(ev.PhaseEntered("orders"))


def settle(s: TrackSystem, d: Draft) -> None:
    """On to the rolls when all have declared; on to the turns when all is rolled."""
    if before_dice(d.encounter):
        cut(d)
        # A newcomer before the dice reopens a round that had nothing to roll and was ready for its turns.
        if valueless(d.encounter) or forms(d.encounter):
            reopen(d)
    if d.encounter.phase == "turns":
        _number_the_diceless(s, d)
        return
    owing = forms(d.encounter)
    phase = "orders" if owing else "rolls"
    if d.encounter.phase != phase:
        d.emit(ev.PhaseEntered(phase))
    if owing or picks(d.encounter):
        return
    _number_the_diceless(s, d)
    if not s.due(d.encounter):
        d.emit(ev.PhaseEntered("turns"))
        decided(s, d, s.standing(d.encounter))


def _number_the_diceless(s: TrackSystem, d: Draft) -> None:
    """When the last die has fallen, those who had none to roll have their numbers."""
    left = valueless(d.encounter)
    if not any(pool_of(d.encounter, x).rolled for x in left):
        for x in left:
            give_number(s, d, x, ())


def missed(e: Encounter, who: str) -> bool:
    """Whether somebody who is back has no number and cannot get one any more."""
    row = next(x for x in rows(e) if who in x.members)
    if row.key in notes_of(e).values or any(e.combatants[k].value is not None for k in row.members):
        return False
    key = roller(e, row.key)
    return e.phase == "turns" or (declares(e, key) and key not in e.orders)

"""A round of the Dynamic Initiative System: how it opens, goes on and is swept away; saves of casters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, RollAsk, Sentence, say
from tui.core.fight.encounter import Encounter, Entry, unacted
from tui.core.rules.draft import Draft
from tui.systems.dynamic.open import is_open, may_surprise, reopen
from tui.systems.dynamic.orders import forms, picks
from tui.systems.dynamic.surprise import cut
from tui.systems.shared.numbering import number
from tui.systems.shared.placing import decided, forget_order
from tui.systems.shared.rolling import give_number

if TYPE_CHECKING:
    from tui.systems.dynamic.track import DynamicTrack

SAVE = 10
"""The difficulty of a save that keeps a spell (DIS-17)."""


def open_round(s: DynamicTrack, d: Draft) -> None:
    """Orders are open; the GM is reminded of surprise and intents."""
    asking = any(s.declares(d.encounter, x.key) for x in s.takers(d.encounter))
    d.emit(ev.PhaseEntered("orders" if asking else "rolls"))
    who = "Who is surprised? " if may_surprise(s, d.encounter) else ""
    d.announce(f"{who}What are the enemies about to do?", rule="DIS-2" if who else "DIS-3")


def sweep(s: DynamicTrack, d: Draft) -> None:
    """Nothing is carried over (DIS-26) but what the players declared, which the next form suggests."""
    forget_order(d)
    n = s.track_notes(d.encounter)
    for key in ("apart", "later", "resize", "saves", "sums"):
        if getattr(n, key):
            d.emit(ev.Forgot(key))
    if d.encounter.orders:
        d.emit(ev.OrdersForgotten())


def settle(s: DynamicTrack, d: Draft) -> None:
    """On to the rolls when all have declared; on to the turns when all is rolled."""
    if is_open(s, d.encounter):
        cut(s, d)
        if d.encounter.phase == "turns" and (_valueless(s, d.encounter) or forms(s, d.encounter)):
            reopen(d)
    if d.encounter.phase == "turns":
        _flat(s, d)
        return
    owing = forms(s, d.encounter)
    phase = "orders" if owing else "rolls"
    if d.encounter.phase != phase:
        d.emit(ev.PhaseEntered(phase))
    if owing or picks(s, d.encounter):
        return
    _flat(s, d)
    if not s.due(d.encounter):
        d.emit(ev.PhaseEntered("turns"))
        decided(s, d, s.standing(d.encounter))


def _valueless(s: DynamicTrack, e: Encounter) -> list[Entry]:
    return [x for x in s.takers(e) if number(s, e, x) is None]


def missed(s: DynamicTrack, e: Encounter, who: str) -> bool:
    """Whether somebody who is back has no number and cannot get one any more."""
    row = next(x for x in s.entries(e) if who in x.members)
    key = s.roller(e, row.key)
    return number(s, e, row) is None and (e.phase == "turns" or (s.declares(e, key) and key not in e.orders))


def _flat(s: DynamicTrack, d: Draft) -> None:
    """When the last die has fallen, those who had none to roll have their numbers."""
    left = _valueless(s, d.encounter)
    if not any(s.hand(d.encounter, x).rolled for x in left):
        for x in left:
            give_number(s, d, x, ())


def saves(s: DynamicTrack, e: Encounter) -> tuple[Ask, ...]:
    """The saves that damaged casters owe, one at a time (DIS-A22)."""
    found = []
    for who, (asked, done) in s.track_notes(e).saves.items():
        c = e.combatants.get(who)
        if c is not None and done < asked and not c.out and unacted([c]) and "cantrips" not in c.marks:
            why = say(
                f"{{0}} wanted to cast and was hurt: Constitution save against {SAVE}", who, rule="DIS-17"
            )
            found.append(RollAsk(f"save{done} {who}", who, (20,), why))
    return tuple(sorted(found, key=lambda ask: list(e.combatants).index(ask.who)))


def saved(s: DynamicTrack, d: Draft, who: str, face: int) -> None:
    """A save is rolled: below 10 only cantrips are left."""
    c = d.encounter.combatants[who]
    asked, done = s.track_notes(d.encounter).saves[who]
    total = face + c.number("con")
    d.emit(ev.Noted("saves", [asked, done + 1], who))
    kept = total >= SAVE
    d.announce(
        f"{{0}} saves with {total}: the spell " + ("stands" if kept else "is lost"), who, rule="DIS-17"
    )
    if not kept:
        d.mark((who,), "cantrips", "round")


def remarks(s: DynamicTrack, e: Encounter) -> tuple[Sentence, ...]:
    """Limits and rights of who acts; before the dice, surprise."""
    if e.turn:
        people = [e.combatants[k] for k in e.turn.members if k in e.combatants]
        found = [
            say("{0} is surprised: no reaction", c.id, rule="DIS-24")
            for c in people
            if "surprised" in c.marks
        ]
        found += [say("{0}: cantrips only", c.id, rule="DIS-17") for c in people if "cantrips" in c.marks]
        if s.declares(e, e.acting) and people:
            found.append(say("`switch` for another action", rule="DIS-7"))
        return tuple(found)
    if not is_open(s, e) or not may_surprise(s, e):
        return ()
    caught = [say("{0} is surprised", c.id, rule="DIS-24") for c in s.in_play(e) if "surprised" in c.marks]
    return tuple(caught[:4]) or (say("nobody is surprised: `surprised WHO`, `notice`", rule="DIS-2"),)

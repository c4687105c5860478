"""A contest from beginning to end: enemies appear, dice are judged, the winner gets what the rules give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, OpposedOutcome
from tui.core.rules.draft import Draft
from tui.systems.dungeon.contest import Side, Verdict, judge
from tui.systems.dungeon.notes import DARK, HEROES, Contest, forget, notes_of
from tui.systems.dungeon.rollers import opposed_asks, rollers
from tui.systems.dungeon.surprise import catch_asks, caught, surprise
from tui.systems.dungeon.two_sides import TwoSides


def opened(d: Draft, contest: Contest, who: Sequence[str]) -> None:
    """These enemies appear, and one opposed roll is owed for all of them (DUN-9)."""
    plain = {k: v for k in Contest.__struct_fields__ if (v := getattr(contest, k))}
    d.mark([k for k in who if "met" not in d.encounter.combatants[k].marks], "met", "fight")
    d.mark(who, "new", "fight")
    if any(k.startswith("opposed ") for k in d.encounter.rolls):
        # The purpose names only the creature: old dice could be read as those of the new contest.
        d.emit(ev.RollsForgotten("opposed "))
    d.emit(ev.Noted("contest", plain))
    if not notes_of(d.encounter).combat:
        d.emit(ev.PhaseEntered("rolls"))


def contest_asks(e: Encounter, system: TwoSides) -> tuple[Ask, ...]:
    """What the contest waits for: a fair die, the opposed dice, or the GM's word on distances."""
    contest = notes_of(e).contest
    match contest.stage if contest else "":
        case "opposed":
            return opposed_asks(e, system)
        case "caught" if contest:
            return catch_asks(e, system, contest)
        case _:
            return ()


# --- answers


def answered(d: Draft, system: TwoSides, ask: Ask, answer: tuple[Any, ...]) -> None:
    """A fair die, one roller's dice, or the victims that the GM ticked."""
    word, _, rest = ask.key.partition(" ")
    if word == "draw":
        found = rollers(d.encounter, system, rest)
        d.emit(ev.Noted("contest", found[answer[0] - 1].id, rest))
        d.announce("The die chooses {0}", found[answer[0] - 1].id, rule="DUN-7")
    elif word == "opposed":
        d.emit(ev.Noted("faces", list(answer), ask.who))
    else:
        _finish(d, system, answer)


def advance(d: Draft, system: TwoSides) -> None:
    """The steps of a contest that need nobody."""
    contest = notes_of(d.encounter).contest
    if contest is None:
        return
    if contest.stage == "opposed":
        both = [rollers(d.encounter, system, side) for side in (HEROES, DARK)]
        # A roller may have fallen or been removed while the dice were still owed.
        if not all(both):
            _off(d)
        elif all(len(found) == 1 and found[0].id in notes_of(d.encounter).faces for found in both):
            _judge(d, system, contest, both[0][0], both[1][0])
    elif contest.stage == "caught" and not catch_asks(d.encounter, system, contest):
        _finish(d, system, ())


def _off(d: Draft) -> None:
    d.announce("Nobody is left to roll against: no contest")
    closed(d)
    if not notes_of(d.encounter).combat:
        d.emit(ev.PhaseEntered("exploration"))


def closed(d: Draft) -> None:
    """The contest is over; nothing of it stays but what it decided (DUN-27)."""
    forget(d, "contest", "faces")
    d.unmark([c.id for c in d.encounter.combatants.values()], "new")


# --- the verdict


def _side(e: Encounter, c: Combatant) -> Side:
    return Side(c.id, c.number("per"), c.number("mod"), c.number("int"), tuple(notes_of(e).faces[c.id]))


def _judge(d: Draft, system: TwoSides, contest: Contest, hero: Combatant, enemy: Combatant) -> None:
    sides = (_side(d.encounter, hero), _side(d.encounter, enemy))
    verdict = judge(*sides, double_one_loses=bool(system.option(d.encounter, "dun.double_one_loses")))
    if verdict is None:
        d.announce("{0} and {1} are equal in everything: both roll again", hero.id, enemy.id, rule="DUN-4")
        forget(d, "faces")
        return
    won = HEROES if verdict.winner.who == hero.id else DARK
    totals = {s.who: s.total for s in sides}
    d.emit(ev.Decided(OpposedOutcome(verdict.winner.who, verdict.loser.who, verdict.by, totals)))
    d.emit(ev.Noted("contest", won, "won"))
    _tell(d, verdict, won if system.contest_rule(d.encounter) == "DUN-10" else "")
    if surprise(d, system, replace(contest, won=won), verdict):
        _finish(d, system, ())


def _tell(d: Draft, v: Verdict, won: str) -> None:
    """Who won, and by what; at a first meeting by sides also who strikes first (DUN-1)."""
    pair = (v.winner.who, v.loser.who)
    first = {HEROES: "; the heroes strike first", DARK: "; the dark side strikes first"}.get(won, "")
    score = f"{v.winner.total} to {v.loser.total}"
    match v.by:
        case "critical":
            d.announce(f"Critical failure: {{1}} rolled a double 1, {{0}} wins{first}", *pair, rule="DUN-5")
        case "intelligence":
            level = f"{{0}} and {{1}} are level at {v.winner.total}: {{0}} wins on Intelligence"
            d.announce(f"{level}{first}", *pair, rule="DUN-3")
        case _:
            d.announce(f"{{0}} beats {{1}}, {score}{first}", *pair, rule="DUN-2")


def _finish(d: Draft, system: TwoSides, picked: Sequence[str]) -> None:
    """The end of a contest: victims are marked, distances forgotten, and the winner gets what the rules give."""
    caught(d, system, picked)
    for c in list(d.encounter.combatants.values()):
        # A distance is true for one contest; those of creatures in reserve were told for the next.
        if "distance" in c.fields and (c.side == HEROES or "met" in c.marks):
            d.emit(ev.FieldSet(c.id, "distance", empty=True, quiet=True))
    system.conclude(d, notes_of(d.encounter).contest or Contest(""))

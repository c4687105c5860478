"""Caught by surprise: whom the winner of a first meeting catches, and what the GM must say about distances."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, OpposedOutcome
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.contest import FAR, Catch, Verdict, catch, squares
from tui.systems.dungeon.notes import DARK, HEROES, Contest, notes_of, several, team


def catch_asks(e: Encounter, system: InitiativeSystem, contest: Contest) -> tuple[Ask, ...]:
    """Who stands near enough to be caught, where nobody has said how far away they stand (DUN-19)."""
    known = _squares(e, contest)
    unknown = tuple(c.id for c in losers_of(e, contest) if c.id in contest.reach and c.id not in known)
    if not unknown:
        return ()
    winner = e.outcome.winner if isinstance(e.outcome, OpposedOutcome) else GM
    text = f"Who is within {system.option(e, 'dun.radius')} squares of {{0}}, and so caught by surprise?"
    why = say(text, winner, *unknown, rule="DUN-19")
    return (PickAsk("caught", GM, unknown, why, 0, len(unknown)),)


def losers_of(e: Encounter, contest: Contest) -> list[Combatant]:
    """Everybody on the side that lost."""
    return team(e, DARK if contest.won == HEROES else HEROES)


def _squares(e: Encounter, contest: Contest) -> dict[str, int]:
    if not isinstance(e.outcome, OpposedOutcome):
        return {}
    return squares(losers_of(e, contest), e.outcome.loser, e.combatants.get(e.outcome.winner))


def surprise(d: Draft, system: InitiativeSystem, contest: Contest, v: Verdict) -> bool:
    """Whom the winner catches: only at a first meeting, and never behind a broken door (DUN-17 to 23).

    Whether all of them are known; else the GM is asked about distances.
    """
    each = system.option(d.encounter, "dun.surprise_int") == "each"
    found = catch(v, losers_of(d.encounter, contest), each=each)
    if contest.kind != "meeting":
        if found.why:
            rule = "DUN-23" if notes_of(d.encounter).combat else "DUN-17"
            d.announce("No first meeting in a new section: nobody can be caught by surprise", rule=rule)
    elif contest.door:
        if found.why:
            d.announce("The door was broken down: nobody is caught by surprise", rule="DUN-21")
    elif found.why:
        _tell(d, found, v.loser.who, each=each)
        d.emit(ev.Noted("contest", list(found.who), "reach"), ev.Noted("contest", "caught", "stage"))
        if catch_asks(d.encounter, system, notes_of(d.encounter).contest or contest):
            # Those whose distance is known are caught at once; the GM is asked about the others only.
            caught(d, system, ())
            return False
    elif each:
        d.announce("The two dice reach nobody's Intelligence: no surprise", rule="DUN-A4")
    else:
        d.announce("Not both dice reach the Intelligence of {0}: no surprise", v.loser.who, rule="DUN-18")
    return True


def _tell(d: Draft, found: Catch, loser: str, *, each: bool) -> None:
    """Why somebody is caught: the loser's double 1, or the Intelligence of the loser or of each of them."""
    if found.why == "double 1":
        d.announce("Caught by surprise: a double 1", loser, rule="DUN-22")
        return
    reached, rule = (found.who, "DUN-A4") if each else ((loser,), "DUN-18")
    text = f"Caught by surprise: both dice reach the Intelligence of {several(reached)}"
    d.emit(ev.Announced(text, tuple(reached), rule))


def caught(d: Draft, system: InitiativeSystem, picked: Sequence[str]) -> None:
    """Those near enough and those ticked carry the mark and stand in the outcome."""
    contest = notes_of(d.encounter).contest or Contest("")
    if not contest.reach:
        return
    radius, known = int(system.option(d.encounter, "dun.radius")), _squares(d.encounter, contest)
    # Unknown counts as far: nobody is caught by default, the GM ticks those who are near.
    near = [k for k in contest.reach if known.get(k, FAR) <= radius]
    losers = losers_of(d.encounter, contest)
    found = tuple(c.id for c in losers if c.id in near or c.id in picked or "surprised" in c.marks)
    if not found and not catch_asks(d.encounter, system, contest):
        d.announce("None of them stands near enough to be surprised", rule="DUN-19")
    d.mark([k for k in found if "surprised" not in d.encounter.combatants[k].marks], "surprised")
    if isinstance(d.encounter.outcome, OpposedOutcome) and found:
        d.emit(ev.Decided(replace(d.encounter.outcome, caught=found)))

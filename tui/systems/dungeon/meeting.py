"""A contest from the first word to the last: who rolls, the dice, who is caught, what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, RollAsk, Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, Outcome
from tui.core.rules.draft import Draft
from tui.systems.dungeon.contest import Side, Verdict, catch, judge, keenest, nearest, unmeasured, within
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    batch,
    forget,
    notes_of,
    several,
    team,
)

if TYPE_CHECKING:
    from tui.systems.dungeon.universalis import DungeonUniversalis


def opened(d: Draft, contest: Contest, who: Sequence[str]) -> None:
    """These enemies appear, and one opposed roll is owed for all of them (DUN-9)."""
    plain = {k: v for k in Contest.__struct_fields__ if (v := getattr(contest, k))}
    d.mark([k for k in who if "met" not in d.encounter.combatants[k].marks], "met", "fight")
    d.mark(who, "new", "fight")
    if any(k.startswith("opposed ") for k in d.encounter.rolls):
        d.emit(ev.RollsForgotten("opposed "))
    d.emit(ev.Noted("contest", plain))
    if not notes_of(d.encounter).combat:
        d.emit(ev.PhaseEntered("rolls"))


def rollers(e: Encounter, system: DungeonUniversalis, side: str) -> list[Combatant]:
    """Who rolls for a side; several when a fair die must choose first (DUN-6 to 8)."""
    n = notes_of(e)
    contest = n.contest or Contest("")
    pool = batch(e) if side == DARK else team(e, HEROES)
    named = getattr(contest, side)
    chosen = [c for c in pool if c.id == named] or [c for c in pool if c.id in n.faces][:1]
    if chosen or not pool:
        return chosen
    if side == DARK and system.by_perception(e):
        return keenest(pool)
    if contest.finder:
        measured = [c for c in pool if "distance" in c.fields]
        found = [c for c in pool if c.id == contest.finder]
        return nearest(measured or found or pool)
    return nearest(pool)


# --- questions


def contest_asks(e: Encounter, system: DungeonUniversalis) -> tuple[Ask, ...]:
    """What the contest waits for: a fair die, the opposed dice, or the GM's word on distances."""
    contest = notes_of(e).contest
    if contest is None or contest.stage == "ranks":
        return ()
    if contest.stage == "caught":
        return _catch_asks(e, system, contest)
    both = {side: rollers(e, system, side) for side in (HEROES, DARK)}
    drawn = [_draw(side, found) for side, found in both.items() if len(found) > 1]
    return tuple(drawn) or _opposed(e, system, [c for found in both.values() for c in found])


def _draw(side: str, found: Sequence[Combatant]) -> Ask:
    keys = tuple(c.id for c in found)
    why = Sentence(f"A fair die chooses who rolls: {several(keys)}", keys, "DUN-7")
    return RollAsk(f"draw {side}", GM, (len(keys),), why)


def _opposed(e: Encounter, system: DungeonUniversalis, both: Sequence[Combatant]) -> tuple[Ask, ...]:
    faces = notes_of(e).faces
    rule = system.contest_rule(e)
    asks = []
    for c in both:
        others = [x for x in both if x.id != c.id]
        text = "{0}" + _reason(e, system, c) + " rolls 2d6 + Perception"
        text += "".join(" against {1}" + _reason(e, system, x) for x in others)
        why = say(text, c.id, *(x.id for x in others), rule=rule)
        asks.append(RollAsk(f"opposed {c.id}", c.id, (6, 6), why))
    places = {k: i for i, k in enumerate(e.combatants)}
    return tuple(sorted((a for a in asks if a.who not in faces), key=lambda a: places[a.who]))


def _reason(e: Encounter, system: DungeonUniversalis, c: Combatant) -> str:
    """Why it is this one who rolls, in brackets; nothing when the GM or a die said so."""
    contest = notes_of(e).contest or Contest("")
    if c.id in (contest.finder, contest.heroes) and contest.kind == "meeting":
        return " (who discovers them)"
    if c.id in (contest.heroes, contest.dark):
        return ""
    if c.side == DARK and system.by_perception(e):
        return " (the most perceptive)"
    return " (the nearest)" if "distance" in c.fields else ""


def _catch_asks(e: Encounter, system: DungeonUniversalis, contest: Contest) -> tuple[Ask, ...]:
    unknown = unmeasured(_losers(e, contest), contest.reach)
    if not unknown:
        return ()
    winner = e.outcome.winner if e.outcome else GM
    text = f"Who stands within {system.option(e, 'dun.radius')} squares of {{0}}, and is caught by surprise"
    why = say(text, winner, *unknown, rule="DUN-19")
    return (PickAsk("caught", GM, unknown, why, 0, len(unknown)),)


def _losers(e: Encounter, contest: Contest) -> list[Combatant]:
    return team(e, DARK if contest.won == HEROES else HEROES)


# --- answers


def answered(d: Draft, system: DungeonUniversalis, ask: Ask, answer: tuple[Any, ...]) -> None:
    """A fair die, one roller's dice, or the victims that the GM ticked."""
    word, _, rest = ask.key.partition(" ")
    if word == "draw":
        found = rollers(d.encounter, system, rest)
        d.emit(ev.Noted("contest", found[answer[0] - 1].id, rest))
        d.announce("The die chooses {0}", found[answer[0] - 1].id, rule="DUN-7")
    elif word == "opposed":
        d.emit(ev.Noted("faces", list(answer), ask.who))
    else:
        _sprung(d, system, answer)


def advance(d: Draft, system: DungeonUniversalis) -> None:
    """The steps of a contest that need nobody."""
    contest = notes_of(d.encounter).contest
    if contest is None:
        return
    if contest.stage == "opposed":
        both = [rollers(d.encounter, system, side) for side in (HEROES, DARK)]
        if not all(both):
            _off(d)
        elif all(len(found) == 1 and found[0].id in notes_of(d.encounter).faces for found in both):
            _judge(d, system, contest, both[0][0], both[1][0])
    elif contest.stage == "caught" and not _catch_asks(d.encounter, system, contest):
        _sprung(d, system, ())


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
    first, second = notes_of(e).faces[c.id]
    return Side(c.id, c.number("per"), c.number("mod"), c.number("int"), (first, second))


def _judge(d: Draft, system: DungeonUniversalis, contest: Contest, hero: Combatant, enemy: Combatant) -> None:
    sides = (_side(d.encounter, hero), _side(d.encounter, enemy))
    verdict = judge(*sides, double_one_loses=bool(system.option(d.encounter, "dun.double_one_loses")))
    if verdict is None:
        d.announce("{0} and {1} are equal in everything: both roll again", hero.id, enemy.id, rule="DUN-4")
        forget(d, "faces")
        return
    won = HEROES if verdict.winner.who == hero.id else DARK
    totals = {s.who: s.total for s in sides}
    d.emit(ev.Decided(Outcome("opposed", verdict.winner.who, verdict.loser.who, verdict.by, totals)))
    d.emit(ev.Noted("contest", won, "won"))
    _tell(d, verdict, won)
    _surprise(d, system, replace(contest, won=won), verdict)


def _tell(d: Draft, v: Verdict, won: str) -> None:
    """Who strikes first, and by what (DUN-1)."""
    pair = (v.winner.who, v.loser.who)
    first = f"the {'heroes' if won == HEROES else 'dark side'} strike{'' if won == HEROES else 's'} first"
    score = f"{v.winner.total} to {v.loser.total}"
    match v.by:
        case "critical":
            d.announce(f"Critical failure: {{1}} rolled a double 1, {{0}} wins; {first}", *pair, rule="DUN-5")
        case "intelligence":
            level = f"{{0}} and {{1}} are level at {v.winner.total}: {{0}} wins on Intelligence"
            d.announce(f"{level}; {first}", *pair, rule="DUN-3")
        case _:
            d.announce(f"{{0}} beats {{1}}, {score}; {first}", *pair, rule="DUN-2")


# --- surprise


def _surprise(d: Draft, system: DungeonUniversalis, contest: Contest, v: Verdict) -> None:
    """Whom the winner catches: only at a first meeting, and never behind a broken door (DUN-17 to 23)."""
    losers = _losers(d.encounter, contest)
    found = catch(v, losers, each=system.option(d.encounter, "dun.surprise_int") == "each")
    if contest.kind != "meeting":
        if found.why:
            rule = "DUN-23" if notes_of(d.encounter).combat else "DUN-17"
            d.announce("No first meeting in a new section: nobody can be caught by surprise", rule=rule)
    elif contest.door:
        if found.why:
            d.announce("The door was broken down: nobody is caught by surprise", rule="DUN-21")
    elif found.why:
        why = "a double 1" if found.why == "double 1" else "both dice reach the Intelligence of {0}"
        rule = "DUN-22" if found.why == "double 1" else "DUN-18"
        d.announce("Caught by surprise: " + why, v.loser.who, rule=rule)
        d.emit(ev.Noted("contest", list(found.who), "reach"), ev.Noted("contest", "caught", "stage"))
        if _catch_asks(d.encounter, system, notes_of(d.encounter).contest or contest):
            _catch(d, system, ())
            return
    else:
        d.announce("Not both dice reach the Intelligence of {0}: no surprise", v.loser.who, rule="DUN-18")
    _sprung(d, system, ())


def _sprung(d: Draft, system: DungeonUniversalis, picked: Sequence[str]) -> None:
    """The victims are known."""
    _catch(d, system, picked)
    _conclude(d, system)


def _catch(d: Draft, system: DungeonUniversalis, picked: Sequence[str]) -> None:
    """Those near enough and those ticked carry the mark and stand in the outcome."""
    contest = notes_of(d.encounter).contest or Contest("")
    losers = _losers(d.encounter, contest)
    near = within(losers, contest.reach, int(system.option(d.encounter, "dun.radius")))
    caught = tuple(c.id for c in losers if c.id in near or c.id in picked or "surprised" in c.marks)
    if not contest.reach:
        return
    if not caught and not _catch_asks(d.encounter, system, contest):
        d.announce("None of them stands near enough", rule="DUN-19")
    d.mark([k for k in caught if "surprised" not in d.encounter.combatants[k].marks], "surprised")
    if d.encounter.outcome and caught:
        d.emit(ev.Decided(replace(d.encounter.outcome, caught=caught)))


def _conclude(d: Draft, system: DungeonUniversalis) -> None:
    """Distances have served; the winner takes what is his."""
    for c in list(d.encounter.combatants.values()):
        if "distance" in c.fields and (c.side == HEROES or "met" in c.marks):
            d.emit(ev.FieldSet(c.id, "distance", empty=True, quiet=True))
    system.conclude(d, notes_of(d.encounter).contest or Contest(""))

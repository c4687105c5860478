"""Run an opposed roll from its dice to its results: the rollers, the winner, the surprised creatures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, RollAsk, Sentence, say, say_because
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, OpposedOutcome
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    Contest,
    TwoSides,
    creatures_in_play,
    dungeon_notes,
    forget_notes,
    list_slots,
    made_with,
    new_enemies,
    team,
)
from tui.systems.dungeon.opposed_roll import (
    FAR,
    Catch,
    Side,
    Verdict,
    find_caught,
    find_keenest,
    find_nearest,
    judge_roll,
    squares_from_winner,
)


def possible_rollers(e: Encounter, system: TwoSides, side: str) -> list[Combatant]:
    """Return the creatures that may roll for a side; several if a die must choose (DUN-6 to DUN-8)."""
    creatures = _find_candidates(e, system, side)
    # Creatures that are alike in everything need no die: any of them gives the same result.
    return creatures[:1] if _is_alike(creatures) else creatures


def _find_candidates(e: Encounter, system: TwoSides, side: str) -> list[Combatant]:
    """Return the creatures that may roll for a side; one if it is named or has rolled."""
    n = dungeon_notes(e)
    contest = n.contest or Contest("")
    pool = new_enemies(e) if side == DARK else team(e, HEROES)
    names = getattr(contest, side)
    # The creature that has rolled stays the roller, even if a nearer one appears before the others roll.
    chosen = [c for c in pool if c.id == names] or [c for c in pool if c.id in n.faces][:1]
    if chosen or not pool:
        return chosen
    if side == DARK:
        return find_keenest(pool) if system.is_by_perception(e) else find_nearest(pool)
    finder = [c for c in pool if c.id == contest.finder]
    # Dying creatures notice nobody, as long as another creature of their side could.
    pool = [c for c in pool if not c.dying] or pool
    if not finder or system.has_finder_roll(e):
        return finder or find_nearest(pool)
    return find_nearest([c for c in pool if "distance" in c.fields] or finder)


def _is_alike(creatures: Sequence[Combatant]) -> bool:
    """Return whether these creatures are equal in everything that the contest or the track reads."""
    return len({_contest_values(c) for c in creatures}) == 1


def _contest_values(c: Combatant) -> tuple[object, ...]:
    abilities = (c.number("per"), c.number("mod"), c.number("int"), c.fields.get("distance"))
    return (*abilities, c.word("acts_with"), c.group, c.hidden)


def opposed_asks(e: Encounter, system: TwoSides) -> tuple[Ask, ...]:
    """Return the asks for the dice that choose the rollers, then those for the opposed roll."""
    both = {side: possible_rollers(e, system, side) for side in (HEROES, DARK)}
    drawn = [_draw_ask(side, creatures) for side, creatures in both.items() if len(creatures) > 1]
    return tuple(drawn) or _dice_asks(e, system, [c for creatures in both.values() for c in creatures])


def _draw_ask(side: str, creatures: Sequence[Combatant]) -> Ask:
    keys = tuple(c.id for c in creatures)
    reason = Sentence(f"A fair die chooses the roller: {list_slots(keys)}", keys, "DUN-7")
    return RollAsk(f"draw {side}", GM, (len(keys),), reason)


def _dice_asks(e: Encounter, system: TwoSides, both: Sequence[Combatant]) -> tuple[Ask, ...]:
    faces = dungeon_notes(e).faces
    rule = system.contest_rule(e)
    asks = []
    for c in both:
        others = [x for x in both if x.id != c.id]
        head = "{0}" + _why_it_rolls(e, system, c) + " rolls 2d6 + Perception"
        opponents = "".join("against {1}" + _why_it_rolls(e, system, x) for x in others)
        keys = (c.id, *(x.id for x in others))
        # While both sides owe a roll, Now shows the whole sentence as the reason; if only one does, a row may
        # show its beginning alone.
        split = any(x.id in faces for x in others)
        reason = say(f"{head} {opponents}".rstrip(), *keys, rule=rule)
        if split:
            reason = say_because(head, opponents, *keys, rule=rule, joint=" ")
        asks.append(RollAsk(f"opposed {c.id}", c.id, (6, 6), reason))
    # In roster order, whichever side a creature is on, so that given dice always go to the same creature.
    places = {k: i for i, k in enumerate(e.combatants)}
    return tuple(sorted((a for a in asks if a.who not in faces), key=lambda a: places[a.who]))


def _why_it_rolls(e: Encounter, system: TwoSides, c: Combatant) -> str:
    """Return the reason in parentheses why this creature rolls; "" if the GM or a die chose it."""
    contest = dungeon_notes(e).contest or Contest("")
    if contest.kind == "meeting" and c.id == (contest.finder or contest.heroes):
        return " (who discovers them)"
    if c.id in (contest.heroes, contest.dark):
        return ""
    if c.side == DARK and system.is_by_perception(e):
        return " (the most perceptive)"
    if is_assumed_nearest(e, c):
        return " (assuming it is the nearest)"
    return " (the nearest)" if "distance" in c.fields else ""


def is_assumed_nearest(e: Encounter, c: Combatant) -> bool:
    """Return whether a roller counts as nearest although its distance is unknown (DUN-6)."""
    contest = dungeon_notes(e).contest or Contest("")
    if c.id in (contest.finder, contest.heroes, contest.dark):
        return False
    pool = new_enemies(e) if c.side == DARK else team(e, HEROES)
    return len(pool) > 1 and "distance" not in c.fields


def announce_assumed(d: Draft, system: TwoSides) -> None:
    """Announce the rollers that count as nearest although their distance is unknown.

    Players who see none of the new enemies read nothing of it.
    """
    seen = min(new_enemies(d.encounter), key=lambda c: c.hidden).id
    for side in (HEROES, DARK):
        both = possible_rollers(d.encounter, system, side)
        by_ear = side == DARK and system.is_by_perception(d.encounter)
        if len(both) == 1 and not by_ear and is_assumed_nearest(d.encounter, both[0]):
            text = "{0} rolls, assuming it is the nearest: its distance is not known"
            d.announce(text, both[0].id, seen, rule="DUN-6")


def catch_asks(e: Encounter, system: InitiativeSystem, contest: Contest) -> tuple[Ask, ...]:
    """Return the ask which creatures are near enough to be caught; none if distances are known (DUN-19)."""
    known = _known_squares(e, contest)
    unknown = tuple(c.id for c in losers_of(e, contest) if c.id in contest.reach and c.id not in known)
    if not unknown:
        return ()
    winner = e.outcome.winner if isinstance(e.outcome, OpposedOutcome) else GM
    near = f"Who is within {system.option(e, 'dun.radius')} squares of {{0}}"
    about, reason = (winner, *unknown), "they are caught by surprise"
    question = Sentence(
        f"{near}, and so caught by surprise?", about, "DUN-19", head=f"{near}?", reason=reason
    )
    return (PickAsk("caught", GM, unknown, question, 0, len(unknown)),)


def losers_of(e: Encounter, contest: Contest) -> list[Combatant]:
    """Return the creatures of the side that lost."""
    return team(e, DARK if contest.won == HEROES else HEROES)


def _known_squares(e: Encounter, contest: Contest) -> dict[str, int]:
    if not isinstance(e.outcome, OpposedOutcome):
        return {}
    return squares_from_winner(losers_of(e, contest), e.outcome.loser, e.combatants.get(e.outcome.winner))


def settle_surprise(d: Draft, system: InitiativeSystem, contest: Contest, v: Verdict) -> bool:
    """Mark the creatures that surprise catches; return False if the GM must first pick those in reach.

    Surprise is possible only at a first meeting, and never after a broken door (DUN-17 to DUN-23).
    """
    each = system.option(d.encounter, "dun.surprise_int") == "each"
    outcome = find_caught(v, losers_of(d.encounter, contest), each=each)
    if contest.kind != "meeting":
        if outcome.why:
            rule = "DUN-23" if dungeon_notes(d.encounter).combat else "DUN-17"
            d.announce("No first meeting in a new section: nobody can be caught by surprise", rule=rule)
    elif contest.door:
        if outcome.why:
            d.announce("The door was broken down: nobody is caught by surprise", rule="DUN-21")
    elif outcome.why:
        _announce_surprise(d, outcome, v.loser.who, each=each)
        d.emit(ev.Noted("contest", list(outcome.who), "reach"), ev.Noted("contest", "caught", "stage"))
        if catch_asks(d.encounter, system, dungeon_notes(d.encounter).contest or contest):
            # Creatures whose distance is known are caught at once; the GM is asked about the others only.
            mark_caught(d, system, ())
            return False
    elif each:
        d.announce("The two dice reach nobody's Intelligence: no surprise", rule="DUN-A4")
    else:
        d.announce("Not both dice reach the Intelligence of {0}: no surprise", v.loser.who, rule="DUN-18")
    return True


def _announce_surprise(d: Draft, outcome: Catch, loser: str, *, each: bool) -> None:
    """Announce the reason for surprise: a double 1, or both dice reach the Intelligence."""
    if outcome.why == "double 1":
        d.announce("Caught by surprise: a double 1", loser, rule="DUN-22")
        return
    reached, rule = (outcome.who, "DUN-A4") if each else ((loser,), "DUN-18")
    text = f"Caught by surprise: both dice reach the Intelligence of {list_slots(reached)}"
    d.emit(ev.Announced(text, tuple(reached), rule))


def mark_caught(d: Draft, system: InitiativeSystem, picked: Sequence[str]) -> None:
    """Mark the losers that are near enough or picked by the GM, and record them in the outcome."""
    contest = dungeon_notes(d.encounter).contest or Contest("")
    if not contest.reach:
        return
    radius, known = int(system.option(d.encounter, "dun.radius")), _known_squares(d.encounter, contest)
    # An unknown distance counts as far: nobody is caught by default, and the GM ticks those who are near.
    keys_near = [k for k in contest.reach if known.get(k, FAR) <= radius]
    losers = losers_of(d.encounter, contest)
    keys = tuple(c.id for c in losers if c.id in keys_near or c.id in picked or "surprised" in c.marks)
    d.mark([k for k in keys if "surprised" not in d.encounter.combatants[k].marks], "surprised")
    if isinstance(d.encounter.outcome, OpposedOutcome) and keys:
        d.emit(ev.Decided(replace(d.encounter.outcome, caught=keys)))


def open_contest(d: Draft, contest: Contest, who: Sequence[str]) -> None:
    """Begin one opposed roll for all enemies that appear together (DUN-9)."""
    plain = {k: v for k in Contest.__struct_fields__ if (v := getattr(contest, k))}
    d.mark([k for k in who if "met" not in d.encounter.combatants[k].marks], "met", "fight")
    d.mark(who, "new", "fight")
    if any(k.startswith("opposed ") for k in d.encounter.rolls):
        # The purpose names only the creature: old dice could be read as those of the new contest.
        d.emit(ev.RollsForgotten("opposed "))
    if d.encounter.decision:
        d.emit(ev.DecisionMarked("over"))
    d.emit(ev.Noted("contest", plain))
    if not dungeon_notes(d.encounter).combat:
        d.emit(ev.PhaseEntered("rolls"))


def contest_asks(e: Encounter, system: TwoSides) -> tuple[Ask, ...]:
    """Return the asks of the contest: a choosing die, the opposed dice, or the GM's choice of victims."""
    contest = dungeon_notes(e).contest
    match contest.stage if contest else "":
        case "opposed":
            return opposed_asks(e, system)
        case "caught" if contest:
            return catch_asks(e, system, contest)
        case _:
            return ()


def contest_rollers(e: Encounter) -> tuple[str, ...]:
    """Return the ids that rolled in the running contest, or in the latest one if it can be corrected."""
    contest = dungeon_notes(e).contest
    if contest and contest.stage == "opposed":
        return tuple(k for k in dungeon_notes(e).faces if k in e.combatants)
    if not e.decision or not isinstance(e.outcome, OpposedOutcome):
        return ()
    both = {e.outcome.winner, e.outcome.loser}
    return tuple(k for k in e.combatants if k in both) if both <= {c.id for c in creatures_in_play(e)} else ()


# --- answers


def take_answer(d: Draft, system: TwoSides, ask: Ask, answer: tuple[Any, ...]) -> None:
    """Take an answer: a choosing die, a roller's dice, or the victims that the GM picked."""
    word, _, rest = ask.key.partition(" ")
    if word == "draw":
        creatures = possible_rollers(d.encounter, system, rest)
        d.emit(ev.Noted("contest", creatures[answer[0] - 1].id, rest))
        d.announce("The die chooses {0}", creatures[answer[0] - 1].id, rule="DUN-7")
    elif word == "opposed":
        # A correction changes the dice alone.
        if ask.who not in dungeon_notes(d.encounter).faces:
            made = made_with(d.encounter, d.encounter.combatants[ask.who])
            d.emit(ev.Noted("made", to_builtins(made), ask.who))
        d.emit(ev.Noted("faces", list(answer), ask.who))
    else:
        run_decision(d, lambda: _finish_contest(d, system, answer))


def run_decision(d: Draft, part: Callable[[], None]) -> None:
    """Run a part of the contest's decision between two marks, so that a correction can undo it."""
    d.emit(ev.DecisionMarked("start"))
    part()
    if d.encounter.decision:
        d.emit(ev.DecisionMarked("end"))


def advance_contest(d: Draft, system: TwoSides) -> None:
    """Take the steps of a contest that need no answer."""
    contest = dungeon_notes(d.encounter).contest
    if contest is None:
        return
    if contest.stage == "opposed":
        both = [possible_rollers(d.encounter, system, side) for side in (HEROES, DARK)]
        # A roller may have fallen or been removed while its dice were still owed.
        if not all(both):
            _call_off(d)
        elif all(len(some) == 1 and some[0].id in dungeon_notes(d.encounter).faces for some in both):
            run_decision(d, lambda: _judge_dice(d, system, contest, both[0][0], both[1][0]))
    elif contest.stage == "caught" and not catch_asks(d.encounter, system, contest):
        run_decision(d, lambda: _finish_contest(d, system, ()))


def _call_off(d: Draft) -> None:
    d.announce("Nobody is left to roll against: no contest")
    close_contest(d)
    if not dungeon_notes(d.encounter).combat:
        d.emit(ev.PhaseEntered("exploration"))


def close_contest(d: Draft) -> None:
    """End the contest: drop its notes and the mark `new`, keep its results (DUN-27)."""
    forget_notes(d, "contest", "faces", "made")
    d.unmark([c.id for c in d.encounter.combatants.values()], "new")


# --- the verdict


def _judge_dice(d: Draft, system: TwoSides, contest: Contest, hero: Combatant, enemy: Combatant) -> None:
    faces = dungeon_notes(d.encounter).faces
    sides = [Side(c.id, made_with(d.encounter, c), tuple(faces[c.id])) for c in (hero, enemy)]
    verdict = judge_roll(*sides, double_one_loses=bool(system.option(d.encounter, "dun.double_one_loses")))
    if verdict is None:
        d.announce("{0} and {1} are equal in everything: both roll again", hero.id, enemy.id, rule="DUN-4")
        forget_notes(d, "faces", "made")
        # Nothing was decided, so there is no decision that could be corrected.
        d.emit(ev.DecisionMarked("over"))
        return
    won = HEROES if verdict.winner.who == hero.id else DARK
    totals = {s.who: s.total for s in sides}
    d.emit(ev.Decided(OpposedOutcome(verdict.winner.who, verdict.loser.who, verdict.by, totals)))
    d.emit(ev.Noted("contest", won, "won"))
    _announce_verdict(d, verdict, won if system.contest_rule(d.encounter) == "DUN-10" else "")
    if settle_surprise(d, system, replace(contest, won=won), verdict):
        _finish_contest(d, system, ())


def _announce_verdict(d: Draft, v: Verdict, won: str) -> None:
    """Announce the winner and the reason; at a first meeting also which side strikes first (DUN-1)."""
    pair = (v.winner.who, v.loser.who)
    first = {HEROES: "; the heroes strike first", DARK: "; the dark side strikes first"}.get(won, "")
    score = f"{v.winner.total} to {v.loser.total}"
    match v.by:
        case "critical":
            d.announce(f"Critical failure: {{1}} rolled a double 1, {{0}} wins{first}", *pair, rule="DUN-5")
        case "intelligence":
            level = f"{{0}} and {{1}} are tied at {v.winner.total}: {{0}} wins on Intelligence"
            d.announce(f"{level}{first}", *pair, rule="DUN-3")
        case _:
            d.announce(f"{{0}} beats {{1}}, {score}{first}", *pair, rule="DUN-2")


def _finish_contest(d: Draft, system: TwoSides, picked: Sequence[str]) -> None:
    """Finish the contest: mark victims, forget distances, and give the winner its turn."""
    mark_caught(d, system, picked)
    contest = dungeon_notes(d.encounter).contest
    if contest and contest.reach and not any("surprised" in c.marks for c in losers_of(d.encounter, contest)):
        alone = len(contest.reach) == 1
        who = "{0} is not" if alone else "None of them is"
        d.announce(f"{who} near enough to be surprised", *(contest.reach if alone else ()), rule="DUN-19")
    for c in list(d.encounter.combatants.values()):
        # A distance is true for one contest only; distances of creatures in reserve were given for the next
        # contest.
        if "distance" in c.fields and (c.side == HEROES or "met" in c.marks):
            d.emit(ev.FieldSet(c.id, "distance", empty=True, quiet=True))
    system.conclude(d, dungeon_notes(d.encounter).contest or Contest(""))

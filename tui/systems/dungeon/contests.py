"""Run an opposed roll from its dice to its results: the rollers, the winner, the surprised creatures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, PickAsk, RollAsk, Sentence, list_slots, say, say_because
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, Encounter, OpposedOutcome
from tui.core.rules.draft import Draft
from tui.systems.dungeon.notes import (
    Contest,
    RollValues,
    commander,
    creatures_in_play,
    dungeon_notes,
    has_track,
    made_with,
    new_enemies,
    option,
    team,
)
from tui.systems.dungeon.text import DARK, HEROES

FAR = 1_000_000
"""The distance, in squares, that stands for an unknown one."""

Conclude = Callable[[Draft, Contest], None]
"""What the winning side gets after the opposed roll and its surprise."""


def is_new_room(e: Encounter) -> bool:
    """Return whether the contest is about a new room for which a track will be rolled (TRK-1)."""
    return has_track(e) and dungeon_notes(e).contest.kind == "meeting" and not commander(e)


def is_by_perception(e: Encounter) -> bool:
    """Return whether the most perceptive enemy rolls instead of the nearest (DUN-8, TRK-2)."""
    return is_new_room(e) or bool(option(e, "dun.adp"))


def contest_rule(e: Encounter) -> str:
    """Return the clause that requires the opposed roll."""
    first = dungeon_notes(e).contest.kind == "meeting"
    if has_track(e) and not commander(e):
        return "TRK-2" if first else "TRK-13"
    return "DUN-10" if first else "DUN-13"


def possible_rollers(e: Encounter, side: str) -> list[Combatant]:
    """Return the creatures that may roll for a side; several if a die must choose (DUN-6 to DUN-8)."""
    creatures = _find_candidates(e, side)
    # Creatures equal in all that the contest or the track reads need no die: the result is the same.
    alike = {
        (
            *map(c.number, ("per", "mod", "int")),
            c.fields.get("distance"),
            c.word("acts_with"),
            c.group,
            c.hidden,
        )
        for c in creatures
    }
    return creatures[:1] if len(alike) == 1 else creatures


def _find_candidates(e: Encounter, side: str) -> list[Combatant]:
    """Return the creatures that may roll for a side; one if it is named or has rolled."""
    n = dungeon_notes(e)
    pool = new_enemies(e) if side == DARK else team(e, HEROES)
    # The creature that has rolled stays the roller, even if a nearer one appears before the others roll.
    chosen = [c for c in pool if c.id == getattr(n.contest, side)] or [c for c in pool if c.id in n.faces][:1]
    if chosen or not pool:
        return chosen
    if side == DARK:
        return find_keenest(pool) if is_by_perception(e) else find_nearest(pool)
    finder = [c for c in pool if c.id == n.contest.finder]
    # Dying creatures notice nobody, as long as another creature of their side could.
    pool = [c for c in pool if not c.dying] or pool
    # The discoverer rolls even if another hero is nearer (DUN-10, TRK-2).
    if not finder or is_new_room(e) or not option(e, "dun.adp"):
        return finder or find_nearest(pool)
    return find_nearest([c for c in pool if "distance" in c.fields] or finder)


def _opposed_asks(e: Encounter) -> tuple[Ask, ...]:
    """Return the asks for the dice that choose the rollers, then those for the opposed roll."""
    both = {side: possible_rollers(e, side) for side in (HEROES, DARK)}
    drawn = list[Ask]()
    for side, keys in ((side, tuple(c.id for c in some)) for side, some in both.items() if len(some) > 1):
        reason = Sentence(f"A fair die chooses the roller: {list_slots(keys)}", keys, "DUN-7")
        drawn.append(RollAsk(f"draw {side}", GM, (len(keys),), reason))
    return tuple(drawn) or _dice_asks(e, [c for some in both.values() for c in some])


def _dice_asks(e: Encounter, both: Sequence[Combatant]) -> tuple[Ask, ...]:
    faces = dungeon_notes(e).faces
    rule = contest_rule(e)
    asks = []
    for c in both:
        others = [x for x in both if x.id != c.id]
        head = "{0}" + _why_it_rolls(e, c) + " rolls 2d6 + Perception"
        opponents = "".join("against {1}" + _why_it_rolls(e, x) for x in others)
        keys = (c.id, *(x.id for x in others))
        # While both sides owe a roll, Now shows the whole sentence as the reason; if only one does, a row may
        # show its beginning alone.
        reason = say(f"{head} {opponents}".rstrip(), *keys, rule=rule)
        if any(x.id in faces for x in others):
            reason = say_because(head, opponents, *keys, rule=rule, joint=" ")
        asks.append(RollAsk(f"opposed {c.id}", c.id, (6, 6), reason))
    # In roster order, whichever side a creature is on, so that given dice always go to the same creature.
    places = {k: i for i, k in enumerate(e.combatants)}
    return tuple(sorted((a for a in asks if a.who not in faces), key=lambda a: places[a.who]))


def _why_it_rolls(e: Encounter, c: Combatant) -> str:
    """Return the reason in parentheses why this creature rolls; "" if the GM or a die chose it."""
    contest = dungeon_notes(e).contest
    if contest.kind == "meeting" and c.id == (contest.finder or contest.heroes):
        return " (who discovers them)"
    if c.id in (contest.heroes, contest.dark):
        return ""
    if c.side == DARK and is_by_perception(e):
        return " (the most perceptive)"
    if is_assumed_nearest(e, c):
        return " (assuming it is the nearest)"
    return " (the nearest)" if "distance" in c.fields else ""


def is_assumed_nearest(e: Encounter, c: Combatant) -> bool:
    """Return whether a roller counts as nearest although its distance is unknown (DUN-6)."""
    contest = dungeon_notes(e).contest
    if c.id in (contest.finder, contest.heroes, contest.dark):
        return False
    pool = new_enemies(e) if c.side == DARK else team(e, HEROES)
    return len(pool) > 1 and "distance" not in c.fields


def announce_assumed(d: Draft) -> None:
    """Announce the rollers that count as nearest although their distance is unknown.

    Players who see none of the new enemies read nothing of it.
    """
    seen = min(new_enemies(d.encounter), key=lambda c: c.hidden).id
    for side in (HEROES, DARK):
        both = possible_rollers(d.encounter, side)
        by_ear = side == DARK and is_by_perception(d.encounter)
        if len(both) == 1 and not by_ear and is_assumed_nearest(d.encounter, both[0]):
            text = "{0} rolls, assuming it is the nearest: its distance is not known"
            d.announce(text, both[0].id, seen, rule="DUN-6")


def catch_asks(e: Encounter, contest: Contest) -> tuple[Ask, ...]:
    """Return the ask which creatures are near enough to be caught; none if distances are known (DUN-19)."""
    known = _known_squares(e, contest)
    unknown = tuple(c.id for c in losers_of(e, contest) if c.id in contest.reach and c.id not in known)
    if not unknown:
        return ()
    winner = e.outcome.winner if isinstance(e.outcome, OpposedOutcome) else GM
    near = f"Who is within {option(e, 'dun.radius')} squares of {{0}}"
    about, reason = (winner, *unknown), "they are caught by surprise"
    question = Sentence(
        f"{near}, and so caught by surprise?", about, "DUN-19", head=f"{near}?", reason=reason
    )
    return (PickAsk("caught", GM, unknown, question, 0, len(unknown)),)


def losers_of(e: Encounter, contest: Contest) -> list[Combatant]:
    """Return the creatures of the side that lost."""
    return team(e, DARK if contest.won == HEROES else HEROES)


def _known_squares(e: Encounter, contest: Contest) -> dict[str, int]:
    """Return the known distances of the losers from the winner, in squares, by id.

    The winner's distance is also the losing roller's, if that has none.
    """
    if not isinstance(e.outcome, OpposedOutcome):
        return {}
    result = {c.id: c.number("distance") for c in losers_of(e, contest) if "distance" in c.fields}
    winner = e.combatants.get(e.outcome.winner)
    if winner is not None and "distance" in winner.fields:
        result.setdefault(e.outcome.loser, winner.number("distance"))
    return result


def settle_surprise(d: Draft, contest: Contest, v: Verdict) -> bool:
    """Mark the creatures that surprise catches; return False if the GM must first pick those in reach.

    Surprise is possible only at a first meeting, and never after a broken door (DUN-17 to DUN-23).
    """
    each = option(d.encounter, "dun.surprise_int") == "each"
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
        if catch_asks(d.encounter, dungeon_notes(d.encounter).contest):
            # Creatures whose distance is known are caught at once; the GM is asked about the others only.
            mark_caught(d, ())
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
    d.announce(text, *reached, rule=rule)


def mark_caught(d: Draft, picked: Sequence[str]) -> None:
    """Mark the losers that are near enough or picked by the GM, and record them in the outcome."""
    contest = dungeon_notes(d.encounter).contest
    if not contest.reach:
        return
    radius, known = int(option(d.encounter, "dun.radius")), _known_squares(d.encounter, contest)
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
    # The purpose names only the creature: old dice could be read as those of the new contest.
    d.emit(ev.RollsForgotten("opposed "), ev.DecisionMarked("over"), ev.Noted("contest", plain))
    if not dungeon_notes(d.encounter).combat:
        d.emit(ev.PhaseEntered("rolls"))


def needs_faces(e: Encounter, ask: RollAsk) -> bool:
    """Return whether both dice decide, and not their sum alone: at a meeting (DUN-5, DUN-18)."""
    return ask.purpose == "opposed" and dungeon_notes(e).contest.kind == "meeting"


def contest_asks(e: Encounter) -> tuple[Ask, ...]:
    """Return the asks of the contest: a choosing die, the opposed dice, or the GM's choice of victims."""
    contest = dungeon_notes(e).contest
    if contest.stage == "opposed":
        return _opposed_asks(e)
    return catch_asks(e, contest) if contest.stage == "caught" else ()


def contest_rollers(e: Encounter) -> tuple[str, ...]:
    """Return the ids that rolled in the running contest, or in the latest one if it can be corrected."""
    if dungeon_notes(e).contest.stage == "opposed":
        return tuple(k for k in dungeon_notes(e).faces if k in e.combatants)
    if not e.decision or not isinstance(e.outcome, OpposedOutcome):
        return ()
    both = {e.outcome.winner, e.outcome.loser}
    return tuple(k for k in e.combatants if k in both) if both <= {c.id for c in creatures_in_play(e)} else ()


# --- answers


def take_answer(d: Draft, ask: Ask, answer: tuple[Any, ...], conclude: Conclude) -> None:
    """Take an answer: a choosing die, a roller's dice, or the victims that the GM picked."""
    if ask.purpose == "draw":
        creatures = possible_rollers(d.encounter, ask.subject)
        d.emit(ev.Noted("contest", creatures[answer[0] - 1].id, ask.subject))
        d.announce("The die chooses {0}", creatures[answer[0] - 1].id, rule="DUN-7")
    elif ask.purpose == "opposed":
        # A correction changes the dice alone.
        if ask.who not in dungeon_notes(d.encounter).faces:
            made = made_with(d.encounter, d.encounter.combatants[ask.who])
            d.emit(ev.Noted("made", to_builtins(made), ask.who))
        d.emit(ev.Noted("faces", list(answer), ask.who))
    else:
        run_decision(d, lambda: _finish_contest(d, conclude, answer))


def run_decision(d: Draft, part: Callable[[], None]) -> None:
    """Run a part of the contest's decision between two marks, so that a correction can undo it."""
    d.emit(ev.DecisionMarked("start"))
    part()
    if d.encounter.decision:
        d.emit(ev.DecisionMarked("end"))


def advance_contest(d: Draft, conclude: Conclude) -> None:
    """Take the steps of a contest that need no answer."""
    contest = dungeon_notes(d.encounter).contest
    if contest.stage == "opposed":
        both = [possible_rollers(d.encounter, side) for side in (HEROES, DARK)]
        # A roller may have fallen or been removed while its dice were still owed.
        if not all(both):
            d.announce("Nobody is left to roll against: no contest")
            close_contest(d)
            if not dungeon_notes(d.encounter).combat:
                d.emit(ev.PhaseEntered("exploration"))
        elif all(len(some) == 1 and some[0].id in dungeon_notes(d.encounter).faces for some in both):
            run_decision(d, lambda: _judge_dice(d, conclude, contest, both[0][0], both[1][0]))
    elif contest.stage == "caught" and not catch_asks(d.encounter, contest):
        run_decision(d, lambda: _finish_contest(d, conclude, ()))


def close_contest(d: Draft) -> None:
    """End the contest: drop its notes and the mark `new`, keep its results (DUN-27)."""
    d.emit(ev.Forgot("contest"), ev.Forgot("faces"), ev.Forgot("made"))
    d.unmark([c.id for c in d.encounter.combatants.values()], "new")


# --- the verdict


def _judge_dice(d: Draft, conclude: Conclude, contest: Contest, hero: Combatant, enemy: Combatant) -> None:
    faces = dungeon_notes(d.encounter).faces
    sides = [Side(c.id, made_with(d.encounter, c), tuple(faces[c.id])) for c in (hero, enemy)]
    verdict = judge_roll(*sides, double_one_loses=bool(option(d.encounter, "dun.double_one_loses")))
    if verdict is None:
        d.announce("{0} and {1} are equal in everything: both roll again", hero.id, enemy.id, rule="DUN-4")
        # Nothing was decided, so there is no decision that could be corrected.
        d.emit(ev.Forgot("faces"), ev.Forgot("made"), ev.DecisionMarked("over"))
        return
    won = HEROES if verdict.winner.who == hero.id else DARK
    totals = {s.who: s.total for s in sides}
    d.emit(ev.Decided(OpposedOutcome(verdict.winner.who, verdict.loser.who, verdict.by, totals)))
    d.emit(ev.Noted("contest", won, "won"))
    _announce_verdict(d, verdict, won if contest_rule(d.encounter) == "DUN-10" else "")
    if settle_surprise(d, replace(contest, won=won), verdict):
        _finish_contest(d, conclude, ())


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


def _finish_contest(d: Draft, conclude: Conclude, picked: Sequence[str]) -> None:
    """Finish the contest: mark victims, forget distances, and give the winner its turn."""
    mark_caught(d, picked)
    contest = dungeon_notes(d.encounter).contest
    if contest.reach and not any("surprised" in c.marks for c in losers_of(d.encounter, contest)):
        alone = len(contest.reach) == 1
        who = "{0} is not" if alone else "None of them is"
        d.announce(f"{who} near enough to be surprised", *(contest.reach if alone else ()), rule="DUN-19")
    for c in list(d.encounter.combatants.values()):
        # A distance is true for one contest only; distances of creatures in reserve were given for the next
        # contest.
        if "distance" in c.fields and (c.side == HEROES or "met" in c.marks):
            d.emit(ev.FieldSet(c.id, "distance", empty=True, quiet=True))
    conclude(d, dungeon_notes(d.encounter).contest)


# --- the judge


class Side(Struct, frozen=True):
    """One roller of a contest with its dice."""

    who: str
    made: RollValues
    faces: tuple[int, ...]
    """The two dice, or their sum alone."""

    @property
    def total(self) -> int:
        """Return 2d6 + Perception + bonuses (DUN-2)."""
        return sum(self.faces) + self.made.per + self.made.mod

    @property
    def is_fumble(self) -> bool:
        """Return whether both dice show 1 (DUN-5)."""
        return sum(self.faces) == 2


class Verdict(Struct, frozen=True):
    """The result of an opposed roll."""

    winner: Side
    loser: Side
    by: str
    """The reason for the victory: total, intelligence or critical."""


def judge_roll(a: Side, b: Side, *, double_one_loses: bool) -> Verdict | None:
    """Return the result of an opposed roll, or None if all is equal and both roll again (DUN-2 to DUN-5)."""
    tests = [("total", a.total, b.total), ("intelligence", a.made.mind, b.made.mind)]
    if double_one_loses:
        tests.insert(0, ("critical", not a.is_fumble, not b.is_fumble))
    for by, mine, other in tests:
        if mine != other:
            return Verdict(a, b, by) if mine > other else Verdict(b, a, by)
    return None


def find_nearest(pool: Sequence[Combatant]) -> list[Combatant]:
    """Return the nearest, then most perceptive creatures; several if a die must choose (DUN-6, DUN-7)."""
    # Unknown distances come last, so that a single known distance already decides which creature is nearest.
    least = min(c.number("distance", FAR) for c in pool)
    return find_keenest([c for c in pool if c.number("distance", FAR) == least])


def find_keenest(pool: Sequence[Combatant]) -> list[Combatant]:
    """Return the most perceptive creatures; several if a die must choose (DUN-8, TRK-2)."""
    most = max(c.number("per") for c in pool)
    return [c for c in pool if c.number("per") == most]


class Catch(Struct, frozen=True):
    """The ids that surprise can catch at any distance, and the reason: `double 1`, `both dice` or ""."""

    who: tuple[str, ...] = ()
    why: str = ""


def find_caught(v: Verdict, losers: Sequence[Combatant], *, each: bool) -> Catch:
    """Return the losers that surprise can reach, before distances (DUN-18, DUN-22).

    With `each` the Intelligence of every loser is tested, not only the roller's. A double 1 that wins by
    house rule decides by its own dice (DUN-18).
    """
    everyone = tuple(c.id for c in losers)
    if v.loser.is_fumble:
        return Catch(everyone, "double 1")
    # Both dice must reach the number, so the lower one decides (DUN-18).
    if len(v.winner.faces) == 1:
        return Catch()  # nobody said what each of the dice showed
    low = min(v.winner.faces)
    if each:
        minds = {c.id: c.number("int") for c in losers} | {v.loser.who: v.loser.made.mind}
        caught = tuple(c.id for c in losers if low >= minds[c.id])
        return Catch(caught, "both dice") if caught else Catch()
    return Catch(everyone, "both dice") if low >= v.loser.made.mind else Catch()

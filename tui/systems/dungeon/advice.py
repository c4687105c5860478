"""Write the remarks of a dungeon's Now line: missing values, creatures in reserve, fitting procedures."""

from __future__ import annotations

from tui.core.fight.agenda import Choice, Sentence, list_slots, literal, say, say_because
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote
from tui.core.rules.newcomers import CreatureKind, find_kinds, group_line
from tui.systems.dungeon.by_sides import idle_part
from tui.systems.dungeon.by_track import is_by_track, track_of
from tui.systems.dungeon.contests import possible_rollers
from tui.systems.dungeon.notes import (
    all_entries,
    commander,
    core_members,
    creatures_in_play,
    dungeon_notes,
    is_fighting,
    new_enemies,
    option,
    reserve,
    team,
)
from tui.systems.dungeon.text import DARK, HEROES

_MOST = 3
"""The most creatures without an Intelligence that are named at once."""


def now_advice(e: Encounter) -> tuple[Sentence, ...]:
    """Return remarks on moves of caught creatures, missing Intelligence, and procedures that fit now."""
    contest = dungeon_notes(e).contest
    if contest.stage == "opposed":
        # Hints on moves can wait for the dice, whose reason needs the room.
        return _missing_minds(e)
    return (*idle_part(e), *_to_move_remark(e), *(() if contest.kind else _fitting_procedures(e)))


def caught_to_move(e: Encounter) -> list[Combatant]:
    """Return the caught creatures whose move of one square is still open (DUN-20)."""
    caught = [c for c in creatures_in_play(e) if "surprised" in c.marks and "moved" not in c.marks]
    other = "" if is_by_track(e) else DARK if dungeon_notes(e).side == HEROES else HEROES
    # A caught creature may move until its own turn comes; a turn that it had before it was caught does not
    # count.
    return [c for c in caught if c.side == other or ("acted" not in c.marks and c.id not in e.actors)]


def _to_move_remark(e: Encounter) -> tuple[Sentence, ...]:
    victims = tuple(c.id for c in caught_to_move(e))
    text = f"{list_slots(victims)} may be moved one square{' each' * (len(victims) > 1)}"
    return (say_because(text, "(`moved {0}`)", *victims, rule="DUN-20", joint=" "),) if victims else ()


def _missing_minds(e: Encounter) -> tuple[Sentence, ...]:
    """Return warnings for creatures of the opposed roll whose Intelligence is not set and counts as 0."""
    contest = dungeon_notes(e).contest
    both = [possible_rollers(e, side) for side in (HEROES, DARK)]
    asked = [creatures[0] for creatures in both if len(creatures) == 1]
    if contest.kind == "meeting" and option(e, "dun.surprise_int") == "each":
        asked = creatures_in_play(e)
    # This is said before the dice are rolled: afterwards the default of 0 has already decided.
    lacking = [c for c in asked if "int" not in c.fields][:_MOST]
    text = "{0} has no Intelligence, which counts as 0: `set %s int=3`"
    return tuple(Sentence(text % literal(quote(c.name)), (c.id,), "DUN-3", own=True) for c in lacking)


def _fitting_procedures(e: Encounter) -> tuple[Sentence, ...]:
    if not e.running:
        return ()
    combat, sentences = dungeon_notes(e).combat, []
    if not team(e, HEROES):
        end = ", or `calm` ends the combat" if combat else ""
        fallen = next((c.id for c in e.combatants.values() if c.out and c.side == HEROES), "")
        text = "no hero is left: `back {0}`" if fallen else "no hero is here: `add Ana side=heroes`"
        sentences.append(say(text + end, *([fallen] if fallen else []), rule="DUN-25"))
    elif combat and not is_fighting(e):
        sentences.append(say("no enemy is left: `calm` ends the combat", rule="DUN-25"))
    elif not combat:
        sentences.append(_how_enemies_appear(e))
    if combat and (waiting := tuple(c.id for c in reserve(e))):
        text = f"in reserve: {list_slots(waiting, 4)}"
        sentences.append(say_because(text, "(`place {0}`)", *waiting, rule="DUN-9", joint=" "))
    return tuple(sentences)


def _how_enemies_appear(e: Encounter) -> Sentence:
    """Return the lines that bring in enemies while the heroes explore."""
    waiting = reserve(e)
    if not waiting:
        return say("no enemy waits in reserve: `add 3 Orc`", rule="DUN-9")
    # A hero before its companion, whichever was added first.
    heroes = [c.id for x in all_entries(e) for c in core_members(e, x) if c.side == HEROES]
    finder = [*(k for k in heroes if k in e.actors), *heroes][0]
    text = "enemies in sight: `meet {0}`; a card: `place {1}`"
    return say(text, finder, waiting[0].id, rule="DUN-9")


# --- creatures of one kind who are about to roll singly


def group_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that group each kind of creature about to roll singly (TRK-5)."""
    return tuple(Choice(group_line(e, kind), kind.names(e), "one roll") for kind in _separate_kinds(e))


def _separate_kinds(e: Encounter) -> list[CreatureKind]:
    """Return the kinds with a creature that is about to roll alone."""
    contest = dungeon_notes(e).contest
    if not contest.kind or commander(e) or not (contest.kind == "meeting" or is_by_track(e)):
        return []
    places = track_of(e).places
    found = find_kinds(c for c in new_enemies(e) if c.value is None)
    return [kind for kind in found if any(k not in places for k in kind.members)]

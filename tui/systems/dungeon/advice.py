"""What Now adds in a dungeon: what is missing before it is too late, who waits in reserve, who is left."""

from __future__ import annotations

from tui.core.fight.agenda import Choice, Sentence, literal, reasoned, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote
from tui.core.rules.newcomers import CreatureKind, group_line, kinds
from tui.systems.dungeon.meeting import rollers
from tui.systems.dungeon.notes import (
    DARK,
    HEROES,
    TwoSides,
    batch,
    commander,
    fighting,
    gather,
    notes_of,
    own,
    playing,
    reserve,
    several,
    team,
)
from tui.systems.dungeon.track_order import by_track, track_of

_MOST = 3
"""How many creatures without an Intelligence are named at once."""


def advice(e: Encounter, system: TwoSides) -> tuple[Sentence, ...]:
    """Return who is still to be moved, whose Intelligence is missing, and the procedure that would fit."""
    contest = notes_of(e).contest
    if contest and contest.stage == "opposed":
        # Moves can wait for the dice, whose reason needs the room.
        return _minds(e, system)
    return (*_unmoved(e), *(() if contest else _procedures(e)))


def unmoved(e: Encounter) -> list[Combatant]:
    """Return victims of surprise whose one square is still to be moved (DUN-20)."""
    caught = [c for c in playing(e) if "surprised" in c.marks and "moved" not in c.marks]
    other = "" if by_track(e) else DARK if notes_of(e).side == HEROES else HEROES
    # With its own turn the moment has passed, but not with one that it had before it was caught.
    return [c for c in caught if c.side == other or ("acted" not in c.marks and c.id not in e.actors)]


def _unmoved(e: Encounter) -> tuple[Sentence, ...]:
    victims = tuple(c.id for c in unmoved(e))
    text = f"{several(victims)} may be moved one square{' each' * (len(victims) > 1)}"
    return (reasoned(text, "(`moved {0}`)", *victims, rule="DUN-20", joint=" "),) if victims else ()


def _minds(e: Encounter, system: TwoSides) -> tuple[Sentence, ...]:
    """Return warnings for an Intelligence that the running opposed roll needs: unset, it counts as 0."""
    contest = notes_of(e).contest
    if contest is None or contest.stage != "opposed":
        return ()
    asked = [
        c for side in (HEROES, DARK) if len(creatures := rollers(e, system, side)) == 1 for c in creatures
    ]
    if contest.kind == "meeting" and system.option(e, "dun.surprise_int") == "each":
        asked = playing(e)
    # Said before the dice fall: afterwards the 0 has already decided.
    lacking = [c for c in asked if "int" not in c.fields][:_MOST]
    return tuple(_mind(c) for c in lacking)


def _mind(c: Combatant) -> Sentence:
    line = literal(quote(c.name))
    text = f"{{0}} has no Intelligence, which counts as 0: `set {line} int=3`"
    return Sentence(text, (c.id,), "DUN-3", own=True)


def _procedures(e: Encounter) -> tuple[Sentence, ...]:
    if not e.running:
        return ()
    combat, sentences = notes_of(e).combat, []
    if not team(e, HEROES):
        end = ", or `calm` ends the combat" if combat else ""
        fallen = next((c.id for c in e.combatants.values() if c.out and c.side == HEROES), "")
        back = (
            say("no hero is left: `back {0}`", fallen)
            if fallen
            else say("no hero is here: `add Ana side=heroes`")
        )
        sentences.append(Sentence(back.text + end, back.about, "DUN-25"))
    elif combat and not fighting(e):
        sentences.append(say("no enemy is left: `calm` ends the combat", rule="DUN-25"))
    elif not combat:
        sentences.append(_appearing(e))
    if combat and (waiting := tuple(c.id for c in reserve(e))):
        text = f"in reserve: {several(waiting, 4)}"
        sentences.append(reasoned(text, "(`place {0}`)", *waiting, rule="DUN-9", joint=" "))
    return tuple(sentences)


def _appearing(e: Encounter) -> Sentence:
    """Return how enemies appear while the heroes explore, with those whom a line could name now."""
    waiting = reserve(e)
    if not waiting:
        return say("no enemy waits in reserve: `add 3 Orc`", rule="DUN-9")
    # A hero before its companion, whichever was added first.
    heroes = [c.id for x in gather(e) for c in own(e, x) if c.side == HEROES]
    finder = [*(k for k in heroes if k in e.actors), *heroes][0]
    text = "enemies in sight: `meet {0}`; a card: `place {1}`"
    return say(text, finder, waiting[0].id, rule="DUN-9")


# --- creatures of one kind who are about to roll singly


def singles(e: Encounter) -> tuple[Sentence, ...]:
    """Return enemies of one kind who will roll one by one although one roll would do (TRK-5)."""
    text = "%s roll separately: `%s` gives them one roll"
    return tuple(
        Sentence(text % (several(kind.members, 4), literal(group_line(e, kind))), kind.members, "TRK-5")
        for kind in _separate_kinds(e)
    )


def group_choices(e: Encounter) -> tuple[Choice, ...]:
    """Return the lines that make one row of each kind of creature."""
    return tuple(Choice(group_line(e, kind), kind.names(e), "one roll") for kind in _separate_kinds(e))


def _separate_kinds(e: Encounter) -> list[CreatureKind]:
    """Return the kinds of which at least one creature is about to roll on its own."""
    contest = notes_of(e).contest
    if contest is None or commander(e) or not (contest.kind == "meeting" or by_track(e)):
        return []
    places = track_of(e).places
    found = kinds(c for c in batch(e) if c.value is None)
    return [kind for kind in found if any(k not in places for k in kind.members)]

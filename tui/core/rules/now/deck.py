"""What follows without a choice: the forced acts up to the next turn, and who comes after the running one."""

from __future__ import annotations

from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.fight.memo import remembered
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.upkeep.owed import owed

MOST_ACTS = 10_000
"""Forced acts in a row: a system that opens rounds for ever without a turn is stopped."""
NAMED = 2
"""Of so many who may be chosen next each is named; of more only who chooses."""


def advance(d: Draft, system: InitiativeSystem) -> None:
    """Ends what runs, then takes what is forced, up to a turn, a debt or a choice."""
    if d.encounter.turn:
        end_turn(d, system)
    for _ in range(MOST_ACTS):
        if d.encounter.turn or owed(d.encounter, system):
            return
        acts = system.offer(d.encounter).acts
        if len(acts) != 1:
            return
        system.took(d, acts[0])
        system.settle(d)
        if acts[0].pauses:
            return


@remembered  # 200 creatures in classic: 2.7 ms a step, once instead of at every picture
def on_deck(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Who comes after the running turn: `then {0}`, `then round 3`; without words where that is not known.

    The turn is ended on a draft that nobody keeps. It says what the game master knows: of creatures that others
    do not see as well.
    """
    if e.turn is None:
        return Sentence("")
    d = Draft(e, system.all_marks, system.all_phases)
    try:
        advance(d, system)
    except RuleError:
        return Sentence("")
    after = d.encounter
    rounds = f"round {after.round}" if after.round != e.round else ""
    who = after.acting
    if who:
        return say(f"then {rounds}, {{0}}" if rounds else "then {0}", who)
    if rounds:
        return say(f"then {rounds}")
    return Sentence("") if owed(after, system) else _choice(after, system)


def _choice(e: Encounter, system: InitiativeSystem) -> Sentence:
    """Who may be chosen next, or who chooses."""
    offer = system.offer(e)
    turns = tuple(a.who for a in offer.acts if a.kind == "turn")
    if turns and len(turns) == len(offer.acts) <= NAMED:
        return Sentence("then " + " or ".join(f"{{{i}}}" for i in range(len(turns))), turns)
    return say("then {0} chooses", offer.chooser) if turns and offer.chooser else Sentence("")

"""Turn an action into events, or raise RuleError with nothing changed; decide the table's own actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import literal
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.actions import (
    Action,
    FreeRoll,
    Keeping,
    Note,
    Option,
    PlayAction,
    Roll,
    System,
    TableAction,
    Travel,
)
from tui.core.language.creature_actions import (
    Area,
    Damage,
    EffectAction,
    HealthAction,
    OwnVerb,
    Rest,
    RosterAction,
    Strike,
)
from tui.core.language.select import standing
from tui.core.rules import attacking, health, numbers, roster, saving, turns
from tui.core.rules.creature_fields import Kept, Sources, keep_apart, unread
from tui.core.rules.draft import Draft, close_turns
from tui.core.rules.now import suggestion
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.rules.upkeep import COMMON_OPTIONS


def perform(
    d: Draft, system: InitiativeSystem, action: TableAction, systems: Systems, roller: numbers.Roller
) -> None:
    """Perform an action of the table. Raises RuleError."""
    match action:
        case FreeRoll():
            _throw(d, action, roller)
        case Option(keys):
            for key, text in keys.items():
                field = values.known(key, (*system.options, *COMMON_OPTIONS), system.title)
                d.emit(ev.OptionSet(key, values.read(field, text)))
        case System(name):
            _change(d, system, systems.get(name), systems)
        case Note(text):
            d.emit(ev.NoteTaken(literal(values.words(text, "the note"))))
        case _:
            assert_never(action)


def _throw(d: Draft, action: FreeRoll, roller: numbers.Roller) -> None:
    """Roll dice that belong to no rule; an expression without dice would be a note."""
    spelt = numbers.notation(action.expression)
    if not numbers.has_dice(spelt):
        raise RuleError(f"dice: {action.expression} has no dice", "`dice 2d6`")
    rolled = roller.roll(spelt)
    sides, faces = numbers.sides_and_faces(rolled)
    text = values.words(action.text, "the text")
    d.emit(ev.DiceThrown(spelt.words(), rolled.total, sides, faces, roller.how, text, action.open))


def _change(d: Draft, before: InitiativeSystem, system: InitiativeSystem, systems: Systems) -> None:
    """Let another system run the fight.

    Values that it would misread are kept for the system that they belong to.
    """
    if system.id == d.encounter.system:
        hint = "`finish` ends the fight" if d.encounter.running else "`begin` starts the fight"
        raise RuleError(f"{system.title} is the system already", hint)
    saving.dropped(d)
    if d.encounter.running:
        e = d.encounter
        bearers = {x.of or c.id for c in e.combatants.values() for x in c.conditions}
        lasting = before.turn_edges == "round"
        close_turns(d, [k for k in bearers if lasting and before.turn_begun(e, k)])
    d.emit(ev.SystemChanged(system.id))
    keep_apart(d, d.encounter.combatants.values(), before, system, systems)
    if notice := unread(d.encounter, system, systems, d.encounter.combatants):
        d.notices.append(notice)


class Rules(Struct, frozen=True):
    """Everything a decision depends on beside the encounter, as arguments.

    `how` says where the dice come from (app, given); `kept` is the library.
    """

    systems: Systems
    dice: Dice
    how: str = "app"
    kept: Kept | None = None


def decide(e: Encounter, action: Action, rules: Rules) -> tuple[ev.Event, ...]:
    """Return the events that an action causes. Raises RuleError with what, why and what would work."""
    return tuple(draft(e, action, rules).events)


def draft(e: Encounter, action: Action, rules: Rules) -> Draft:
    """Return the same as a draft, with the encounter that it leads to."""
    return drafted(
        e,
        rules.systems.get(e.system),
        lambda d, system: _act(d, system, action, rules),
        settle=not isinstance(action, System),
    )


def drafted(
    e: Encounter,
    system: InitiativeSystem,
    act: Callable[[Draft, InitiativeSystem], None],
    *,
    settle: bool = True,
) -> Draft:
    """Return a draft of what `act` writes and of the steps after it that need no one. Raises RuleError."""
    d = Draft(e, system.all_marks, system.all_phases)
    act(d, system)
    saving.at_rest(d, system)
    if d.encounter.running and settle:
        system.settle(d)
    # A step that changes nothing would be one undo that does nothing.
    if not d.events:
        raise RuleError("that changes nothing")
    return d


def refusal(e: Encounter, system: InitiativeSystem, action: OwnVerb | Area) -> str:
    """Return why a verb of the system, or damage to many, is refused now; "" if it is not."""
    roller = numbers.Roller(numbers.Lowest())

    def act(d: Draft, system: InitiativeSystem) -> None:
        if isinstance(action, Area):
            saving.lay(d, system, action, roller)
        else:
            _play(d, system, action, roller)

    try:
        drafted(e, system, act)
    except RuleError as error:
        return error.message
    return ""


def _act(d: Draft, system: InitiativeSystem, action: Action, rules: Rules) -> None:
    """Send the action to the module that performs it."""
    roller = numbers.Roller(rules.dice, rules.how)
    if isinstance(action, RosterAction):
        roster.perform(d, system, action, Sources(rules.systems, roller, rules.kept))
    elif isinstance(action, Damage) and action.pool:
        health.damage_in_turn(d, system, action, roller)
    elif isinstance(action, HealthAction):
        health.perform(d, system, action, roller)
    elif isinstance(action, EffectAction):
        match action:
            case Area():
                saving.lay(d, system, action, roller)
            case Rest():
                health.rest(d, system, action)
            case Strike():
                attacking.strike(d, system, action, roller)
            case _:
                assert_never(action)
    elif isinstance(action, PlayAction | OwnVerb):
        _play(d, system, action, roller)
    elif isinstance(action, TableAction):
        perform(d, system, action, rules.systems, roller)
    elif isinstance(action, Travel | Keeping):
        raise RuleError("what goes back and forth, or out of this fight, belongs to the store")
    else:
        assert_never(action)


def _play(d: Draft, system: InitiativeSystem, action: PlayAction | OwnVerb, roller: numbers.Roller) -> None:
    """Move the fight on; the refusal of a line that does not fit the moment names one that does."""
    before = d.encounter
    try:
        if isinstance(action, OwnVerb):
            turns.must_run(before)
            _report(d, system, action, roller)
        else:
            turns.perform(d, system, action, roller)
    except RuleError as error:
        # Of faces that do not fit the message says all.
        fits = error.kind == "not_due" or (error.kind == "not_allowed" and not isinstance(action, Roll))
        if fits and not error.hint:
            error.hint = suggestion(before, system)
        raise


def _report(d: Draft, system: InitiativeSystem, action: OwnVerb, roller: numbers.Roller) -> None:
    """Report a verb of the system's own to it; one that damages takes an amount as its last word."""
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    points = None
    if verb and verb.damages and len(action.words) > 1:
        points = numbers.amount(d, roller, action.words[-1], verb.name)
    system.report(d, action)
    for k in standing(d.encounter, action.words[0]) if points is not None else ():
        health.damage(d, system, k, points or 0)

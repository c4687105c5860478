"""What is asked of the table itself: house rules, the system, notes, free dice."""

from __future__ import annotations

from typing import assert_never

from tui.core.fight import events as ev
from tui.core.fight.errors import RuleError
from tui.core.language import values
from tui.core.language.actions.table import FreeRoll, Note, Option, System, TableAction
from tui.core.rules import fields, numbers, saving
from tui.core.rules.draft import Draft, close_turns, write_note
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems
from tui.core.rules.upkeep.house import COMMON_OPTIONS


def perform(
    d: Draft, system: InitiativeSystem, action: TableAction, systems: Systems, roller: numbers.Roller
) -> None:
    """What happens when this is asked. Raises RuleError."""
    match action:
        case FreeRoll():
            _throw(d, action, roller)
        case Option(keys):
            for key, text in keys.items():
                field = values.known(key, (*system.options, *COMMON_OPTIONS), system.title)
                d.emit(ev.OptionSet(key, values.read(field, text)))
        case System(name):
            _change(d, system, systems.get(name))
        case Note(text):
            write_note(d, values.words(text, "the note"))
        case _:
            assert_never(action)


def _throw(d: Draft, action: FreeRoll, roller: numbers.Roller) -> None:
    """A free roll; one without dice would be a note."""
    spelt = numbers.notation(action.expression)
    if not numbers.has_dice(spelt):
        raise RuleError(f"dice: {action.expression} has no dice", "`dice 2d6`")
    rolled = roller.roll(spelt)
    sides, faces = numbers.sides_and_faces(rolled)
    text = values.words(action.text, "the text")
    d.emit(ev.DiceThrown(spelt.words(), rolled.total, sides, faces, roller.how, text, action.open))


def _change(d: Draft, before: InitiativeSystem, system: InitiativeSystem) -> None:
    """Another system runs the fight; values that it cannot read, or would misread, are left out, and named."""
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
    for c in d.encounter.combatants.values():
        # Left out and named: a value that the system cannot read would fail at some later roll, and one that it would
        # misread would be added to every roll.
        for key, why in fields.unfit(system, before, c).items():
            d.emit(ev.FieldSet(c.id, key, empty=True, quiet=True))
            d.announce(f"{{0}}: {key}={values.show(c.fields[key])} is left out, {why}", c.id)

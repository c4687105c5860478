"""decide(encounter, action, rules) → facts; or RuleError, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from tui.core.fight import events as ev
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, key_of
from tui.core.fight.errors import RuleError
from tui.core.language import actions as a
from tui.core.language import values
from tui.core.language.select import entry, one, resolve
from tui.core.rules import health, play, roster
from tui.core.rules.draft import Draft, write_note
from tui.core.rules.system import InitiativeSystem, Systems


class Rules(Struct, frozen=True):
    """Everything a decision depends on beside the encounter, as arguments.

    `how` says where the dice come from (app, given); `read` gives the adds of a party file.
    """

    systems: Systems
    dice: Dice
    how: str = "app"
    read: Callable[[str, str], Sequence[a.Add]] | None = None


def decide(e: Encounter, action: a.Action, rules: Rules) -> tuple[ev.Event, ...]:
    """What happens when this is asked. Raises RuleError with what, why and what would work."""
    return tuple(draft(e, action, rules).events)


def draft(e: Encounter, action: a.Action, rules: Rules) -> Draft:
    """The same, with the encounter that it leads to."""
    system = rules.systems.get(e.system)
    d = Draft(e, system.all_marks, system.all_phases)
    _act(d, system, action, rules)
    if d.encounter.running and not isinstance(action, a.System):
        system.settle(d)
    if not d.events:
        raise RuleError("that changes nothing")
    return d


def _act(d: Draft, system: InitiativeSystem, action: a.Action, rules: Rules) -> None:
    match action:
        case a.Add() | a.Party():
            _arrive(d, system, action, rules)
        case a.Set() | a.Rename() | a.Group() | a.Hide() | a.Remove() | a.Out():
            _roster(d, system, action)
        case a.Damage() | a.Heal() | a.Temp() | a.Afflict() | a.Clear():
            _body(d, system, action, rules)
        case a.Option() | a.System() | a.Note():
            _table(d, system, action, rules)
        case a.Begin():
            _begin(d, system)
        case a.Undo() | a.Redo() | a.Goto():
            raise RuleError("going back and forth belongs to the store")
        case _:
            play.must_run(d.encounter)
            _play(d, system, action, rules)


def _arrive(d: Draft, system: InitiativeSystem, action: a.Add | a.Party, rules: Rules) -> None:
    if isinstance(action, a.Party):
        if rules.read is None:
            raise RuleError("no files can be read here")
        adds = rules.read(action.file, action.kind)
    else:
        adds = [action]
    ids: list[str] = []
    for x in adds:
        count = health.amount(d, rules.dice, rules.how, x.count) if x.count else None
        ids += roster.add(d, system, x, count)
    if d.encounter.running:
        here = tuple(k for k in ids if d.encounter.combatants[k].arrives <= d.encounter.round)
        if here:
            system.joined(d, here)


def _roster(
    d: Draft, system: InitiativeSystem, action: a.Set | a.Rename | a.Group | a.Hide | a.Remove | a.Out
) -> None:
    match action:
        case a.Set():
            roster.edit(d, system, action)
        case a.Rename():
            roster.rename(d, system, action)
        case a.Group():
            roster.group(d, system, action)
        case a.Hide(who, reveal):
            for k in resolve(d.encounter, who):
                roster.hide(d, system, k, reveal=reveal)
        case a.Remove(who):
            ids = resolve(d.encounter, who)
            roster.remove(d, ids)
            play.gone(d, system, ids)
        case a.Out(who, back):
            _out(d, system, who, back=back)


def _out(d: Draft, system: InitiativeSystem, who: str, *, back: bool) -> None:
    ids = resolve(d.encounter, who)
    changed = tuple(k for k in ids if d.encounter.combatants[k].out == back)
    if not changed:
        verb = "in the fight" if back else "out"
        raise RuleError(f"{d.encounter.combatants[ids[0]].name} is already {verb}")
    d.emit(*(ev.CameBack(k) if back else ev.WentOut(k) for k in changed))
    if back and d.encounter.running:
        system.joined(d, changed)
    elif not back:
        play.gone(d, system, changed)


def _body(
    d: Draft, system: InitiativeSystem, action: a.Damage | a.Heal | a.Temp | a.Afflict | a.Clear, rules: Rules
) -> None:
    match action:
        case a.Afflict():
            health.afflict(d, action)
        case a.Clear():
            health.clear(d, action)
        case _:
            ids = resolve(d.encounter, action.who)
            points = health.amount(d, rules.dice, rules.how, action.amount, action.scale)
            for k in ids:
                if isinstance(action, a.Damage):
                    health.damage(d, system, k, points)
                elif isinstance(action, a.Heal):
                    health.heal(d, k, points)
                else:
                    health.bolster(d, k, points)


def _table(d: Draft, system: InitiativeSystem, action: a.Option | a.System | a.Note, rules: Rules) -> None:
    match action:
        case a.Option(keys):
            for key, text in keys.items():
                field = values.known(key, system.options, system.title)
                d.emit(ev.OptionSet(key, values.read(field, text)))
        case a.System(name):
            d.emit(ev.SystemChanged(rules.systems.get(name).id))
        case a.Note(text):
            write_note(d, roster.note_of(text))


def _begin(d: Draft, system: InitiativeSystem) -> None:
    if d.encounter.running:
        raise RuleError("the fight is already running", f"`system {system.id}` ends it")
    if not d.encounter.combatants:
        raise RuleError("nobody is here to fight", "`add 5 Orc`")
    system.begin(d)


def _play(d: Draft, system: InitiativeSystem, action: a.Action, rules: Rules) -> None:
    match action:
        case a.Roll(who=""):
            play.roll_all(d, system, rules.dice, rules.how)
        case a.Roll():
            play.roll_who(d, system, action, rules.dice, rules.how)
        case a.Pick():
            play.pick(d, system, action)
        case a.Ok():
            play.acknowledge(d, system)
        case a.Next():
            play.go_on(d, system)
        case a.TakeTurn(who):
            play.take(d, system, who)
        case a.Pass():
            play.passing(d, system)
        case a.End():
            play.end(d, system)
        case _:
            _special(d, system, action, rules)


def _special(d: Draft, system: InitiativeSystem, action: a.Action, rules: Rules) -> None:
    """What systems may know or refuse."""
    match action:
        case a.Order(who, keys):
            for key in dict.fromkeys(key_of(d.encounter.combatants[k]) for k in resolve(d.encounter, who)):
                system.order(d, key, keys)
        case a.Lock(missing):
            system.lock(d, missing=bool(missing))
        case a.Unlock():
            system.unlock(d)
        case a.Hold(who, act):
            key = entry(d.encounter, who, system.entries(d.encounter))
            system.act(d, key) if act else system.hold(d, key)
        case a.Move(who, where, other):
            rows = system.entries(d.encounter)
            system.move(d, entry(d.encounter, who, rows), where, entry(d.encounter, other, rows))
        case a.React(who, text):
            system.react(d, one(d.encounter, who), roster.note_of(text))
        case a.OwnVerb():
            _report(d, system, action, rules)
        case _:
            raise RuleError(f"nobody knows how to {type(action).__name__.lower()}")


def _report(d: Draft, system: InitiativeSystem, action: a.OwnVerb, rules: Rules) -> None:
    """A verb of the system's own; one that damages takes an amount as its last word."""
    verb = next((v for v in system.verbs if v.name == action.verb), None)
    points = None
    if verb and verb.damages and len(action.words) > 1:
        points = health.amount(d, rules.dice, rules.how, *health.scaled(action.words[-1]))
    system.report(d, action)
    for k in resolve(d.encounter, action.words[0]) if points is not None else ():
        health.damage(d, system, k, points or 0)

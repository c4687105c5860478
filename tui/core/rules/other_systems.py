"""Keep the values that a creature has for other systems than the one that runs the fight.

A value stays under its key for every system. Where two systems give one key different titles, a change from
one to the other drops the value. Saves of 1.x may hold it as `SYSTEM.KEY` (`classic.mod`); it gets its plain
key when a system with that meaning runs the fight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tui.core.base.errors import RuleError
from tui.core.base.text import list_briefly, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, literal
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.select import list_names
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems


def other_systems(system: InitiativeSystem, systems: Systems) -> Iterable[InitiativeSystem]:
    """Return the systems that could run the fight instead."""
    return (other for other in systems.known() if other.id != system.id)


def load_system(name: str, systems: Systems) -> InitiativeSystem | None:
    """Return the system of an id; None if it cannot be loaded."""
    try:
        return systems.get(name)
    except RuleError:
        return None


def own_field(system: InitiativeSystem, key: str) -> Field | None:
    """Return the field that a system itself declares under a key; None if it declares none."""
    return next((f for f in system.fields if f.key == key), None)


def read_back(field: Field, value: Plain) -> Plain:
    """Return a value written and read by a field; None if the field cannot read it."""
    try:
        return values.read_value(field, values.spell(value))
    except RuleError:
        return None


def field_of_1x(key: str, systems: Systems) -> Field | None:
    """Return the field of a key of 1.x with its system, such as `classic.mod`; None for any other key."""
    name, _, own = key.rpartition(".")
    system = load_system(name, systems) if name else None
    return own_field(system, own) if system else None


def system_of_key(key: str, system: InitiativeSystem, systems: Systems) -> str:
    """Return the id of the system that declares a key, the running one first; "" for none."""
    return next((x.id for x in (system, *other_systems(system, systems)) if own_field(x, key)), "")


def key_in(system: InitiativeSystem, key: str, saved_in: str, systems: Systems) -> tuple[str, str]:
    """Return the key under which `system` takes a value from a file of `saved_in`, and who wrote it.

    The key is "" if the system would misread it. In a file of 1.x it may name its own system.
    """
    theirs = field_of_1x(key, systems)
    plain = theirs.key if theirs else key
    writer = key.rpartition(".")[0] if theirs else saved_in
    theirs = own_field(saver, plain) if (saver := load_system(writer, systems)) else None
    own = own_field(system, plain)
    return "" if own and theirs and own.title != theirs.title else plain, writer


def carry_over(
    d: Draft,
    people: Iterable[Combatant],
    before: InitiativeSystem,
    system: InitiativeSystem,
    systems: Systems,
) -> None:
    """Drop the field values that `system`, which takes over from `before`, would misread.

    Creatures with the same loss share a sentence in the log.
    """
    told: dict[tuple[str, str], dict[str, Plain]] = {}
    for c in people:
        dropped = {k: why for k, v in c.fields.items() if (why := _misread(k, v, before, system))}
        for key, why in dropped.items():
            d.emit(ev.FieldSet(c.id, key, empty=True, quiet=True))
            if c.fields[key]:
                told.setdefault((key, f"is left out: {why}"), {})[c.id] = c.fields[key]
        for key, plain in _keys_back(c, system, systems):
            d.emit(ev.FieldSet(c.id, key, empty=True, quiet=True))
            if plain not in c.fields or plain in dropped:
                d.emit(ev.FieldSet(c.id, plain, c.fields[key], quiet=True))
                if c.fields[key]:
                    told.setdefault((plain, "is back"), {})[c.id] = c.fields[key]
    for (key, what), whose in told.items():
        shown = {values.spell(value) for value in whose.values()}
        setting = f"{key}={shown.pop()}" if len(shown) == 1 else key
        keys = tuple(whose)
        names = list_names([f"{{{i}}}" for i in range(len(keys))])
        d.announce(f"{names}: {literal(f'{setting} {what}')}", *keys)


def _keys_back(c: Combatant, system: InitiativeSystem, systems: Systems) -> Iterator[tuple[str, str]]:
    """Yield the `SYSTEM.KEY` of a save of 1.x that this system reads, with the plain key."""
    for key in c.fields:
        field = field_of_1x(key, systems)
        own = own_field(system, field.key) if field else None
        if field and own and own.title == field.title:
            yield key, own.key


def _misread(key: str, value: Plain, before: InitiativeSystem, system: InitiativeSystem) -> str:
    """Return why `system` would misread a value; "" if it does not use the key, or reads it alike."""
    own = own_field(system, key)
    if own is None:
        return ""
    if read_back(own, value) != value:
        return f"{system.title} cannot read it"
    # The value is that of the system that has run the fight, else that of the new one.
    theirs = own_field(before, key)
    if theirs is None or theirs.title == own.title or read_back(theirs, value) != value:
        return ""
    return f"{system.title} would take {before.title}'s {theirs.title} for its {own.title}"


def describe_unread(e: Encounter, system: InitiativeSystem, systems: Systems, who: Iterable[str]) -> str:
    """Return a notice of creatures that have a modifier only for other systems; "" if there are none.

    The notice ends with a line that gives one of them a modifier for this system.
    """
    own = next((f for f in system.fields if f.stock), None)
    if own is None:
        return ""
    theirs = [(x, f) for x in other_systems(system, systems) for f in x.fields if f.stock == own.stock]
    lacking = [
        (e.combatants[k].name, f"{x.title}'s {f.title}", value)
        for k in who
        for x, f in theirs
        for key in (f.key, f"{x.id}.{f.key}")
        if own.key not in e.combatants[k].fields
        and (value := e.combatants[k].fields.get(key))
        and read_back(f, value) == value
    ]
    if not lacking:
        return ""
    (name, what, value), names = lacking[0], list(dict.fromkeys(x[0] for x in lacking))
    line = f"set {quote(name)} {own.key}={values.spell(value)}"
    has = "has" if len(names) == 1 else "have"
    return f"{list_briefly(names)} {has} no {own.title} here, only {what}; `{line}` gives one"


def list_bonuses(
    people: Iterable[Combatant], before: InitiativeSystem, system: InitiativeSystem
) -> Mapping[str, Plain]:
    """Return by creature the bonus to the roll for `before` that could be the one for `system`.

    Creatures that have one there, and values that `system` reads or cannot read, are left out.
    """
    own = own_field(system, system.modifier)
    if own is None or not before.modifier or own_field(system, before.modifier):
        return {}
    kept = {c.id: c.fields.get(before.modifier) for c in people if not c.fields.get(own.key)}
    return {who: value for who, value in kept.items() if value and read_back(own, value) == value}

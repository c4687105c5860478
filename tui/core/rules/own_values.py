"""Keep apart the values that several systems store under one key: each system finds its own again.

Classic's `mod` is a modifier, the dungeon's `mod` a bonus. A value that the running system would misread is
stored as `SYSTEM.KEY` (`classic.mod`), and gets its plain key back when a system that means the same by it
runs the fight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, literal
from tui.core.fight.combatant import Combatant, Plain
from tui.core.language import values
from tui.core.rules.draft import Draft
from tui.core.rules.system import InitiativeSystem, Systems


class KeyChange(Struct, frozen=True):
    """A value that changes its key, or is dropped (`to` is empty); `why` is worded for the log, or empty."""

    key: str
    to: str
    value: Plain
    why: str = ""


def others(system: InitiativeSystem, systems: Systems) -> Iterable[InitiativeSystem]:
    """Return the systems that could run the fight instead; one that cannot be loaded is skipped."""
    for name in systems.ids():
        if (found := _loaded(name, systems)) and found.id != system.id:
            yield found


def field_of(key: str, systems: Systems) -> Field | None:
    """Return the field of a key with its system, `classic.mod`; None for any other key."""
    name, _, own = key.rpartition(".")
    system = _loaded(name, systems) if name else None
    return _field(system, own) if system else None


def owner(key: str, system: InitiativeSystem, systems: Systems) -> str:
    """Return the id of the system that declares a key: the running one, else the first; "" for none."""
    return next((x.id for x in (system, *others(system, systems)) if _field(x, key)), "")


def named_apart(key: str, saved_in: str, systems: Systems) -> str:
    """Return the key of a value of `saved_in`: with that system where another one means something else."""
    system = _loaded(saved_in, systems)
    field = _field(system, key) if system else None
    return f"{saved_in}.{key}" if field and _contested(field, systems) else key


def placed(key: str, system: InitiativeSystem, systems: Systems) -> str:
    """Return the key under which a fight of this system stores a value: `classic.mod` is `mod` in Classic."""
    field = field_of(key, systems)
    if field is None:
        return key
    own = _field(system, field.key)
    plain = own.title == field.title if own else not _contested(field, systems)
    return field.key if plain else key


def keep_apart(
    d: Draft, c: Combatant, before: InitiativeSystem, system: InitiativeSystem, systems: Systems
) -> None:
    """Give a creature's values the keys that they have when `system` takes over from `before`."""
    for x in list(_moves(c, before, system, systems)):
        d.emit(ev.FieldSet(c.id, x.key, empty=True, quiet=True))
        if x.to:
            d.emit(ev.FieldSet(c.id, x.to, x.value, quiet=True))
        if x.why:
            d.announce(f"{{0}}: {literal(x.why)}", c.id)


def _moves(
    c: Combatant, before: InitiativeSystem, system: InitiativeSystem, systems: Systems
) -> Iterator[KeyChange]:
    leaving = {x.key: x for x in _leaving(c, before, system, systems)}
    yield from leaving.values()
    for key, value in c.fields.items():
        field = field_of(key, systems)
        if field is None or placed(key, system, systems) == key:
            continue
        typed_since = field.key in c.fields and field.key not in leaving
        back = "" if typed_since or not value else f"{field.key}={values.show(value)} is back"
        yield KeyChange(key, "" if typed_since else field.key, value, back)


def _leaving(
    c: Combatant, before: InitiativeSystem, system: InitiativeSystem, systems: Systems
) -> Iterator[KeyChange]:
    for key, value in c.fields.items():
        own = _field(system, key)
        # Whose it is: the one that has run the fight, else the new one, else whichever can read it.
        known = [(x, f) for x in (before, system, *others(system, systems)) if (f := _field(x, key))]
        whose, field = next(((x, f) for x, f in known if _reads(f, value)), (None, None))
        shown = f"{key}={values.show(value)}"
        if whose is None or field is None:
            if own:
                yield KeyChange(key, "", value, f"{shown} is left out, {system.title} cannot read it")
        elif own is None:
            if _contested(field, systems):
                yield KeyChange(key, f"{whose.id}.{key}", value)
        elif own.title != field.title or not _reads(own, value):
            misread = f"{system.title} would take {whose.title}'s {field.title} for its {own.title}"
            why = misread if _reads(own, value) else f"{system.title} cannot read it"
            yield KeyChange(
                key, f"{whose.id}.{key}", value, f"{shown} stays {whose.title}'s, {why}" if value else ""
            )


def _contested(field: Field, systems: Systems) -> bool:
    """Return whether systems disagree about what this key means."""
    loaded = (_loaded(name, systems) for name in systems.ids())
    return any(f.title != field.title for x in loaded if x and (f := _field(x, field.key)))


def _loaded(name: str, systems: Systems) -> InitiativeSystem | None:
    try:
        return systems.get(name)
    except RuleError:
        return None


def _field(system: InitiativeSystem, key: str) -> Field | None:
    return next((f for f in system.fields if f.key == key), None)


def _reads(field: Field, value: Plain) -> bool:
    try:
        # Written and read back, the one test that every kind of field passes or fails alike.
        return bool(values.read(field, values.show(value)) == value)
    except RuleError:
        return False

"""What `add` and `set` may say of a creature: attributes of all, fields of the running system and of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.errors import RuleError
from tui.core.fight.text import nearest
from tui.core.language import values
from tui.core.rules.names import name_for
from tui.core.rules.numbers import is_dice
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.systems import Systems

MOST_HP = 99_999
ATTRIBUTES = (
    Field("side", "side", "name", help="whose side"),
    Field("group", "group", "name", help="one row for several"),
    Field("owner", "player", "name", help="the player"),
    Field("hp", "hit points", least=0, most=MOST_HP),
    Field("max_hp", "maximum hit points", help="their maximum", least=0, most=MOST_HP),
    Field("temp_hp", "temporary hit points", help="temporary ones", least=0, most=MOST_HP),
    Field(
        "temp_max", "added to the maximum", help="for a while, also less than 0", least=-MOST_HP, most=MOST_HP
    ),
    Field("resist", "resists", "text", help="kinds of damage that count half, with commas; all: every kind"),
    Field("vulnerable", "is vulnerable to", "text", help="kinds of damage that count twice"),
    Field("immune", "is immune to", "text", help="kinds of damage that count nothing"),
    Field("saves", "saving throws", "bonuses", help="what a die for them adds: dex+5 wis+2"),
    Field("ac", "armour class"),
    Field("hidden", "hidden", "bool", help="yes: unseen"),
    Field("note", "note", "text", help="for you alone"),
    Field("card", "card", "page", help="all that is known"),
    Field("round", "arrives in round", help="comes in that round", least=0, most=9999),
    Field("value", "fixed place"),
)
_OF_ALL = {f.key: f for f in ATTRIBUTES}


def is_attribute(key: str) -> bool:
    """Whether every creature has it, in every system."""
    return key in _OF_ALL


def attributes(system: InitiativeSystem) -> tuple[Field, ...]:
    """What every creature has, and the fields of a system."""
    own = system.fields if any(f.key == "kind" for f in system.fields) else (values.KIND, *system.fields)
    return (*ATTRIBUTES, *own)


def asked(system: InitiativeSystem) -> tuple[Field, ...]:
    """The same in the order in which a screen asks for them: what the system needs goes first."""
    own = attributes(system)[len(ATTRIBUTES) :]
    return (*own, *ATTRIBUTES)


def declared(key: str, system: InitiativeSystem, systems: Systems) -> list[Field]:
    """The fields of that key: the running system's, else those of all systems that have it. Raises RuleError."""
    own = {f.key: f for f in attributes(system)}
    if key in own:
        return [own[key]]
    found = [f for x in others(system, systems) for f in x.fields if f.key == key]
    if not found:
        everywhere = [*own, *(f.key for x in others(system, systems) for f in x.fields)]
        close = nearest(key, everywhere)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(own)}"
        raise RuleError(f"no system has {key}", hint, kind="unknown_word")
    return found


def others(system: InitiativeSystem, systems: Systems) -> Iterable[InitiativeSystem]:
    """The systems that could run the fight instead; one that cannot be loaded is none."""
    for name in systems.ids():
        try:
            found = systems.get(name)
        except RuleError:
            continue
        if found.id != system.id:
            yield found


def readable(fields: Sequence[Field], text: str) -> None:
    """Raises RuleError, of the last of them, when none of these fields can read the text, dice included."""
    for field in fields:
        try:
            _check(field, text)
        except RuleError:
            if field is fields[-1]:
                raise
        else:
            return


def _check(field: Field, text: str) -> None:
    if field.kind == "name":
        name_for(text)
    elif text and not (field.kind == "int" and is_dice(text)):
        values.read(field, text)


def unreadable(system: InitiativeSystem, c: Combatant) -> list[str]:
    """The keys of a creature's fields whose values the system declares otherwise."""
    return [f.key for f in system.fields if f.key in c.fields and not _reads(f, c.fields[f.key])]


def unfit(system: InitiativeSystem, before: InitiativeSystem, c: Combatant) -> dict[str, str]:
    """Return the keys of a creature's fields that must not come along from one system into another, and why.

    Values that the new one cannot read, and those that mean another thing there: a key means the same where both call
    it the same. Perception is Perception; Classic's modifier is not the dungeon's bonus.
    """
    meant = {f.key: f.title for f in before.fields}
    misread = {
        f.key: f"{system.title} would take {before.title}'s {meant[f.key]} for its {f.title}"
        for f in system.fields
        if c.fields.get(f.key) and meant.get(f.key, f.title) != f.title
    }
    return misread | dict.fromkeys(unreadable(system, c), f"{system.title} cannot read it")


def _reads(field: Field, value: Plain) -> bool:
    try:
        # Written and read back, the one test that every kind of field passes or fails alike.
        return bool(values.read(field, values.show(value)) == value)
    except RuleError:
        return False

"""Read the values that `add` and `set` give to creatures, among them fields of all systems.

A value stays under its key for every system. Where two systems give one key different titles, a change from
one to the other drops the value. Saves of 1.x may hold it as `SYSTEM.KEY` (`classic.mod`); it gets its plain
key when a system with that meaning runs the fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean_name, list_briefly, nearest, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, literal
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.creature_actions import Add, Afflict, Tally
from tui.core.language.grammar import parse
from tui.core.language.select import list_names
from tui.core.language.spoken import explain_gone
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.names import check_name
from tui.core.rules.numbers import Lowest, Roller, is_dice, roll_count, split_dice
from tui.core.rules.system import Absent, InitiativeSystem, Systems, is_gmless
from tui.core.rules.upkeep import change_counter, read_dying, restore_dying

MOST_HP = 99_999
ATTRIBUTES = (
    Field("side", "side", "name", help="its side"),
    Field("group", "group", "name", help="one row: several act together"),
    Field("owner", "player", "name", help="the player"),
    Field("hp", "hit points", least=0, most=MOST_HP),
    Field("max_hp", "maximum hit points", help="their maximum", least=0, most=MOST_HP),
    Field("temp_hp", "temporary hit points", help="temporary ones", least=0, most=MOST_HP),
    Field(
        "temp_max", "added to the maximum", help="for a while, also less than 0", least=-MOST_HP, most=MOST_HP
    ),
    Field("resist", "resists", "text", help="half damage, from these kinds (with commas; all: every kind)"),
    Field("vulnerable", "is vulnerable to", "text", help="double damage, from these kinds"),
    Field("immune", "is immune to", "text", help="no damage, from these kinds"),
    Field("saves", "saving throws", "bonuses", help="bonuses by ability: dex+5 wis+2"),
    Field("ac", "armour class"),
    Field("attacks", "attacks", "attacks", help="its attacks: Bite +4 1d6+2 piercing; Howl dc11 wis 1d6"),
    Field("hidden", "hidden", "bool", help="yes: players do not see it"),
    Field("note", "note", "text", help="for you alone"),
    Field("card", "card", "page", help="stat block, as text"),
    Field("round", "arrives in round", help="the round in which it arrives", least=0, most=9999),
    Field("value", "fixed place", help="its number on the track, without dice; none: it rolls"),
)
EVERYBODY = "everybody"
"""The name of the public view, which no player may have."""
_OF_ALL = {f.key: f for f in ATTRIBUTES}


def is_attribute(key: str) -> bool:
    """Return whether every creature has this key, in every system."""
    return key in _OF_ALL


def attributes(system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the attributes of every creature, then the fields of a system."""
    own = system.fields if any(f.key == "kind" for f in system.fields) else (values.KIND, *system.fields)
    return (*ATTRIBUTES, *own)


def ordered_fields(system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the fields of `attributes` as a screen asks for them, the system's first.

    Dice that are written behind a number have no question of their own.
    """
    own = attributes(system)[len(ATTRIBUTES) :]
    own = tuple(f for f in own if f.key not in {x.dice for x in own})
    return (*own, *ATTRIBUTES)


def find_fields(key: str, system: InitiativeSystem, systems: Systems, saved_in: str = "") -> list[Field]:
    """Return the fields of a key: the running system's, else those of all systems. Raises RuleError.

    `saved_in` is the system whose file has the key, "" for none; its field comes first.
    """
    own = {f.key: f for f in attributes(system)}
    if field := own.get(key):
        return [field]
    if (gone := explain_gone("key", "SYSTEM.KEY")) and _field_of(key, systems):
        raise RuleError(f"{key}: {gone[0]}", gone[1], kind="unknown_word")
    fields = [f for x in other_systems(system, systems) for f in x.fields if f.key == key]
    if not fields:
        everywhere = [*own, *(f.key for x in other_systems(system, systems) for f in x.fields)]
        close = nearest(key, everywhere)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(own)}"
        raise RuleError(f"no system has {key}", hint, kind="unknown_word")
    theirs = _find_own_field(saver, key) if saved_in and (saver := _load(saved_in, systems)) else None
    return [*filter(None, [theirs]), *fields]


def check_readable(fields: Sequence[Field], text: str) -> None:
    """Raise RuleError, that of the last field, unless some field can read the text; dice are allowed."""
    _first_reading(fields, lambda field: _check_field(field, text))


def _first_reading(fields: Sequence[Field], read: Callable[[Field], Plain]) -> Plain:
    """Return what the first field that can read gives. Raises RuleError, that of the last field."""
    for field in fields[:-1]:
        # Two systems may declare the same key differently; only the last refusal is shown.
        try:
            return read(field)
        except RuleError:
            continue
    return read(fields[-1])


def check_unsigned(field: Field, text: str) -> None:
    """Raise RuleError for a plus before a number that is set and not added."""
    itself = field.kind == "int" and (field.least >= 0 or field.key == "ac")
    if itself and text.lstrip().startswith("+"):
        bare = text.lstrip().lstrip("+")
        raise RuleError(
            f"{field.key}= takes the number itself, not {text}", f"`{field.key}={bare}`", kind="bad_value"
        )


def _check_field(field: Field, text: str) -> None:
    check_unsigned(field, text)
    if field.kind == "name":
        read_names(field, text)
    elif text and not (field.kind == "int" and is_dice(text)):
        values.read_value(field, text)


class Borne(Struct, frozen=True):
    """The parts of a newcomer that a line of `add` cannot express."""

    alias: str = ""
    """The name that players read; "" for none."""
    counters: tuple[str, ...] = ()
    """The words of `count` after WHO."""
    conditions: tuple[str, ...] = ()
    """The words of `condition` after WHO."""
    hidden_conditions: tuple[str, ...] = ()
    """The names of those conditions that are hidden from players."""
    saves: str = ""
    """The death saves of a dying creature, as `write_dying` writes them; "" for none."""


class Newcomer(Struct, frozen=True):
    """A line of `add`, with the parts of its creatures that the line cannot express."""

    add: Add
    borne: Borne = Borne()
    left_out: tuple[str, ...] = ()
    """The keys of its file that the running system would misread."""
    saved_in: Mapping[str, str] = {}
    """The id of the system of the file, by key."""
    origin: str = ""
    """Where the numbers come from that the line does not give; "" for nowhere."""


_TRIAL_CREATURE = Combatant("c1", "X", "dark")
"""A creature on which the words of a file are tried before they are used."""


def give_borne(d: Draft, system: InitiativeSystem, who: Sequence[str], borne: Borne, roller: Roller) -> None:
    """Give newcomers the counters and conditions of their file. Raises RuleError."""
    names = ",".join(d.encounter.combatants[k].name for k in who)
    for tally in map(read_counter, borne.counters):
        change_counter(d, replace(tally, who=names), roller, quiet=True)
    for afflict in map(read_condition, borne.conditions):
        # A condition that a new creature brings along without a source is held by the creature itself.
        if not afflict.conc or afflict.of:
            health.afflict(d, system, replace(afflict, who=names), roller)
            continue
        for name in names.split(","):
            health.afflict(d, system, replace(afflict, who=name, of=name), roller)
    for k in who if borne.saves else ():
        restore_dying(d, k, borne.saves)
    hidden = {clean_name(name).lower() for name in borne.hidden_conditions}
    d.emit(*(ev.ConditionHid(k, x) for k in who for x in _hidden_names(d.encounter.combatants[k], hidden)))


def _hidden_names(c: Combatant, names: set[str]) -> Iterator[str]:
    return iter(dict.fromkeys(x.name for x in c.conditions if x.name.lower() in names))


def read_counter(words: str) -> Tally:
    """Return the `count` action of these words after WHO. Raises RuleError."""
    action = parse(f"count X {words}")
    assert isinstance(action, Tally)
    return action


def read_condition(words: str) -> Afflict:
    """Return the `condition` action of these words after WHO. Raises RuleError."""
    action = parse(f"condition X {words}")
    assert isinstance(action, Afflict)
    return action


def check_borne(borne: Borne) -> None:
    """Raise RuleError for words that would be refused for any creature; only a fight can check `of=`."""
    if borne.saves:
        read_dying(borne.saves)
    if borne == Borne(borne.alias, saves=borne.saves):
        return
    d = Draft(Encounter("", combatants={"c1": _TRIAL_CREATURE}))
    alone = [replace(read_condition(words), of="", conc=False) for words in borne.conditions]
    for action in alone:
        health.afflict(d, Absent(), replace(action, who="X"), Roller(Lowest()))
    give_borne(d, Absent(), ("c1",), replace(borne, conditions=()), Roller(Lowest()))
    names = {x.name.lower() for x in d.encounter.combatants["c1"].conditions}
    for name in borne.hidden_conditions:
        if clean_name(name).lower() not in names:
            raise RuleError(f"{name} is hidden, but is not one of the conditions")


Reader = Callable[[str, Literal["party", "fight"]], Sequence[Newcomer]]
"""Returns the newcomers of a file, by its name and kind."""


class Kept(Struct, frozen=True):
    """The functions of the library that the rules call."""

    read: Reader
    """Returns the newcomers of a file, by its name and kind."""
    known: Callable[[Add], Newcomer]
    """Returns the newcomer of a line of `add`, completed with what library or box have for its name.

    Raises RuleError if only other names fit.
    """


class Sources(Struct, frozen=True):
    """The values besides the encounter that roster actions need: systems, dice and library."""

    systems: Systems
    roller: Roller
    kept: Kept | None = None


def read_sheets(
    d: Draft,
    system: InitiativeSystem,
    keys: Mapping[str, str],
    sources: Sources,
    count: int,
    saved_in: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, Plain]]:
    """Return the values by key for `count` creatures; dice are rolled key by key, then by creature.

    `saved_in` is as in Newcomer. Dice behind the number of a field that keeps them are not rolled.
    """
    tables: list[dict[str, Plain]] = [{} for _ in range(count)]
    for key, typed in keys.items():
        fields = find_fields(key, system, sources.systems, saved_in.get(key, ""))
        text, dice = split_dice(typed, f"{key}=") if fields[0].dice else (typed, "")
        for sheet in tables if dice else ():
            sheet[fields[0].dice] = dice
        # The table is read again for each creature: five orcs with hp=2d8 have five different numbers.
        for sheet in tables:
            sheet[key] = _first_reading(fields, partial(_read_rolled, d, text, sources.roller))
    if "," in str(tables[0].get("owner", "")) and is_gmless(system, d.encounter):
        raise RuleError(
            "without a game master a creature has one player", f"`owner={keys['owner'].split(',')[0]}`"
        )
    return tables


def _read_rolled(d: Draft, text: str, roller: Roller, field: Field) -> Plain:
    if text == "" or (field in (_OF_ALL["value"], _OF_ALL["owner"]) and text.lower() == "none"):
        return ""
    check_unsigned(field, text)
    if field.kind == "name":
        return read_names(field, text)
    if field.kind == "int" and is_dice(text):
        return roll_count(d, roller, text, f"{field.key}=", field.least, field.most)
    return values.read_value(field, text)


def read_names(field: Field, text: str) -> str:
    """Return the name in a text; for `owner` those of several players, each once. Raises RuleError."""
    if field is not _OF_ALL["owner"]:
        return check_name(text)
    names = dict[str, str]()
    for name in map(check_name, text.split(",")):
        names.setdefault(name.lower(), name)
    if EVERYBODY in names:
        raise RuleError(
            f"a player cannot be called {names[EVERYBODY]}", "that is the name of the public view"
        )
    return ",".join(names.values())


def check_maximum(c: Combatant) -> None:
    """Raise RuleError for hit points above the maximum."""
    if c.hp is not None and c.most_hp is not None and c.hp > c.most_hp:
        raise RuleError(
            f"hp={c.hp} is above the maximum of {c.name}, {c.most_hp}",
            f"`set {quote(c.name)} max_hp={c.hp} hp={c.hp}` raises it",
        )


def other_systems(system: InitiativeSystem, systems: Systems) -> Iterable[InitiativeSystem]:
    """Return the systems that could run the fight instead."""
    return (other for other in systems.known() if other.id != system.id)


def _field_of(key: str, systems: Systems) -> Field | None:
    """Return the field of a key of 1.x with its system, such as `classic.mod`; None for any other key."""
    name, _, own = key.rpartition(".")
    system = _load(name, systems) if name else None
    return _find_own_field(system, own) if system else None


def system_of_key(key: str, system: InitiativeSystem, systems: Systems) -> str:
    """Return the id of the system that declares a key, the running one first; "" for none."""
    return next((x.id for x in (system, *other_systems(system, systems)) if _find_own_field(x, key)), "")


def key_in(system: InitiativeSystem, key: str, saved_in: str, systems: Systems) -> tuple[str, str]:
    """Return the key under which `system` takes a value from a file of `saved_in`, and who wrote it.

    The key is "" if the system would misread it. In a file of 1.x it may name its own system.
    """
    theirs = _field_of(key, systems)
    plain = theirs.key if theirs else key
    writer = key.rpartition(".")[0] if theirs else saved_in
    theirs = _find_own_field(saver, plain) if (saver := _load(writer, systems)) else None
    own = _find_own_field(system, plain)
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
        field = _field_of(key, systems)
        own = _find_own_field(system, field.key) if field else None
        if field and own and own.title == field.title:
            yield key, own.key


def _misread(key: str, value: Plain, before: InitiativeSystem, system: InitiativeSystem) -> str:
    """Return why `system` would misread a value; "" if it does not use the key, or reads it alike."""
    own = _find_own_field(system, key)
    if own is None:
        return ""
    if not _can_read(own, value):
        return f"{system.title} cannot read it"
    # The value is that of the system that has run the fight, else that of the new one.
    theirs = _find_own_field(before, key)
    if theirs is None or theirs.title == own.title or not _can_read(theirs, value):
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
        and _can_read(f, value)
    ]
    if not lacking:
        return ""
    (name, what, value), names = lacking[0], list(dict.fromkeys(x[0] for x in lacking))
    line = f"set {quote(name)} {own.key}={values.spell(value)}"
    has = "has" if len(names) == 1 else "have"
    return f"{list_briefly(names)} {has} no {own.title} here, only {what}; `{line}` gives one"


def _load(name: str, systems: Systems) -> InitiativeSystem | None:
    try:
        return systems.get(name)
    except RuleError:
        return None


def _find_own_field(system: InitiativeSystem, key: str) -> Field | None:
    return next((f for f in system.fields if f.key == key), None)


def _can_read(field: Field, value: Plain) -> bool:
    try:
        # The value is written and read back: the same test serves every kind of field.
        return bool(values.read_value(field, values.spell(value)) == value)
    except RuleError:
        return False

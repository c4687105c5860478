"""Read what `add` and `set` say of creatures: attributes, fields of systems, counters and conditions.

Classic's `mod` is a modifier, the dungeon's `mod` a bonus. A value that the running system would misread is
stored as `SYSTEM.KEY` (`classic.mod`), and gets its plain key back when a system that means the same by it
runs the fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import briefly, clean_name, nearest, quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, literal
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.creature_actions import Add, Afflict, Tally
from tui.core.language.grammar import parse
from tui.core.language.select import several
from tui.core.rules import health
from tui.core.rules.draft import Draft
from tui.core.rules.names import name_for
from tui.core.rules.numbers import Lowest, Roller, counted, is_dice
from tui.core.rules.system import Absent, InitiativeSystem, Systems
from tui.core.rules.upkeep import count, kept_dying, read

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
_OF_ALL = {f.key: f for f in ATTRIBUTES}


def is_attribute(key: str) -> bool:
    """Return whether every creature has it, in every system."""
    return key in _OF_ALL


def attributes(system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the attributes of every creature, and the fields of a system."""
    own = system.fields if any(f.key == "kind" for f in system.fields) else (values.KIND, *system.fields)
    return (*ATTRIBUTES, *own)


def asked(system: InitiativeSystem) -> tuple[Field, ...]:
    """Return the same in the order in which a screen asks for them: first what the system needs."""
    own = attributes(system)[len(ATTRIBUTES) :]
    return (*own, *ATTRIBUTES)


def declared(key: str, system: InitiativeSystem, systems: Systems) -> list[Field]:
    """Return the fields of that key: the running system's, else those of all systems that have it.

    `classic.mod` names the system. Raises RuleError.
    """
    own = {f.key: f for f in attributes(system)}
    if field := own.get(key) or field_of(key, systems):
        return [field]
    fields = [f for x in others(system, systems) for f in x.fields if f.key == key]
    if not fields:
        everywhere = [*own, *(f.key for x in others(system, systems) for f in x.fields)]
        close = nearest(key, everywhere)
        hint = f"did you mean {close}?" if close else f"there are: {', '.join(own)}"
        raise RuleError(f"no system has {key}", hint, kind="unknown_word")
    return fields


def readable(fields: Sequence[Field], text: str) -> None:
    """Raise RuleError, the last field's, when none of these fields can read the text, dice included."""
    for field in fields:
        try:
            _check(field, text)
        except RuleError:
            if field is fields[-1]:
                raise
        else:
            return


def unsigned(field: Field, text: str) -> None:
    """Raise RuleError for a number with a plus, where the number itself is meant and not a change of it."""
    itself = field.kind == "int" and (field.least >= 0 or field.key == "ac")
    if itself and text.lstrip().startswith("+"):
        bare = text.lstrip().lstrip("+")
        raise RuleError(
            f"{field.key}= takes the number itself, not {text}", f"`{field.key}={bare}`", kind="bad_value"
        )


def _check(field: Field, text: str) -> None:
    unsigned(field, text)
    if field.kind == "name":
        name_for(text)
    elif text and not (field.kind == "int" and is_dice(text)):
        values.read(field, text)


class Borne(Struct, frozen=True):
    """What newcomers of the library have besides the keys of their line.

    `saves` are the death saves of who is dying, in words. `counters` and `conditions` are what stands behind
    WHO in a line of `count` and of `condition`; `unseen` are the names of those conditions that are hidden
    from the players.
    """

    alias: str = ""
    counters: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    saves: str = ""


class Newcomer(Struct, frozen=True):
    """A line of `add`, and what its creatures bear."""

    add: Add
    borne: Borne = Borne()


_NOBODY = Combatant("c1", "X", "dark")
"""On whom a text is tried before there is anybody."""


def bear(d: Draft, system: InitiativeSystem, who: Sequence[str], borne: Borne, roller: Roller) -> None:
    """Give these newcomers the counters and conditions of their file. Raises RuleError."""
    names = ",".join(d.encounter.combatants[k].name for k in who)
    for tally in map(counter, borne.counters):
        count(d, replace(tally, who=names), roller, quiet=True)
    for afflict in map(condition, borne.conditions):
        # What a creature brings along without a source it holds itself.
        if not afflict.conc or afflict.of:
            health.afflict(d, system, replace(afflict, who=names), roller)
            continue
        for name in names.split(","):
            health.afflict(d, system, replace(afflict, who=name, of=name), roller)
    for k in who if borne.saves else ():
        kept_dying(d, k, borne.saves)
    hidden = {clean_name(name).lower() for name in borne.unseen}
    d.emit(*(ev.ConditionHid(k, x) for k in who for x in _named(d.encounter.combatants[k], hidden)))


def _named(c: Combatant, names: set[str]) -> Iterator[str]:
    return iter(dict.fromkeys(x.name for x in c.conditions if x.name.lower() in names))


def counter(words: str) -> Tally:
    """Return the counter that a file describes in the words of `count`. Raises RuleError."""
    action = parse(f"count X {words}")
    assert isinstance(action, Tally)
    return action


def condition(words: str) -> Afflict:
    """Return the condition that a file describes in the words of `condition`. Raises RuleError."""
    action = parse(f"condition X {words}")
    assert isinstance(action, Afflict)
    return action


def tried(borne: Borne) -> None:
    """Raise RuleError for words that no creature could bear. Whom `of=` names is known only in the fight."""
    if borne.saves:
        read(borne.saves)
    if borne == Borne(borne.alias, saves=borne.saves):
        return
    d = Draft(Encounter("", combatants={"c1": _NOBODY}))
    alone = [replace(condition(words), of="", conc=False) for words in borne.conditions]
    for action in alone:
        health.afflict(d, Absent(), replace(action, who="X"), Roller(Lowest()))
    bear(d, Absent(), ("c1",), replace(borne, conditions=()), Roller(Lowest()))
    given = {x.name.lower() for x in d.encounter.combatants["c1"].conditions}
    for name in borne.unseen:
        if clean_name(name).lower() not in given:
            raise RuleError(f"{name} is hidden, and is none of the conditions")


Reader = Callable[[str, Literal["party", "encounter"]], Sequence[Newcomer]]
"""Gives the newcomers of a file, by its name and its kind (party, encounter)."""


class Kept(Struct, frozen=True):
    """The library, as far as the rules ask for it: its files, and what it knows of an added creature."""

    read: Reader
    known: Callable[[Add], Newcomer]


class Sources(Struct, frozen=True):
    """What the roster needs from outside: all systems for their fields, dice, and the library."""

    systems: Systems
    roller: Roller
    kept: Kept | None = None


def sheets(
    d: Draft, system: InitiativeSystem, keys: Mapping[str, str], sources: Sources, count: int
) -> list[dict[str, Plain]]:
    """Return the values of every key for `count` creatures; dice are rolled key by key, then by creature."""
    tables: list[dict[str, Plain]] = [{} for _ in range(count)]
    for key, text in keys.items():
        fields, place = declared(key, system, sources.systems), placed(key, system, sources.systems)
        # Read again for each: five orcs with hp=2d8 have five different numbers.
        for sheet in tables:
            sheet[place] = _value(d, fields, text, sources.roller)
    return tables


def _value(d: Draft, fields: Sequence[Field], text: str, roller: Roller) -> Plain:
    """Return the value of a text by the first of these fields that can read it. Raises RuleError."""
    for field in fields:
        try:
            return _read(d, field, text, roller)
        except RuleError:
            # Two systems may declare one key differently; the last refusal is the one to show.
            if field is fields[-1]:
                raise
    raise RuleError("no system has it")


def _read(d: Draft, field: Field, text: str, roller: Roller) -> Plain:
    if text == "" or (field is _OF_ALL["value"] and text.lower() == "none"):
        return ""
    unsigned(field, text)
    if field.kind == "name":
        return name_for(text)
    if field.kind == "int" and is_dice(text):
        return counted(d, roller, text, f"{field.key}=", field.least, field.most)
    return values.read(field, text)


def within_maximum(c: Combatant) -> None:
    """Raise RuleError for hit points above the maximum."""
    if c.hp is not None and c.most_hp is not None and c.hp > c.most_hp:
        raise RuleError(
            f"hp={c.hp} is above the maximum of {c.name}, {c.most_hp}",
            f"`set {quote(c.name)} max_hp={c.hp} hp={c.hp}` raises it",
        )


class KeyChange(Struct, frozen=True):
    """A value that changes its key, or is dropped (`to` is empty).

    `why` says so in the log, after the name that the key has there (`shown`); empty, nothing is said.
    """

    key: str
    to: str
    value: Plain
    why: str = ""
    shown: str = ""


def others(system: InitiativeSystem, systems: Systems) -> Iterable[InitiativeSystem]:
    """Return the systems that could run the fight instead; one that cannot be loaded is skipped."""
    for name in systems.ids():
        if (other := _loaded(name, systems)) and other.id != system.id:
            yield other


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
    d: Draft,
    people: Iterable[Combatant],
    before: InitiativeSystem,
    system: InitiativeSystem,
    systems: Systems,
) -> None:
    """Give values the keys that they have when `system` takes over from `before`; like ones share a line."""
    said: dict[tuple[str, str], dict[str, Plain]] = {}
    for c in people:
        for x in list(_moves(c, before, system, systems)):
            d.emit(ev.FieldSet(c.id, x.key, empty=True, quiet=True))
            if x.to:
                d.emit(ev.FieldSet(c.id, x.to, x.value, quiet=True))
            if x.why:
                said.setdefault((x.shown or x.key, x.why), {})[c.id] = x.value
    for (key, why), whose in said.items():
        shown = {values.show(value) for value in whose.values()}
        what = f"{key}={shown.pop()}" if len(shown) == 1 else key
        keys = tuple(whose)
        d.announce(f"{several([f'{{{i}}}' for i in range(len(keys))])}: {literal(f'{what} {why}')}", *keys)


def unread(e: Encounter, system: InitiativeSystem, systems: Systems, who: Iterable[str]) -> str:
    """Return who has a modifier for another system alone, and the line that gives one here; or ""."""
    own = next((f for f in system.fields if f.stock), None)
    if own is None:
        return ""
    theirs = [
        (named_apart(f.key, x.id, systems), f"{x.title}'s {f.title}")
        for x in others(system, systems)
        for f in x.fields
        if f.stock == own.stock
    ]
    lacking = [
        (e.combatants[k].name, what, value)
        for k in who
        for key, what in theirs
        if (value := e.combatants[k].fields.get(key)) and own.key not in e.combatants[k].fields
    ]
    if not lacking:
        return ""
    (name, what, value), names = lacking[0], list(dict.fromkeys(x[0] for x in lacking))
    line = f"set {quote(name)} {own.key}={values.show(value)}"
    has = "has" if len(names) == 1 else "have"
    return f"{briefly(names)} {has} no {own.title} here, only {what}; `{line}` gives one"


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
        back = "" if typed_since or not value else "is back"
        yield KeyChange(key, "" if typed_since else field.key, value, back, field.key)


def _leaving(
    c: Combatant, before: InitiativeSystem, system: InitiativeSystem, systems: Systems
) -> Iterator[KeyChange]:
    for key, value in c.fields.items():
        own = _field(system, key)
        # Whose it is: the one that has run the fight, else the new one, else whichever can read it.
        known = [(x, f) for x in (before, system, *others(system, systems)) if (f := _field(x, key))]
        whose, field = next(((x, f) for x, f in known if _reads(f, value)), (None, None))
        if whose is None or field is None:
            if own:
                yield KeyChange(key, "", value, f"is left out, {system.title} cannot read it")
        elif own is None:
            if _contested(field, systems):
                yield KeyChange(key, f"{whose.id}.{key}", value)
        elif own.title != field.title or not _reads(own, value):
            misread = f"{system.title} would take {whose.title}'s {field.title} for its {own.title}"
            why = misread if _reads(own, value) else f"{system.title} cannot read it"
            yield KeyChange(key, f"{whose.id}.{key}", value, f"stays {whose.title}'s, {why}" if value else "")


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

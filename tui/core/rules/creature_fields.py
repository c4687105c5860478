"""Read the values that `add` and `set` give to creatures: those of every system, and a system's own.

In `add Orc hp=2d8 mod=3` the words `hp` and `mod` are **keys**, `2d8` and `3` their texts. The **field** of
a key says how its text is read; that of `hp` is an **attribute**, because every system has it, and that of
`mod` belongs to the systems that declare it. Two systems may declare one key, so a key can have several
fields. What is read is the **value** (here a number); the values of one creature by key are its **sheet**.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from tui.core.base.errors import RuleError
from tui.core.base.text import did_you_mean, quote
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant, Plain
from tui.core.language import values
from tui.core.language.spoken import explain_gone
from tui.core.rules.draft import Draft
from tui.core.rules.names import check_name
from tui.core.rules.numbers import Roller, is_dice, roll_count, split_dice
from tui.core.rules.other_systems import field_of_1x, load_system, other_systems, own_field
from tui.core.rules.system import InitiativeSystem, Systems, is_gmless

MOST_HP = 99_999
ATTRIBUTES = (
    Field("side", "side", "name", help="its side"),
    Field("group", "group", "name", help="one row: several act together"),
    Field("owner", "player", "name", help="the player"),
    Field("hp", "hit points", least=0, most=MOST_HP),
    Field("max_hp", "maximum hit points", help="their maximum", least=0, most=MOST_HP),
    Field("temp_hp", "temporary hit points", help="temporary ones", least=0, most=MOST_HP),
    Field(
        "temp_max",
        "added to the maximum",
        help="for a while; a negative number lowers it",
        least=-MOST_HP,
        most=MOST_HP,
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

    `saved_in` is the id of the system whose field wrote the text into a file of the library, "" for a line
    that was typed; that system's field comes before those of others.
    """
    own = {f.key: f for f in attributes(system)}
    if field := own.get(key):
        return [field]
    if (gone := explain_gone("key", "SYSTEM.KEY")) and field_of_1x(key, systems):
        raise RuleError(f"{key}: {gone[0]}", gone[1], kind="unknown_word")
    fields = [f for x in other_systems(system, systems) for f in x.fields if f.key == key]
    if not fields:
        everywhere = [*own, *(f.key for x in other_systems(system, systems) for f in x.fields)]
        hint = did_you_mean(key, everywhere, f"there are: {', '.join(own)}")
        raise RuleError(f"no system has {key}", hint, kind="unknown_word")
    theirs = own_field(saver, key) if saved_in and (saver := load_system(saved_in, systems)) else None
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
        line = f"`{field.key}={text.lstrip(' +')}`"
        raise RuleError(f"{field.key}= takes the number itself, not {text}", line, kind="bad_value")


def _check_field(field: Field, text: str) -> None:
    check_unsigned(field, text)
    if field.kind == "name":
        read_names(field, text)
    elif text and not (field.kind == "int" and is_dice(text)):
        values.read_value(field, text)


def read_sheets(
    d: Draft,
    system: InitiativeSystem,
    keys: Mapping[str, str],
    systems: Systems,
    roller: Roller,
    count: int,
    saved_in: Mapping[str, str] = MappingProxyType({}),
) -> list[dict[str, Plain]]:
    """Return the sheets of `count` creatures; dice are rolled key by key, then by creature.

    `keys` are the texts by key. `saved_in` gives, for keys from a file of the library, the id of the system
    whose field wrote the text. Dice behind the number of a field that keeps them are not rolled.
    """
    sheets: list[dict[str, Plain]] = [{} for _ in range(count)]
    for key, typed in keys.items():
        fields = find_fields(key, system, systems, saved_in.get(key, ""))
        text, dice = split_dice(typed, f"{key}=") if fields[0].dice else (typed, "")
        for sheet in sheets if dice else ():
            sheet[fields[0].dice] = dice
        # The text is read again for each creature: five orcs with hp=2d8 have five different numbers.
        for sheet in sheets:
            sheet[key] = _first_reading(fields, partial(_read_rolled, d, text, roller))
    if "," in str(sheets[0].get("owner", "")) and is_gmless(system, d.encounter):
        raise RuleError(
            "without a game master a creature has one player", f"`owner={keys['owner'].split(',')[0]}`"
        )
    return sheets


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
        reason = f"a player cannot be called {names[EVERYBODY]}"
        raise RuleError(reason, "that is the name of the public view")
    return ",".join(names.values())


def check_maximum(c: Combatant) -> None:
    """Raise RuleError for hit points above the maximum."""
    if c.hp is not None and c.most_hp is not None and c.hp > c.most_hp:
        line = f"`set {quote(c.name)} max_hp={c.hp} hp={c.hp}`"
        raise RuleError(f"hp={c.hp} is above the maximum of {c.name}, {c.most_hp}", f"{line} raises it")

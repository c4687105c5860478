"""Between the table and what is kept for other evenings: creatures into lines of `add`, and stat blocks into them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant, Plain, is_pc
from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.fight.statblock import StatBlock
from tui.core.fight.text import quote
from tui.core.language import values
from tui.core.language.actions.roster import Add
from tui.core.rules.fields import attributes
from tui.core.rules.kinds import stem_of
from tui.core.rules.newcomers import home
from tui.core.rules.system import InitiativeSystem

_PLAIN = (
    "group",
    "owner",
    "max_hp",
    "temp_hp",
    "ac",
    "hidden",
    "note",
    "card",
    "value",
    "temp_max",
    "resist",
    "vulnerable",
)
"""The attributes of a creature that a line of `add` calls as it does."""


def brought(add: Add, block: StatBlock, e: Encounter, system: InitiativeSystem) -> Add:
    """A line of `add` with what the library knows of the creature; whatever the line says itself wins.

    Of its fields those that the running system declares and can read; its hit points as `library.hp` says.
    """
    keys: dict[str, str] = {}
    if not {"hp", "max_hp"} & set(add.keys) and (points := _points(block, e)):
        keys["hp"] = points
    if block.ac is not None:
        keys["ac"] = str(block.ac)
    known = block.fields if block.initiative is None else {"initiative": block.initiative, **block.fields}
    told = {f: known.get(f.key, known.get(f.stock)) for f in attributes(system)}
    keys |= {f.key: values.show(v) for f, v in told.items() if v is not None and _reads(f, v)}
    if add.mod:
        # `+3` behind the name is the line's own word for this key.
        keys.pop(system.modifier, None)
    if card := _card(block):
        keys["card"] = card
    return replace(add, name=block.name, keys={**keys, **add.keys})


def _card(block: StatBlock) -> str:
    """The card, with the lines that make its counters at the end."""
    counters = [f"count {quote(block.name)} {words}" for words in block.counters]
    return "\n".join([*filter(None, [block.card]), *counters])


def _points(block: StatBlock, e: Encounter) -> str:
    """Hit points in the words of a line, "" for none: the average, or the dice where the table rolls them."""
    average = "" if block.hp is None else str(block.hp)
    rolled = e.options.get("library.hp") == "rolled"
    return (block.hp_dice or average) if rolled else (average or block.hp_dice)


def _reads(field: Field, value: Plain) -> bool:
    try:
        values.read(field, values.show(value))
    except RuleError:
        return False
    return True


# --- who is there, as a file


def party(e: Encounter) -> list[Combatant]:
    """Whom a party is made of when nobody is named: the players' creatures and everybody on their sides."""
    sides = {c.side for c in e.combatants.values() if is_pc(c)}
    return [c for c in e.combatants.values() if c.side in sides]


def opposition(e: Encounter) -> list[Combatant]:
    """Whom a prepared encounter is made of when nobody is named: everybody else, with those who arrive later."""
    taken = {c.id for c in party(e)}
    return [c for c in e.combatants.values() if c.id not in taken]


def entries(
    people: Iterable[Combatant], e: Encounter, system: InitiativeSystem, *, full: bool = False
) -> list[dict[str, Plain]]:
    """These creatures as tables, each with the `name` and the keys of a line of `add` that makes it again.

    `full` gives them all their hit points. Who is called by a kind and a number is written as the kind with a `count`,
    so that it finds free numbers wherever it is added; neighbours with equal keys are one table.
    """
    found: list[dict[str, Plain]] = []
    for c in people:
        kind, keys = stem_of(c.name), _keys(c, e, system, full=full)
        if kind and found and found[-1] == {"name": kind, "count": found[-1].get("count"), **keys}:
            found[-1]["count"] += 1
        else:
            found.append({"name": kind, "count": 1, **keys} if kind else {"name": c.name, **keys})
    return found


def _keys(c: Combatant, e: Encounter, system: InitiativeSystem, *, full: bool) -> dict[str, Plain]:
    """The keys of `add` that make this creature; those that hold nothing are left out."""
    keys: dict[str, Plain] = {} if c.side == home(c.owner, c.word("kind"), system) else {"side": c.side}
    points = c.max_hp if full and c.max_hp is not None else c.hp
    if points is not None:
        keys["hp"] = points
    plain = {k: getattr(c, k) for k in _PLAIN}
    if points == c.max_hp:
        del plain["max_hp"]
    if full:
        del plain["temp_hp"]
    keys |= {k: v for k, v in plain.items() if v is not None and v != "" and v is not False}
    keys = {k: v for k, v in keys.items() if v != 0 or k not in ("temp_hp", "temp_max")}
    if c.arrives > e.round:
        keys["round"] = c.arrives - e.round
    return {**keys, **c.fields}


def already(adds: Iterable[Add], e: Encounter) -> list[str]:
    """The names of those who would be there twice: everybody of a file who is not numbered and is here."""
    here = {c.name.lower() for c in e.combatants.values()}
    return [a.name for a in adds if not a.count and a.name.lower() in here]


def later(add: Add, e: Encounter) -> Add:
    """A staged arrival of a file counts its rounds from now on."""
    if not e.running or not add.keys.get("round", "").isdecimal():
        return add
    return replace(add, keys={**add.keys, "round": str(int(add.keys["round"]) + e.round)})

"""Write creatures as tables of `add`, and complete newcomers from the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tui.core.fight.combatant import STORED_NAMES, Combatant, Condition, Plain, StatBlock
from tui.core.fight.encounter import Encounter
from tui.core.language import values
from tui.core.language.creature_actions import Afflict
from tui.core.rules.creature_fields import attributes
from tui.core.rules.health import players_sides
from tui.core.rules.kin import BODY_KEYS
from tui.core.rules.newcomers import Newcomer, stem_of
from tui.core.rules.other_systems import read_back, system_of_key
from tui.core.rules.sides import usual_side
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.rules.upkeep import words_after_who, write_counter, write_dying

_PLAIN_KEYS = (
    "group", "owner", "max_hp", "temp_hp", "ac", "hidden", "note", "card", "value", "temp_max", "resist",
    "vulnerable", "immune", "saves", "attacks",
)  # fmt: skip
"""The attributes of a creature that have the same name as their key in a line."""

_EXTRA_KEYS = ("name", "count")
"""The keys of a table that are not keys of `add`."""


def add_known(coming: Newcomer, block: StatBlock, e: Encounter, system: InitiativeSystem) -> Newcomer:
    """Return a newcomer completed with a stat block of the library; the values of the line come first.

    Only fields that the running system declares and can read are taken; hit points follow `library.hp`.
    """
    add, keys = coming.add, dict[str, str]()
    if not {"hp", "max_hp"} & set(add.keys) and (points := _hit_points(block, e)):
        keys["hp"] = points
    if block.ac is not None:
        keys["ac"] = str(block.ac)
    known = block.fields if block.initiative is None else {"initiative": block.initiative, **block.fields}
    for f in attributes(system):
        value = known.get(f.key, known.get(f.stock))
        if value is not None and read_back(f, value) is not None:
            keys[f.key] = values.spell(value)
    if add.mod:
        # `+3` behind the name is the line's own word for this key.
        keys.pop(system.modifier, None)
    if block.card:
        keys["card"] = block.card
    counters, conditions = (
        coming.borne.counters or block.counters,
        coming.borne.conditions or block.conditions,
    )
    borne = replace(coming.borne, counters=counters, conditions=conditions)
    return replace(
        coming, add=replace(add, name=block.name, keys={**keys, **add.keys}), borne=borne, origin=""
    )


def _hit_points(block: StatBlock, e: Encounter) -> str:
    """Return hit points as a line writes them: the average or the dice; "" for none."""
    average = "" if block.hp is None else str(block.hp)
    rolled = e.options.get("library.hp") == "rolled"
    return (block.hp_dice or average) if rolled else (average or block.hp_dice)


# --- who is there, as a file


def opposition(e: Encounter) -> list[Combatant]:
    """Return all creatures except those on a side with a player's character."""
    in_use = {c.id for c in players_sides(e)}
    return [c for c in e.combatants.values() if c.id not in in_use]


def is_prepared(e: Encounter, lines: Iterable[str]) -> bool:
    """Return whether a fight has foes and has not begun; `lines` are those in force."""
    return bool(opposition(e)) and not any(line.lower().split()[:1] == ["begin"] for line in lines)


def write_tables(
    people: Iterable[Combatant],
    e: Encounter,
    system: InitiativeSystem,
    systems: Systems,
    *,
    full: bool = False,
) -> list[dict[str, Plain]]:
    """Return creatures as tables: the `name` and the keys of a line of `add` that makes each again.

    `full` restores all hit points. A name with a number is written as its kind with a `count`; neighbours
    with equal keys are one table.
    """
    tables: list[dict[str, Plain]] = []
    kept = list(people)
    for c in kept:
        kind = stem_of(c.name)
        # In a table `count` is the number of creatures: a field of that name is stored with its system.
        values = {
            f"{system_of_key(k, system, systems)}.{k}" if k in _EXTRA_KEYS else k: v
            for k, v in c.fields.items()
        }
        borne = _borne_keys(c, {x.id: x.name for x in kept}, full=full)
        keys = {**_line_keys(c, e, system, systems, full=full), **values, **borne}
        if kind and tables and tables[-1] == {"name": kind, "count": tables[-1].get("count"), **keys}:
            tables[-1]["count"] += 1
        else:
            tables.append({"name": kind, "count": 1, **keys} if kind else {"name": c.name, **keys})
    return tables


def _line_keys(
    c: Combatant, e: Encounter, system: InitiativeSystem, systems: Systems, *, full: bool
) -> dict[str, Plain]:
    """Return the keys of `add` for this creature, without empty ones."""
    usual = usual_side(e, {"owner": c.owner, "kind": c.word("kind")}, system, systems)
    keys: dict[str, Plain] = {} if c.side == usual else {"side": c.side}
    points = c.max_hp if full and c.max_hp is not None else c.hp
    if points is not None:
        keys["hp"] = points
    plain = {k: getattr(c, STORED_NAMES.get(k, k)) for k in _PLAIN_KEYS}
    plain["owner"] = ",".join(c.owners)
    if points == c.max_hp:
        del plain["max_hp"]
    if full:
        del plain["temp_hp"]
    keys |= {k: v for k, v in plain.items() if v is not None and v != "" and v is not False}
    keys = {k: v for k, v in keys.items() if v != 0 or k not in ("temp_hp", "temp_max")}
    if c.arrives > e.round:
        keys["round"] = c.arrives - e.round
    return keys


def _borne_keys(c: Combatant, names: Mapping[str, str], *, full: bool) -> dict[str, Plain]:
    """Return alias, counters, conditions and death saves; `names` are the creatures that are kept.

    With `full`, counters are full and conditions are left out. So are conditions of creatures that are not
    kept.
    """
    lasting = [x for x in c.conditions if not full and (not x.of or x.of in names)]
    given = [giving_action(x, names.get(x.of, "")) for x in lasting]
    keys: dict[str, Plain] = {
        "alias": c.alias,
        "counters": [write_counter(x, full=full) for x in c.counters],
        "conditions": [words_after_who(Afflict.syntax.write(x)) for x in given],
        "hidden_conditions": list(dict.fromkeys(x.name for x in lasting if x.hidden)),
        "death_saves": "" if full else write_dying(c),
    }
    return {k: v for k, v in keys.items() if v}


def giving_action(x: Condition, of: str = "") -> Afflict:
    """Return the `condition` action that gives this condition, with an empty WHO and `of` as its source."""
    rounds, dc = (str(n) if n else "" for n in (x.rounds, x.dc))
    return Afflict("", x.name, rounds, x.until, of, x.conc, x.key, dc, x.at, x.damage, x.type, x.heal, x.note)


_LENT = ("resist", "vulnerable", "immune", "attacks")
"""The attributes of a creature that its stat block has under the same key."""


def write_block(c: Combatant, name: str, system: InitiativeSystem) -> StatBlock:
    """Return the stat block of a creature, unhurt, under this name."""
    stock = next((f for f in system.fields if f.stock), None)
    keys = [k for k in ("kind", *BODY_KEYS) if k in c.fields and not (stock and k == stock.key)]
    fields = {k: c.fields[k] for k in keys}
    fields |= {k: v for k in _LENT if (v := getattr(c, k))}
    if c.save_bonus:
        fields["saves"] = c.save_bonus
    return StatBlock(
        name,
        hp=c.max_hp,
        ac=c.ac,
        initiative=c.number(stock.key) if stock and stock.key in c.fields else None,
        fields=fields,
        counters=tuple(write_counter(x, full=True) for x in c.counters),
        card=c.card,
    )


def names_taken(coming: Iterable[Newcomer], e: Encounter) -> list[str]:
    """Return the names in a file that the fight has already; numbered creatures get free numbers."""
    in_use = {c.name.lower() for c in e.combatants.values()}
    return [x.add.name for x in coming if not x.add.count and x.add.name.lower() in in_use]


def count_from_now(coming: Newcomer, e: Encounter) -> Newcomer:
    """Return a staged newcomer of a file with its rounds counted from now."""
    keys = coming.add.keys
    if not e.running or not keys.get("round", "").isdecimal():
        return coming
    keys = {**keys, "round": str(int(keys["round"]) + e.round)}
    return replace(coming, add=replace(coming.add, keys=keys))

"""Write creatures as lines of `add` and as stat blocks, and move them from one fight to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Field, literal
from tui.core.fight.combatant import (
    STORED_NAMES,
    Combatant,
    Condition,
    Counted,
    Plain,
    StatBlock,
    without_debts,
)
from tui.core.fight.encounter import SIDE, Encounter, label, members
from tui.core.language import values
from tui.core.language.creature_actions import Afflict, Tally
from tui.core.language.select import resolve
from tui.core.rules.creature_fields import Newcomer, attributes, keep_apart, system_of_key
from tui.core.rules.decide import draft_of
from tui.core.rules.draft import Draft
from tui.core.rules.health import players_sides
from tui.core.rules.names import NamesInUse, check_free, check_places
from tui.core.rules.newcomers import MOST_COMBATANTS, check_may_hide, stem_of
from tui.core.rules.sides import usual_side
from tui.core.rules.system import InitiativeSystem, Systems
from tui.core.rules.upkeep import react_to_leaving, write_dying

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
    values_by_field = {f: known.get(f.key, known.get(f.stock)) for f in attributes(system)}
    keys |= {f.key: values.spell(v) for f, v in values_by_field.items() if v is not None and _can_read(f, v)}
    if add.mod:
        # `+3` behind the name is the line's own word for this key.
        keys.pop(system.modifier, None)
    if block.card:
        keys["card"] = block.card
    borne = replace(
        coming.borne,
        counters=coming.borne.counters or block.counters,
        conditions=coming.borne.conditions or block.conditions,
    )
    return Newcomer(replace(add, name=block.name, keys={**keys, **add.keys}), borne)


def _hit_points(block: StatBlock, e: Encounter) -> str:
    """Return hit points as a line writes them: the average or the dice; "" for none."""
    average = "" if block.hp is None else str(block.hp)
    rolled = e.options.get("library.hp") == "rolled"
    return (block.hp_dice or average) if rolled else (average or block.hp_dice)


def _can_read(field: Field, value: Plain) -> bool:
    try:
        values.read_value(field, values.spell(value))
    except RuleError:
        return False
    return True


# --- who is there, as a file


def opposition(e: Encounter) -> list[Combatant]:
    """Return all creatures except those on a side with a player's character."""
    in_use = {c.id for c in players_sides(e)}
    return [c for c in e.combatants.values() if c.id not in in_use]


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
        keys = {
            **_line_keys(c, e, system, systems, full=full),
            **values,
            **_borne_keys(c, {x.id: x.name for x in kept}, full=full),
        }
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
    keys: dict[str, Plain] = {
        "alias": c.alias,
        "counters": [_counter_words(x, full=full) for x in c.counters],
        "conditions": [_condition_words(x, names) for x in lasting],
        "hidden_conditions": list(dict.fromkeys(x.name for x in lasting if x.hidden)),
        "death_saves": "" if full else write_dying(c),
    }
    return {k: v for k, v in keys.items() if v}


def _counter_words(x: Counted, *, full: bool) -> str:
    tally = Tally(
        "",
        x.name,
        str(x.most if full and x.most else x.n),
        str(x.most or ""),
        "" if x.reset == "never" else x.reset,
    )
    return _words_after_who(Tally.syntax.write(tally))


def giving_action(x: Condition, of: str = "") -> Afflict:
    """Return the `condition` action that gives this condition, with an empty WHO and `of` as its source."""
    rounds, dc = (str(n) if n else "" for n in (x.rounds, x.dc))
    return Afflict("", x.name, rounds, x.until, of, x.conc, x.key, dc, x.at, x.damage, x.type, x.heal, x.note)


def _condition_words(x: Condition, names: Mapping[str, str]) -> str:
    return _words_after_who(Afflict.syntax.write(giving_action(x, names.get(x.of, ""))))


def _words_after_who(line: str) -> str:
    """Return the words after WHO of a line with an empty WHO."""
    return line.split(" ", 2)[2]


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


def pick_leaving(e: Encounter, who: str) -> tuple[Combatant, ...]:
    """Return the creatures that leave: those of WHO, or all for "". Raises RuleError.

    Staged arrivals count their rounds from now. The source of a condition that stays behind is kept by name
    (`@Ana`).
    """
    ids = resolve(e, who) if who else tuple(e.combatants)
    if not ids:
        raise RuleError("nobody is there")
    people = [e.combatants[k] for k in ids]
    going = {*ids, *(SIDE + c.group for c in people if c.group)}

    def named(x: Condition) -> Condition:
        return x if not x.of or x.of in going else replace(x, of=SIDE + label(e, x.of))

    return tuple(
        replace(c, arrives=max(0, c.arrives - e.round), conditions=tuple(map(named, c.conditions)))
        for c in people
    )


def remove_leaving(e: Encounter, people: Iterable[Combatant], system: InitiativeSystem) -> Draft:
    """Return a draft that removes these creatures. Raises RuleError."""
    people = tuple(people)
    ids = tuple(c.id for c in people)

    def go(d: Draft, system: InitiativeSystem) -> None:
        d.emit(*(ev.Removed(k) for k in ids))
        react_to_leaving(d, system, ids)
        d.notices.extend(_notices_left(e, people))

    return draft_of(e, system, go)


def add_coming(
    e: Encounter,
    people: Sequence[Combatant],
    system: InitiativeSystem,
    before: InitiativeSystem,
    systems: Systems,
    came: str = "",
) -> Draft:
    """Return a draft that adds creatures from a fight that `before` runs; `came` as in `Added`.

    Raises RuleError if a name is taken, or a side does not exist.
    """
    if len(e.combatants) + len(people) > MOST_COMBATANTS:
        raise RuleError(f"a fight holds {MOST_COMBATANTS} combatants at the most")

    def come(d: Draft, system: InitiativeSystem) -> None:
        ids = _add_to_roster(d, system, before, people, systems, came)
        newcomers = tuple(k for k in ids if d.encounter.combatants[k].arrives <= d.encounter.round)
        if d.encounter.running and newcomers:
            system.joined(d, newcomers)

    return draft_of(e, system, come)


def _add_to_roster(
    d: Draft,
    system: InitiativeSystem,
    before: InitiativeSystem,
    people: Sequence[Combatant],
    systems: Systems,
    came: str,
) -> list[str]:
    """Add creatures to the roster under new ids, and return these."""
    first = d.encounter.serial + 1
    numbers = {c.id: f"c{first + i}" for i, c in enumerate(people)}
    keys = numbers | {SIDE + c.group: SIDE + c.group for c in people if c.group}
    # A creature that stayed behind when the bearer left is found again by its name.
    known = {SIDE + c.name: c.id for c in d.encounter.combatants.values()}
    known |= {SIDE + c.name: numbers[c.id] for c in people}
    borne = {x.of for c in people for x in c.conditions if x.of}
    keys |= {origin: known.get(origin, origin) for origin in borne if origin not in keys}
    in_use = NamesInUse(d.encounter.combatants.values())
    cards: dict[str, list[str]] = {}
    attacks: dict[str, list[str]] = {}
    for c in people:
        check_free(in_use, system.sides, c.name, "rename one of them first")
        if c.alias:
            check_free(in_use, system.sides, c.alias, "`alias` gives it another")
        new = _renumber(c, keys, d.encounter.round)
        check_places(d.encounter, system.sides, new, in_use)
        if new.hidden:
            check_may_hide(d.encounter, system)
        d.emit(ev.Added(new, came))
        in_use.put(new)
        keep_apart(d, [new], before, system, systems)
        if c.card:
            cards.setdefault(c.card, []).append(new.id)
        if c.attacks:
            attacks.setdefault(c.attacks, []).append(new.id)
        _announce_absent(d, new)
    d.emit(*(ev.Carded(tuple(ids), card, quiet=True) for card, ids in cards.items()))
    d.emit(*(ev.Armed(tuple(ids), text, quiet=True) for text, ids in attacks.items()))
    return list(numbers.values())


def _notices_left(e: Encounter, people: Iterable[Combatant]) -> Iterator[str]:
    """Yield a notice for each condition that goes along although its source stays behind."""
    keys = {SIDE + c.name for c in e.combatants.values()} | {SIDE + c.group for c in e.combatants.values()}
    for c in people:
        for x in c.conditions:
            if x.of in keys and x.of != SIDE + c.group:
                stays = f"{c.name} takes {x.name} of {label(e, x.of)} along, who stays"
                yield f"{stays}: it counts at the end of each round there"


def _announce_absent(d: Draft, c: Combatant) -> None:
    """Announce conditions whose source is not here: its turns end with each round."""
    for x in c.conditions:
        if x.of and not members(d.encounter, x.of) and x.of.startswith(SIDE):
            name, condition = literal(label(d.encounter, x.of)), literal(x.name)
            counts = ": its turns count at the end of each round" if x.until else ""
            d.announce(f"{{0}}: {condition} of {name}, who is not here{counts}", c.id)


def _renumber(c: Combatant, keys: dict[str, str], number: int) -> Combatant:
    """Return a creature under its new id (`keys`: new by old), without its state in the old fight."""
    conditions = tuple(replace(x, of=keys.get(x.of, ""), fresh=False) for x in c.conditions)
    return replace(
        without_debts(c),
        id=keys[c.id],
        arrives=c.arrives + number if c.arrives else 0,
        conditions=conditions,
        marks={},
        card="",
        attacks="",
        shown=False,
    )

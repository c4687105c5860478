"""Add creatures one by one, in numbers or from a file, and group those of one kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Literal

from msgspec import Struct, convert
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import NAME_LIMIT, clean_name, quote, split_numbered
from tui.core.fight import events as ev
from tui.core.fight.combatant import STORED_NAMES, Combatant, Plain, is_pc
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Add, Afflict, Tally
from tui.core.language.grammar import parse
from tui.core.rules import health
from tui.core.rules.creature_fields import check_maximum, is_attribute, read_sheets
from tui.core.rules.draft import Draft
from tui.core.rules.names import NamesInUse, check_free, check_name, check_places
from tui.core.rules.numbers import Lowest, Roller, roll_count
from tui.core.rules.sides import usual_side
from tui.core.rules.system import Absent, InitiativeSystem, Systems, in_reserve
from tui.core.rules.upkeep import change_counter, house_rule, read_dying, restore_dying

MOST_COMBATANTS = 2000
SHARED_KEYS = ("card", "attacks")
"""The keys of `add` whose value is the same for all creatures of a line and is written in one event."""


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


def read_newcomers(file: str, kind: Literal["party", "fight"], sources: Sources) -> Sequence[Newcomer]:
    """Return the newcomers of a file. Raises RuleError."""
    if sources.kept is None:
        raise RuleError("no files can be read here")
    return sources.kept.read(file, kind)


def arrive(d: Draft, system: InitiativeSystem, coming: Iterable[Newcomer], sources: Sources) -> None:
    """Add newcomers; they join a running fight unless they are staged for a later round."""
    came = [(one.borne, add(d, system, one, sources)) for one in coming]
    # This comes after the last newcomer is added: a condition may last as long as another newcomer's turns.
    for borne, ids in came:
        give_borne(d, system, ids, borne, sources.roller)
    arrived_now = tuple(
        k for _, ids in came for k in ids if d.encounter.combatants[k].arrives <= d.encounter.round
    )
    if d.encounter.running and arrived_now:
        system.joined(d, arrived_now)


def add(d: Draft, system: InitiativeSystem, coming: Newcomer, sources: Sources) -> tuple[str, ...]:
    """Add the creatures of one line of `add`, and return their ids. Raises RuleError."""
    action = coming.add
    stem = check_name(action.name)
    count = roll_count(d, sources.roller, action.count, "add", 1, MOST_COMBATANTS) if action.count else None
    if len(d.encounter.combatants) + (count or 1) > MOST_COMBATANTS:
        raise RuleError(f"a fight holds {MOST_COMBATANTS} combatants at most")
    keys = with_modifier(system, action)
    people = read_sheets(d, system, keys, sources.systems, sources.roller, count or 1, coming.saved_in)
    first = highest_number(d.encounter, stem) + 1
    numbered = [f"{stem} {first + i}" for i in range(count)] if count is not None else [stem]
    if len(numbered[-1]) > NAME_LIMIT:
        most = f"a name has {NAME_LIMIT} characters at most"
        raise RuleError(f"{stem} is too long to be numbered", most)
    if count and count > 1 and "group" not in keys and house_rule(d.encounter, "group.same"):
        side = people[0].get("side") or usual_side(d.encounter, people[0], system, sources.systems)
        group = _group_name(d.encounter, CreatureKind(stem, str(side), ()))
        for sheet in people:
            sheet["group"] = group
    # The names are collected once for all newcomers.
    in_use = NamesInUse(d.encounter.combatants.values())
    card, attacks = (people[0].get(key, "") for key in SHARED_KEYS)
    ids = tuple(
        _add_one(d, system, name, sheet, coming.borne, in_use, sources.systems)
        for name, sheet in zip(numbered, people, strict=True)
    )
    if card:
        # The card is noted once for all newcomers: a record has no room for one stat block each.
        d.emit(ev.Carded(ids, card, quiet=True))
    if attacks:
        d.emit(ev.Armed(ids, attacks, quiet=True))
    if count:
        _note_unseen_before(d, system, stem, ids)
    return ids


def _note_unseen_before(d: Draft, system: InitiativeSystem, stem: str, ids: Sequence[str]) -> None:
    """Notify the author if players can count unseen creatures by the numbers of those that they see."""
    people = d.encounter.combatants
    waiting = {c.id for c in in_reserve(d.encounter, system) if not is_pc(c)}
    unseen = {k for k, c in people.items() if c.hidden or k in waiting}
    seen = [people[k].name for k in ids if k not in unseen]
    before = [k for k in unseen.difference(ids) if stem_of(people[k].name).lower() == stem.lower()]
    if seen and before:
        names = f"{seen[0]} to {seen[-1]}" if len(seen) > 1 else seen[0]
        line = f"`alias {quote(seen[0])} NAME`"
        d.notices.append(f"players read {names}, which gives away {len(before)} hidden from them; {line}")


def with_modifier(system: InitiativeSystem, action: Add) -> Mapping[str, str]:
    """Return the keys of the line, with `+MOD` as the running system's field. Raises RuleError.

    In a system without a modifier `+MOD` is left out.
    """
    if not action.mod or not system.modifier:
        return action.keys
    if system.modifier in action.keys:
        raise RuleError(f"add: {action.mod} is {system.modifier}=, which appears twice", "write it once")
    return {system.modifier: action.mod, **action.keys}


def describe_unused(system: InitiativeSystem, action: Add) -> str:
    """Return a notice of what the line gives and the running system has no use for; "" for nothing."""
    unused = action.mod and not system.modifier
    return f"{action.mod} is left out: {system.title} has no modifier" if unused else ""


def _add_one(
    d: Draft,
    system: InitiativeSystem,
    name: str,
    sheet: dict[str, Plain],
    borne: Borne,
    in_use: NamesInUse,
    systems: Systems,
) -> str:
    check_free(in_use, system.sides, name, f"`add 1 {quote(name)}` numbers the next one")
    who = f"c{d.encounter.serial + 1}"
    own = {k: v for k, v in sheet.items() if not is_attribute(k)}
    stated = {k: v for k, v in sheet.items() if is_attribute(k) and k not in SHARED_KEYS and v != ""}
    plain = {STORED_NAMES.get(k, k): v for k, v in stated.items()}
    if "side" in plain:
        plain["side_given"] = True
    else:
        plain["side"] = usual_side(d.encounter, sheet, system, systems)
    plain["owner"], _, plain["co_owners"] = str(plain.get("owner", "")).partition(",")
    # A newcomer with hit points comes unhurt: the one number given is both its current and its most.
    if "hp" in plain:
        plain.setdefault("max_hp", plain["hp"])
    elif "max_hp" in plain:
        plain["hp"] = plain["max_hp"]
    if borne.alias:
        plain["alias"] = check_name(borne.alias)
        check_free(in_use, system.sides, plain["alias"])
    c = convert({"id": who, "name": name, "fields": own, **plain}, Combatant)
    check_maximum(c)
    check_places(d.encounter, system.sides, c, in_use)
    if c.hidden:
        check_may_hide(d.encounter, system)
    d.emit(ev.Added(c))
    in_use.put(c)
    return who


def check_may_hide(e: Encounter, system: InitiativeSystem) -> None:
    """Raise RuleError if the system opens all sheets."""
    if rule := system.open_sheets(e):
        raise RuleError("nothing can be hidden while all sheets are open", "", rule)


def highest_number(e: Encounter, stem: str) -> int:
    """Return the highest N of all names and aliases `stem N` that the save has had; 0 for none."""
    shape = re.compile(re.escape(stem.lower()) + r" ([0-9]{1,6})")
    names = (n for c in chain(e.combatants.values(), e.gone.values()) for n in (c.name, c.alias, *c.former))
    matches = [shape.fullmatch(n.lower()) for n in names]
    return max([int(m[1]) for m in matches if m], default=0)


def kind_name(c: Combatant) -> str:
    """Return the name under which a creature was added, without its number."""
    first = c.former[0] if c.former else c.name
    return stem_of(first) or first


# The regular plurals, and irregular ones that are common in fights: Wolf, Elf, Dwarf, Thief, but not Reef;
# Hero; Swordsman, but not Human.
_PLURALS = (
    (r"(?i)(?<=[aeou]l|ar|ie)f$", "ves"),
    (r"(?<=[^aeiou])y$", "ies"),
    (r"(?i)(?<=her)o$", "oes"),
    (r"(?i)(?<!hu)(?<!sha)(?<=\w)man$", "men"),
    (r"(s|x|z|ch|sh)$", r"\1es"),
)


class CreatureKind(Struct, frozen=True):
    """Creatures of one side whose names differ only by a number: `stem` 1, `stem` 2 …."""

    stem: str
    side: str
    members: tuple[str, ...]
    """Ids in roster order."""

    def names(self, e: Encounter) -> str:
        """Return the names of the members, with commas."""
        return ", ".join(e.combatants[k].name for k in self.members)


def stem_of(name: str) -> str:
    """Return the name without its number, `Orc` for `Orc 3`; "" for a name without a number."""
    pair = split_numbered(name)
    return pair[0] if pair else ""


def kind_of(name: str) -> str:
    """Return the name that creatures of one kind share, `orc` for `Orc 3` and `Orc`."""
    return (stem_of(name) or name).lower()


def find_kinds(people: Iterable[Combatant]) -> list[CreatureKind]:
    """Return the kinds that have two or more of these creatures outside groups, in roster order."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for c in people:
        if not c.group and (stem := stem_of(c.name)):
            grouped.setdefault((stem, c.side), []).append(c.id)
    return [CreatureKind(stem, side, tuple(ids)) for (stem, side), ids in grouped.items() if len(ids) > 1]


def plural_of(name: str) -> str:
    """Return the usual English plural of a name: Orcs, Wolves, Harpies, Witches."""
    for ending, plural in _PLURALS:
        if re.search(ending, name):
            return re.sub(ending, plural, name)
    return f"{name}s"


def group_line(e: Encounter, kind: CreatureKind) -> str:
    """Return the line that groups a kind: `group "Orc 1,Orc 2" Orcs`."""
    names = ",".join(e.combatants[k].name for k in kind.members)
    return f"group {quote(names)} {quote(_group_name(e, kind))}"


def _group_name(e: Encounter, kind: CreatureKind) -> str:
    """Return the plural of a kind, with a number if another group, side or creature has that name."""
    plural = plural_of(kind.stem)
    people = e.combatants.values()
    used = {c.name.lower() for c in people} | {c.side.lower() for c in people}
    used |= {c.group.lower() for c in people if c.group and c.side != kind.side}
    return next(n for n in chain([plural], (f"{plural} {i}" for i in count(2))) if n.lower() not in used)

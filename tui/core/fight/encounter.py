"""Define the encounter: one immutable value of all that the table can see, and questions about it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import gt

from msgspec import Struct

from tui.core.fight.combatant import Combatant, Plain


class _Decided(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """The common shape: `kind` says in a journal which of them it is."""


class OpposedOutcome(_Decided, frozen=True, tag="opposed"):
    """Two rolled against each other; `caught`: those of the losers whom it surprised."""

    winner: str = ""
    loser: str = ""
    by: str = ""
    totals: dict[str, int] = {}
    caught: tuple[str, ...] = ()


class OrderOutcome(_Decided, frozen=True, tag="order"):
    """The order stands: entries, first to act first."""

    order: tuple[str, ...] = ()


class SurpriseOutcome(_Decided, frozen=True, tag="surprise"):
    """Everyone who is surprised now."""

    caught: tuple[str, ...] = ()


class TargetOutcome(_Decided, frozen=True, tag="target"):
    """Whom an attacker goes for, and how: in melee, at range, or `lost` when no one is left."""

    who: str = ""
    target: str = ""
    style: str = ""


Outcome = OpposedOutcome | OrderOutcome | SurpriseOutcome | TargetOutcome

SIDE = "@"
USUAL_SIDES = ("heroes", "dark")  # of creatures added without one: players' creatures, all others
GM = "GM"


class DiceRoll(Struct, frozen=True):
    """The latest dice of one roller for one purpose: `dice` are sides, `faces` stand beside them.

    `among`: of a roll-off, the keys of all who are tied. `total`: what was called at the table of several
    dice whose faces no one named.

    Raises ValueError for a face that is on no die: a stranger's journal may tell of one.
    """

    who: str
    dice: tuple[int, ...]
    faces: tuple[int, ...]
    how: str = "app"
    among: tuple[str, ...] = ()
    total: int | None = None

    def __post_init__(self) -> None:
        if len(self.dice) != len(self.faces) or any(map(gt, self.faces, self.dice)):
            raise ValueError(f"the faces {list(self.faces)} are not on the dice {list(self.dice)}")


class Turn(Struct, frozen=True):
    """A running turn: the entry that has it and the ids of the members who act in it."""

    who: str
    members: tuple[str, ...]


class Shift(Struct, frozen=True):
    """A row that was put elsewhere: `who` stands `where` (before, after) `other`.

    `by`: the GM's `hand`, a `delay`, the `place` of a member that a group took over, or its `fixed` place.
    """

    who: str
    where: str
    other: str
    by: str = "hand"


class PendingArea(Struct, frozen=True, omit_defaults=True):
    """Damage to many, of whom some still owe a save: `points` of a `kind` to all of `who` (ids).

    `made` and `failed` are those whose save is known; who made it takes half, or nothing unless `half`. With
    `hits` damage above 0 counts as a hit.
    `more` is damage of further kinds, points and kind.
    """

    points: int
    who: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    kind: str = ""
    dc: int = 0
    key: str = ""
    half: bool = True
    hits: bool = False
    more: tuple[tuple[int, str], ...] = ()


class Encounter(Struct, frozen=True, omit_defaults=True):
    """The fight. Creatures by id in roster order; `notes` belong to the running system alone.

    Keys: a creature is its id (`c3`), a group or a side is its name behind an `@`, the GM is `GM`. `past` are
    the orders that were cleared away last, to be repeated; `gone` are those who were struck from the roster,
    as they were, because outcomes and conditions may still name them. `decision`: this fight before and after
    each part of what the latest contest decided, until a turn begins.
    """

    system: str = "classic"
    options: dict[str, Plain] = {}
    combatants: dict[str, Combatant] = {}
    serial: int = 0
    phase: str = "setup"
    round: int = 0
    turn: Turn | None = None
    paused: tuple[Turn, ...] = ()
    outcome: Outcome | None = None
    notes: dict[str, Plain] = {}
    rolls: dict[str, DiceRoll] = {}
    orders: dict[str, dict[str, str]] = {}
    past: dict[str, dict[str, str]] = {}
    shifts: tuple[Shift, ...] = ()
    gone: dict[str, Combatant] = {}
    area: PendingArea | None = None
    decision: tuple[Encounter, ...] = ()

    @property
    def acting(self) -> str:
        """The key of the entry whose turn is running, or ""."""
        return self.turn.who if self.turn else ""

    @property
    def actors(self) -> tuple[str, ...]:
        """The ids of those whose turn is running."""
        return self.turn.members if self.turn else ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The running turn, and those that wait for it to end."""
        return (self.turn, *self.paused) if self.turn else self.paused

    @property
    def running(self) -> bool:
        """Return whether the fight has begun."""
        return self.phase != "setup"


class Entry(Struct, frozen=True):
    """What gets one place in the order: a creature alone, or a group; `members` are ids in roster order."""

    key: str
    members: tuple[str, ...]


def arrived(e: Encounter, c: Combatant) -> bool:
    """Return whether a creature is here already (staged ones arrive with their round)."""
    return c.arrives <= e.round or c.arrives == 0


def active(e: Encounter) -> list[Combatant]:
    """Return everybody who is here and not out, in roster order."""
    return [c for c in e.combatants.values() if not c.out and c.arrives <= e.round]


def key_of(c: Combatant) -> str:
    """Return the key of the entry that a creature belongs to."""
    return SIDE + c.group if c.group else c.id


def entries(combatants: Iterable[Combatant]) -> tuple[Entry, ...]:
    """Return the entries that these creatures form; a group takes the place of its first member."""
    grouped: dict[str, Iterable[str]] = {}
    groups: dict[str, list[str]] = {}
    for c in combatants:
        if c.group:
            key = SIDE + c.group
            if key not in groups:
                grouped[key] = groups[key] = []
            groups[key].append(c.id)
        else:
            # Without a list of one: 1,000 creatures, 0.2 of 0.5 ms, and a key asks nine times.
            grouped[c.id] = (c.id,)
    return tuple([Entry(key, tuple(members)) for key, members in grouped.items()])


def members(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """Return the creatures behind a key: one creature, all of a group, or all of a side."""
    if key in e.combatants:
        return (e.combatants[key],)
    if not key.startswith(SIDE):
        return ()
    name = key[1:]
    group = tuple(c for c in e.combatants.values() if c.group == name)
    # A group before a side; the roster refuses one name for both.
    return group or tuple(c for c in e.combatants.values() if c.side == name)


def label(e: Encounter, key: str) -> str:
    """Return what people call a key."""
    if key in e.combatants:
        return e.combatants[key].name
    return e.gone[key].name if key in e.gone else key.removeprefix(SIDE)


def side_of(e: Encounter, key: str) -> str:
    """Return the side of an entry; "" for a key without one."""
    creatures = members(e, key)
    return creatures[0].side if creatures else ""


def sides(e: Encounter) -> list[str]:
    """Return the names of all sides, in roster order."""
    return list(dict.fromkeys(c.side for c in e.combatants.values()))


def unacted(members_: Iterable[Combatant]) -> list[Combatant]:
    """Return those who have not had their turn yet."""
    return [c for c in members_ if "acted" not in c.marks]

"""Define the encounter, one immutable value with the whole state of a fight, and functions that read it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import gt

from msgspec import Struct

from tui.core.fight.combatant import Combatant, EntryKey, Plain


class _Decided(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """The base of all outcomes; in a journal `kind` says which one it is."""


class OpposedOutcome(_Decided, frozen=True, tag="opposed"):
    """The result of an opposed roll between two creatures."""

    winner: str = ""
    loser: str = ""
    by: str = ""
    """The reason for the victory: total, intelligence or critical."""
    totals: dict[str, int] = {}
    """The total of each roller, by id."""
    caught: tuple[str, ...] = ()
    """The ids of the losers that are surprised by this roll."""


class OrderOutcome(_Decided, frozen=True, tag="order"):
    """The order of a fight or round: keys of entries, first to act first."""

    order: tuple[str, ...] = ()


class SurpriseOutcome(_Decided, frozen=True, tag="surprise"):
    """The ids of all creatures that are surprised now."""

    caught: tuple[str, ...] = ()


class TargetOutcome(_Decided, frozen=True, tag="target"):
    """The target that an attacker has to take."""

    who: str = ""
    target: str = ""
    style: str = ""
    """`melee`, `ranged`, or `lost` if no target is left."""


Outcome = OpposedOutcome | OrderOutcome | SurpriseOutcome | TargetOutcome

SIDE = "@"
USUAL_SIDES = ("heroes", "dark")  # of creatures added without one: players' creatures, all others
GM = "GM"


class DiceRoll(Struct, frozen=True):
    """The latest dice of one roller for one purpose.

    Raises ValueError for a face that its die does not have, because a journal may come from a stranger.
    """

    who: str
    dice: tuple[int, ...]
    """The sides of the dice."""
    faces: tuple[int, ...]
    """The faces, in the order of `dice`."""
    how: str = "app"
    """app, given or table."""
    among: tuple[str, ...] = ()
    """In a roll-off, the keys of all that are tied."""
    total: int | None = None
    """The total that was typed if the faces are unknown."""

    def __post_init__(self) -> None:
        if len(self.dice) != len(self.faces) or any(map(gt, self.faces, self.dice)):
            raise ValueError(f"the faces {list(self.faces)} are not on the dice {list(self.dice)}")


class Turn(Struct, frozen=True):
    """A running or interrupted turn."""

    who: str
    """The key of the entry."""
    members: tuple[str, ...]
    """The ids of the members that act in this turn."""


class Shift(Struct, frozen=True):
    """A row that was moved: `who` is `where` (before or after) `other`."""

    who: str
    where: str
    other: str
    by: str = "hand"
    """`hand` (the GM), `delay`, `place` (a group took its best member's place) or `fixed` (a fixed place)."""


class PendingArea(Struct, frozen=True, omit_defaults=True):
    """Damage to several creatures that waits for their saving throws."""

    points: int
    """The points of damage of the first kind."""
    who: tuple[str, ...] = ()
    """The ids of all creatures that may take the damage."""
    made: tuple[str, ...] = ()
    """The ids of the creatures that made their save."""
    failed: tuple[str, ...] = ()
    """The ids of the creatures that failed their save."""
    kind: str = ""
    dc: int = 0
    key: str = ""
    half: bool = True
    """Whether a made save halves the damage; if not, it prevents the damage."""
    hits: bool = False
    """Whether damage above 0 counts as a hit."""
    more: tuple[tuple[int, str], ...] = ()
    """Damage of further kinds: points and kind."""


class Encounter(Struct, frozen=True, omit_defaults=True):
    """The whole state of a fight.

    A creature's key is its id (`c3`), that of a group or side `@` and its name, the GM's `GM`.
    """

    system: str = "classic"
    """The id of the running system."""
    options: dict[str, Plain] = {}
    """The values of the house rules that were set, by key."""
    combatants: dict[str, Combatant] = {}
    """The creatures by id, in roster order."""
    serial: int = 0
    """The highest number of an id so far."""
    phase: str = "setup"
    round: int = 0
    turn: Turn | None = None
    paused: tuple[Turn, ...] = ()
    """The interrupted turns, the latest last."""
    outcome: Outcome | None = None
    """The outcome of the latest contest or order; None if there was none."""
    notes: dict[str, Plain] = {}
    """The notes that the running system keeps; no other code reads them."""
    rolls: dict[str, DiceRoll] = {}
    """The latest dice by purpose."""
    orders: dict[str, dict[str, str]] = {}
    """The orders of this round, by key."""
    sealed: tuple[str, ...] = ()
    """The keys of the orders that players sent sealed."""
    past: dict[str, dict[str, str]] = {}
    """The orders of the last round."""
    shifts: tuple[Shift, ...] = ()
    """The rows that were moved, in order."""
    gone: dict[str, Combatant] = {}
    """The removed creatures by id, kept because outcomes and conditions may still name them."""
    area: PendingArea | None = None
    """The damage to several creatures that waits for saving throws; None for none."""
    decision: tuple[Encounter, ...] = ()
    """The encounter before and after each part of the latest decision, in pairs; empty once a turn begins."""

    @property
    def acting(self) -> str:
        """The key of the entry whose turn is running, or ""."""
        return self.turn.who if self.turn else ""

    @property
    def actors(self) -> tuple[str, ...]:
        """The ids of the members of the running turn that are in the fight, neither out nor removed."""
        people = self.combatants
        return tuple(k for k in self.turn.members if k in people and not people[k].out) if self.turn else ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The running turn, then the interrupted ones."""
        return (self.turn, *self.paused) if self.turn else self.paused

    @property
    def busy(self) -> set[str]:
        """The ids of the members of all turns, running or interrupted."""
        return {k for t in self.turns for k in t.members}

    @property
    def running(self) -> bool:
        """Whether the fight has begun."""
        return self.phase != "setup"


class Entry(Struct, frozen=True):
    """A creature or a group, which has one place in the order."""

    key: EntryKey
    members: tuple[str, ...]
    """Ids in roster order."""


def has_arrived(e: Encounter, c: Combatant) -> bool:
    """Return whether a creature takes part already, and is not staged for a later round."""
    return c.arrives <= e.round or c.arrives == 0


def active(e: Encounter) -> list[Combatant]:
    """Return the creatures that have arrived and are not out, in roster order."""
    return [c for c in e.combatants.values() if not c.out and c.arrives <= e.round]


def is_awaited(e: Encounter) -> bool:
    """Return whether anybody is not out: here, or coming in a later round."""
    return any(not c.out for c in e.combatants.values())


def key_of(c: Combatant) -> EntryKey:
    """Return the key of the entry that a creature belongs to."""
    return EntryKey(SIDE + c.group if c.group else c.id)


def entries(combatants: Iterable[Combatant]) -> tuple[Entry, ...]:
    """Return the entries of these creatures; a group has the place of its first member."""
    grouped: dict[EntryKey, list[str]] = {}
    for c in combatants:
        grouped.setdefault(key_of(c), []).append(c.id)
    return tuple([Entry(key, tuple(ids)) for key, ids in grouped.items()])


def members(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """Return the creatures of a key: the creature, a group's members, or a side's."""
    if key in e.combatants:
        return (e.combatants[key],)
    if not key.startswith(SIDE):
        return ()
    name = key[1:]
    group = tuple(c for c in e.combatants.values() if c.group == name)
    # Groups are looked up before sides; the roster refuses to give both the same name.
    return group or tuple(c for c in e.combatants.values() if c.side == name)


def gone_members(e: Encounter, key: str) -> tuple[Combatant, ...]:
    """Return the removed creature of a key, or the removed members of a group."""
    return tuple(c for k, c in e.gone.items() if key in (k, key_of(c)))


def label(e: Encounter, key: str) -> str:
    """Return the name that people read for a key."""
    if key in e.combatants:
        return e.combatants[key].name
    return e.gone[key].name if key in e.gone else key.removeprefix(SIDE)


def side_of(e: Encounter, key: str) -> str:
    """Return the side of a key; "" if nothing has this key."""
    creatures = members(e, key)
    return creatures[0].side if creatures else ""


def sides(e: Encounter) -> list[str]:
    """Return the names of all sides, in roster order."""
    return list(dict.fromkeys([c.side for c in e.combatants.values()]))


def to_act(members_: Iterable[Combatant]) -> list[Combatant]:
    """Return the creatures that still have a turn in this round: without the marks `acted` and `barred`."""
    return [c for c in members_ if "acted" not in c.marks and "barred" not in c.marks]


def unacted(members_: Iterable[Combatant]) -> list[Combatant]:
    """Return the creatures without the mark `acted`."""
    return [c for c in members_ if "acted" not in c.marks]

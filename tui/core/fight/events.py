"""Define what can happen in a fight: facts in the past tense, with dice already rolled.

Every event is plain data with a short tag `t`, so that other programs can read a journal. A `who` is a
creature's id, or any key of `encounter.label` if the docstring says *key*.
"""

from typing import Literal

from tui.core.fight.combatant import Combatant, Condition, Counted, OwedEffect, OwedSave, Plain
from tui.core.fight.dice import ANY_SOURCE, BaseEvent, Sides
from tui.core.fight.encounter import Outcome, PendingArea


class Added(BaseEvent, frozen=True):
    """A creature was added to the roster."""

    c: Combatant
    came: str = ""
    """For a creature that 1.1 brought from another save: that save's name, its last record and its seal."""


class Removed(BaseEvent, frozen=True):
    """A creature was removed from the roster."""

    who: str


class Changed(BaseEvent, frozen=True):
    """A plain attribute (name, side, group, owner, hp, max_hp, ac, note, arrives, value) was edited.

    `empty` means that the attribute holds nothing from now on.
    """

    who: str
    key: str
    value: Plain = ""
    empty: bool = False
    """Whether the attribute is None from now on."""
    usual: bool = False
    """Whether a side follows from kind, owner or hero, and was not named by a line."""


class Carded(BaseEvent, frozen=True):
    """Creatures got the same card; "" for none."""

    who: tuple[str, ...]
    text: str = ""
    quiet: bool = False
    """Whether the log leaves the change out."""


class Armed(BaseEvent, frozen=True):
    """Creatures got the same attacks; "" for none."""

    who: tuple[str, ...]
    attacks: str = ""
    quiet: bool = False
    """Whether the log leaves the change out."""


class FieldSet(BaseEvent, frozen=True):
    """A field that a system declares was set."""

    who: str
    key: str
    value: Plain = ""
    empty: bool = False
    """Whether the field was removed."""
    quiet: bool = False
    """Whether the log leaves the change out."""


class Attacked(BaseEvent, frozen=True):
    """A creature attacked another."""

    who: str
    target: str
    name: str
    face: int
    """The face of the d20 that counted."""
    other: int
    """The face of the second d20, with advantage or disadvantage; 0 without."""
    bonus: int
    ac: int
    """The armour class of the target."""
    hit: bool
    damage: tuple[tuple[int, str], ...] = ()
    """Points and kind of the damage, after resistance."""
    called: tuple[Literal["die", "damage"], ...] = ()
    """The parts of the attack that were typed and not rolled."""


class Damaged(BaseEvent, frozen=True):
    """A creature lost hit points."""

    who: str
    amount: int
    hp: int = -1
    """The hit points after the damage; -1 if they are not counted."""
    temp: int = 0
    """The temporary hit points after the damage."""
    share: bool = False
    """Whether it is a part of one amount for several, which only viewers of hit points may read."""


class Healed(BaseEvent, frozen=True):
    """A creature regained hit points."""

    who: str
    amount: int
    hp: int
    """The hit points after the healing."""


class Bolstered(BaseEvent, frozen=True):
    """A creature's temporary hit points were set to `temp`."""

    who: str
    temp: int


class Afflicted(BaseEvent, frozen=True):
    """A creature got a condition, or had it renewed."""

    who: str
    condition: Condition


class Ticked(BaseEvent, frozen=True):
    """A condition has `rounds` edges left; `of` as in `Cleared`."""

    who: str
    name: str
    rounds: int
    of: str = ANY_SOURCE


class Cleared(BaseEvent, frozen=True):
    """A condition ended."""

    who: str
    name: str
    over: bool = False
    """Whether the rules ended the condition; False if a line of the GM did."""
    of: str = ANY_SOURCE
    """The source of the condition; ANY_SOURCE for every condition of that name."""


class ConditionHid(BaseEvent, frozen=True):
    """Players can no longer see a creature's condition, or can see it again."""

    who: str
    name: str
    hidden: bool = True


class EffectOwed(BaseEvent, frozen=True):
    """A creature owes the damage or the healing of a condition."""

    who: str
    effect: OwedEffect


class EffectSettled(BaseEvent, frozen=True):
    """An effect is no longer owed: it was applied, or left out this time."""

    who: str
    number: int
    applied: bool = True


class DeathSaves(BaseEvent, frozen=True):
    """The death saves of a creature were set."""

    who: str
    good: int = 0
    bad: int = 0
    stable: bool = False
    owes: bool = False
    over: bool = False
    """Whether the creature is no longer dying."""


class SaveOwed(BaseEvent, frozen=True):
    """A creature owes a saving throw."""

    who: str
    save: OwedSave


class SaveSettled(BaseEvent, frozen=True):
    """A saving throw was made or failed; `number` says which one of the creature's."""

    who: str
    number: int
    made: bool


class SaveDropped(BaseEvent, frozen=True):
    """A saving throw is no longer owed."""

    who: str
    number: int


class SavesKept(BaseEvent, frozen=True):
    """The owed saves and effects of these creatures wait until they act."""

    who: tuple[str, ...]


class Died(BaseEvent, frozen=True):
    """A creature died, or with `over` is no longer dead."""

    who: str
    over: bool = False
    """Whether the creature is alive again."""


class Rested(BaseEvent, frozen=True):
    """A creature has rested."""

    who: str
    long: bool = False
    """Whether the rest was long."""
    counters: tuple[Counted, ...] = ()
    """The counters that were restored."""
    hp: int = -1
    """The hit points after a long rest; -1 if they are not counted."""
    up: bool = False
    """Whether the rest brought a creature back that was out."""


class Tallied(BaseEvent, frozen=True):
    """A creature's counter was set."""

    who: str
    counter: Counted
    quiet: bool = False
    """Whether the log leaves the change out."""


class CounterEnded(BaseEvent, frozen=True):
    """A creature's counter was removed."""

    who: str
    name: str


class WentOut(BaseEvent, frozen=True):
    """A creature is out of the fight: down, fled or dead."""

    who: str


class CameBack(BaseEvent, frozen=True):
    """A creature is in the fight again."""

    who: str


class Hid(BaseEvent, frozen=True):
    """Players can no longer see a creature."""

    who: str


class Revealed(BaseEvent, frozen=True):
    """Players can see a creature from now on."""

    who: str


class Marked(BaseEvent, frozen=True):
    """Creatures got a mark until an edge (`turn`, `round`, `fight`)."""

    who: tuple[str, ...]
    mark: str
    until: str = "round"


class Unmarked(BaseEvent, frozen=True):
    """Creatures lost a mark."""

    who: tuple[str, ...]
    mark: str


CreatureEvent = (
    EffectOwed | EffectSettled | SaveOwed | SaveSettled | SaveDropped | SavesKept | Died | Rested | Added
    | Removed | Changed | Carded | Armed | Attacked | FieldSet | Damaged | Healed | Bolstered | Afflicted
    | DeathSaves | Tallied | CounterEnded | Ticked | Cleared | ConditionHid | WentOut | CameBack | Hid
    | Revealed | Marked | Unmarked
)  # fmt: skip


class Rolled(BaseEvent, frozen=True):
    """Dice were rolled."""

    ask: str
    """The purpose, as in `RollAsk.key`."""
    who: str
    """The key of the roller."""
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    """app, given or table."""
    among: tuple[str, ...] = ()
    """In a roll-off, the keys of all that are tied."""
    by: str = ""
    """The creature that rolled for its group or side."""
    total: int | None = None
    """The total that was typed if the faces are unknown; `dice` and `faces` are then empty."""


class RollsForgotten(BaseEvent, frozen=True):
    """The dice whose purpose begins with `prefix` were cleared."""

    prefix: str = ""


class Noted(BaseEvent, frozen=True):
    """The running system wrote a note: `value` under `key`, or under `at` in the table `key`."""

    key: str
    value: Plain
    at: str = ""


class Forgot(BaseEvent, frozen=True):
    """The running system dropped a note, or the entry `at` of a table."""

    key: str
    at: str = ""


class Ordered(BaseEvent, frozen=True):
    """An entry (key) got an order: text by component."""

    who: str
    text: dict[str, str]
    sealed: bool = False
    """Whether the order is still secret."""
    gm: bool = False
    """Whether the GM wrote the order in place of a player's text."""


class OrdersForgotten(BaseEvent, frozen=True):
    """Orders were cleared: those of `who`, or all of them, which then become the last round's orders."""

    who: tuple[str, ...] = ()


class Shifted(BaseEvent, frozen=True):
    """A row (key) was moved `where` (before, after) another; `by` as in `Shift`."""

    who: str
    where: str
    other: str
    by: str = "hand"


class ShiftsForgotten(BaseEvent, frozen=True):
    """All moves of rows were cleared."""


class Decided(BaseEvent, frozen=True):
    """A contest has an outcome."""

    outcome: Outcome


class DecisionMarked(BaseEvent, frozen=True):
    """A mark in the events of a contest's decision: `start`, `end`, or `over` once it is final.

    A decision may have several parts, each with a start and an end.
    """

    edge: str


class DecisionReversed(BaseEvent, frozen=True):
    """The decision of the latest contest was undone, because one of its rolls was typed wrongly."""


class PhaseEntered(BaseEvent, frozen=True):
    """The fight is in another phase: setup, exploration, orders, rolls, board or turns."""

    phase: str


class AreaLaid(BaseEvent, frozen=True):
    """Damage to many waits for saving throws."""

    area: PendingArea


class AreaOver(BaseEvent, frozen=True):
    """The damage to many was dealt, or dropped."""

    dropped: bool = False


class FightEnded(BaseEvent, frozen=True):
    """The fight is over; roster, conditions and log stay."""


class RoundBegan(BaseEvent, frozen=True):
    """A round began."""

    round: int


class RoundEnded(BaseEvent, frozen=True):
    """A round is over; marks that last for a round are gone."""

    round: int


class TurnBegan(BaseEvent, frozen=True):
    """An entry (key) began its turn, in which these members act."""

    who: str
    members: tuple[str, ...]


class TurnEnded(BaseEvent, frozen=True):
    """A turn ended."""

    who: str
    members: tuple[str, ...]
    taken: bool = True
    """Whether its members have acted; False if they may still act in this round."""


class TurnHandedOn(BaseEvent, frozen=True):
    """A turn, running or interrupted, goes on as that of another entry: its creatures changed their row."""

    old: str
    """The key of the entry whose turn it was."""
    who: str
    """The key of the entry whose turn it is now."""
    members: tuple[str, ...]
    """The ids of all members that act in it."""


class TurnsMissed(BaseEvent, frozen=True):
    """The turn of a side is over for those of it that had none in this round."""

    who: tuple[str, ...]


class TurnPaused(BaseEvent, frozen=True):
    """The running turn was interrupted."""


class TurnResumed(BaseEvent, frozen=True):
    """The turn that was interrupted last goes on."""


class Passed(BaseEvent, frozen=True):
    """A side or an entry (key) passed."""

    who: str


class Reacted(BaseEvent, frozen=True):
    """A creature spent its reaction."""

    who: str
    text: str = ""


PlayEvent = (
    Rolled | RollsForgotten | Noted | Forgot | Ordered | OrdersForgotten | Shifted | ShiftsForgotten | Decided
    | DecisionMarked | DecisionReversed | PhaseEntered | AreaLaid | AreaOver | FightEnded | RoundBegan
    | RoundEnded | TurnBegan | TurnEnded | TurnHandedOn | TurnsMissed | TurnPaused | TurnResumed | Passed
    | Reacted
)  # fmt: skip


class Announced(BaseEvent, frozen=True):
    """The rules announced a sentence, with slots for the keys in `about`."""

    text: str
    about: tuple[str, ...] = ()
    rule: str = ""
    own: bool = False
    """Whether only the GM and the owner of the first key may read the sentence."""
    pooled: bool = False
    """Whether the sentence has the whole of an amount, for viewers who may not read its shares."""


class OptionSet(BaseEvent, frozen=True):
    """A house rule was set."""

    key: str
    value: Plain


class SystemChanged(BaseEvent, frozen=True):
    """Another initiative system runs the fight."""

    system: str


class DiceThrown(BaseEvent, frozen=True):
    """Dice were rolled that no rule asked for."""

    expression: str
    """The dice in notation, such as `2d6+1`."""
    total: int
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    text: str = ""
    open: bool = False
    """Whether players may read the roll."""


class NoteTaken(BaseEvent, frozen=True):
    """A line was written into the log."""

    text: str


TableEvent = Announced | OptionSet | SystemChanged | DiceThrown | NoteTaken

Event = CreatureEvent | PlayEvent | TableEvent

QUIET_EVENTS: frozenset[type[Event]] = frozenset({
    AreaLaid, AreaOver, Armed, Bolstered, CameBack, Carded, Cleared,
    ConditionHid, CounterEnded, DeathSaves, DecisionReversed, DiceThrown,
    Died, FightEnded, Hid, NoteTaken, Ordered, OrdersForgotten, Passed, Reacted,
    Removed, Rested, SaveDropped, SavesKept, Shifted,
    SystemChanged, Tallied, Ticked, TurnPaused, TurnsMissed, WentOut,
})  # fmt: skip
"""The types of event that only `apply` and the log read.

Each other type is named in the rules, the log, the times or the checks of a save. A new type belongs to one
of these or to this set (`tests/core/fight/test_events.py`).
"""

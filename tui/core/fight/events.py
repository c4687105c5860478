"""Define what can happen in a fight: facts in the past tense, with dice already rolled.

Every event is plain data under a short tag `t`, so that a journal can be read without this program.
A `who` is a creature's id, or, where it says *key*, any key of `encounter.label`.
"""

from typing import Literal

from tui.core.fight.combatant import Combatant, Condition, Counted, OwedEffect, OwedSave, Plain
from tui.core.fight.dice import ANY, BaseEvent, Sides
from tui.core.fight.encounter import Outcome, PendingArea


class Added(BaseEvent, frozen=True):
    """A creature came to the table.

    `came`: from another save: its name, the number of its last record and that record's seal.
    """

    c: Combatant
    came: str = ""


class Removed(BaseEvent, frozen=True):
    """A creature was struck from the roster."""

    who: str


class Changed(BaseEvent, frozen=True):
    """A plain attribute (name, side, group, owner, hp, max_hp, ac, note, arrives, value) was edited.

    `empty` means that the attribute holds nothing from now on.
    """

    who: str
    key: str
    value: Plain = ""
    empty: bool = False


class Carded(BaseEvent, frozen=True):
    """Creatures have this card from now on ("" for none), all the same; a `quiet` one is not logged."""

    who: tuple[str, ...]
    text: str = ""
    quiet: bool = False


class Armed(BaseEvent, frozen=True):
    """Creatures have these attacks from now on ("" for none), all the same; `quiet`: not logged."""

    who: tuple[str, ...]
    attacks: str = ""
    quiet: bool = False


class FieldSet(BaseEvent, frozen=True):
    """A field that the system declares was given; `empty` takes it away; a `quiet` one is not logged."""

    who: str
    key: str
    value: Plain = ""
    empty: bool = False
    quiet: bool = False


class Attacked(BaseEvent, frozen=True):
    """A creature attacked another: the die that counted, the one that did not (0: none), and what came of it.

    `damage` is what was dealt, by kind, after resistance; `called` what was said at the table: the die, the
    damage.
    """

    who: str
    target: str
    name: str
    face: int
    other: int
    bonus: int
    ac: int
    hit: bool
    damage: tuple[tuple[int, str], ...] = ()
    called: tuple[Literal["die", "damage"], ...] = ()


class Damaged(BaseEvent, frozen=True):
    """A creature lost `amount` points; `hp` and `temp` are what it has now (hp -1: it never had any)."""

    who: str
    amount: int
    hp: int = -1
    temp: int = 0


class Healed(BaseEvent, frozen=True):
    """A creature regained points; `hp` is what it has now."""

    who: str
    amount: int
    hp: int


class Bolstered(BaseEvent, frozen=True):
    """A creature has `temp` temporary hit points now."""

    who: str
    temp: int


class Afflicted(BaseEvent, frozen=True):
    """A condition took hold of a creature, or was renewed."""

    who: str
    condition: Condition


class Ticked(BaseEvent, frozen=True):
    """A condition has `rounds` edges left; `of` as in `Cleared`."""

    who: str
    name: str
    rounds: int
    of: str = ANY


class Cleared(BaseEvent, frozen=True):
    """A condition is gone; `over`: its time had come. `of`: which one of that name, ANY for all of them."""

    who: str
    name: str
    over: bool = False
    of: str = ANY


class ConditionHid(BaseEvent, frozen=True):
    """The players no longer see a creature's condition, or see it again."""

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
    """How a dying creature's saves stand; with `over` it is no longer dying."""

    who: str
    good: int = 0
    bad: int = 0
    stable: bool = False
    owes: bool = False
    over: bool = False


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
    """What these creatures owe waits until they act."""

    who: tuple[str, ...]


class Died(BaseEvent, frozen=True):
    """A creature is dead; with `over` it is so no longer."""

    who: str
    over: bool = False


class Rested(BaseEvent, frozen=True):
    """A creature has rested: these counters are full; after a `long` rest it it has all hit points.

    `hp` are the points that it has now (-1: it never had any).
    """

    who: str
    long: bool = False
    counters: tuple[Counted, ...] = ()
    hp: int = -1
    up: bool = False


class Tallied(BaseEvent, frozen=True):
    """A creature's counter stands so; a `quiet` change is not logged."""

    who: str
    counter: Counted
    quiet: bool = False


class CounterEnded(BaseEvent, frozen=True):
    """A creature has this counter no more."""

    who: str
    name: str


class WentOut(BaseEvent, frozen=True):
    """A creature is down, fled or dead."""

    who: str


class CameBack(BaseEvent, frozen=True):
    """A creature is in the fight again."""

    who: str


class Hid(BaseEvent, frozen=True):
    """The players no longer see a creature."""

    who: str


class Revealed(BaseEvent, frozen=True):
    """The players see a creature from now on."""

    who: str


class Marked(BaseEvent, frozen=True):
    """Creatures carry a mark until an edge (`turn`, `round`, `fight`)."""

    who: tuple[str, ...]
    mark: str
    until: str = "round"


class Unmarked(BaseEvent, frozen=True):
    """Creatures no longer carry a mark."""

    who: tuple[str, ...]
    mark: str


CreatureEvent = (
    EffectOwed
    | EffectSettled
    | SaveOwed
    | SaveSettled
    | SaveDropped
    | SavesKept
    | Died
    | Rested
    | Added
    | Removed
    | Changed
    | Carded
    | Armed
    | Attacked
    | FieldSet
    | Damaged
    | Healed
    | Bolstered
    | Afflicted
    | DeathSaves
    | Tallied
    | CounterEnded
    | Ticked
    | Cleared
    | ConditionHid
    | WentOut
    | CameBack
    | Hid
    | Revealed
    | Marked
    | Unmarked
)


class Rolled(BaseEvent, frozen=True):
    """Dice fell: `ask` names the purpose, `who` (key) the roller, `how` is app, given or table.

    `among`: of a roll-off, the keys of all who are tied. `by`: the creature that threw for its group or side.
    `total`: what was called at the table of several dice whose faces no one named; there are none then.
    """

    ask: str
    who: str
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    among: tuple[str, ...] = ()
    by: str = ""
    total: int | None = None


class RollsForgotten(BaseEvent, frozen=True):
    """Old dice are off the table: all whose purpose begins with `prefix`."""

    prefix: str = ""


class Noted(BaseEvent, frozen=True):
    """The running system wrote `value` under `key` of its notes, or under `at` in the table there."""

    key: str
    value: Plain
    at: str = ""


class Forgot(BaseEvent, frozen=True):
    """The running system dropped a note, or one line `at` of the table there."""

    key: str
    at: str = ""


class Ordered(BaseEvent, frozen=True):
    """An entry (key) has an order: text by component. A sealed one is still secret.

    `gm`: the game master wrote it for a player.
    """

    who: str
    text: dict[str, str]
    sealed: bool = False
    gm: bool = False


class OrdersForgotten(BaseEvent, frozen=True):
    """Orders were cleared: of these entries, or of all when none is named, which become the past ones."""

    who: tuple[str, ...] = ()


class Shifted(BaseEvent, frozen=True):
    """A row (key) was put `where` (before, after) another stands; `by` as in `Shift`."""

    who: str
    where: str
    other: str
    by: str = "hand"


class ShiftsForgotten(BaseEvent, frozen=True):
    """Rows stand by the rules again."""


class Decided(BaseEvent, frozen=True):
    """A contest has an outcome."""

    outcome: Outcome


class DecisionMarked(BaseEvent, frozen=True):
    """An edge of what a contest decides: its `start`, its `end`, or `over` once it can no more be taken back.

    A decision may have several parts, each with a start and an end.
    """

    edge: str


class DecisionReversed(BaseEvent, frozen=True):
    """What the latest contest decided is undone, and all else stays: one of its rolls was heard wrongly."""


class PhaseEntered(BaseEvent, frozen=True):
    """The fight is in another phase: setup, exploration, orders, rolls, board or turns."""

    phase: str


class AreaLaid(BaseEvent, frozen=True):
    """Damage to many falls when the saves against it are known."""

    area: PendingArea


class AreaOver(BaseEvent, frozen=True):
    """The damage of an area has fallen, or is `dropped`."""

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
    """An entry (key) has its turn; these members act in it."""

    who: str
    members: tuple[str, ...]


class TurnEnded(BaseEvent, frozen=True):
    """The running turn is over; `taken`: its members have acted, else they still may."""

    who: str
    members: tuple[str, ...]
    taken: bool = True


class TurnPaused(BaseEvent, frozen=True):
    """The running turn waits for someone who cuts in."""


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
    Rolled
    | RollsForgotten
    | Noted
    | Forgot
    | Ordered
    | OrdersForgotten
    | Shifted
    | ShiftsForgotten
    | Decided
    | DecisionMarked
    | DecisionReversed
    | PhaseEntered
    | AreaLaid
    | AreaOver
    | FightEnded
    | RoundBegan
    | RoundEnded
    | TurnBegan
    | TurnEnded
    | TurnPaused
    | TurnResumed
    | Passed
    | Reacted
)


class Announced(BaseEvent, frozen=True):
    """The rules say something: a sentence whose `{0}`, `{1}` … stand for the keys in `about`.

    An `own` one is part of something sealed: only the game master and the owner of the first of them hear it.
    """

    text: str
    about: tuple[str, ...] = ()
    rule: str = ""
    own: bool = False


class OptionSet(BaseEvent, frozen=True):
    """A house rule was set."""

    key: str
    value: Plain


class SystemChanged(BaseEvent, frozen=True):
    """Another initiative system runs the fight."""

    system: str


class DiceThrown(BaseEvent, frozen=True):
    """Someone rolled for no rule: `expression` came to `total`; `open` rolls are everybody's to read."""

    expression: str
    total: int
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    text: str = ""
    open: bool = False


class NoteTaken(BaseEvent, frozen=True):
    """Someone wrote a line into the log."""

    text: str


TableEvent = Announced | OptionSet | SystemChanged | DiceThrown | NoteTaken

Event = CreatureEvent | PlayEvent | TableEvent

QUIET: frozenset[type[Event]] = frozenset({
    Afflicted, AreaLaid, AreaOver, Armed, Bolstered, CameBack, Carded, Cleared,
    ConditionHid, CounterEnded, DeathSaves, DecisionMarked, DecisionReversed, DiceThrown,
    Died, EffectSettled, FightEnded, Hid, NoteTaken, Ordered, OrdersForgotten, Passed, Reacted,
    Removed, Rested, RollsForgotten, SaveDropped, SaveSettled, SavesKept, Shifted, ShiftsForgotten,
    Tallied, Ticked, WentOut,
})  # fmt: skip
"""The events from which nothing follows but what `apply` keeps and the log says.

Every other is named where the rules, the log, the clocks or the doors of a save look for some events alone: a
new one belongs there or here (`tests/core/rules/test_quiet_events.py`).
"""

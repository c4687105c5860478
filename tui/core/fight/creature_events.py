"""What can have happened to creatures."""

from tui.core.fight.combatant import Combatant, Condition, Counted, OwedSave, Plain
from tui.core.fight.dice import ANY, BaseEvent


class Added(BaseEvent, frozen=True):
    """A creature came to the table."""

    c: Combatant


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
    """Creatures have this card from now on ("" for none), all the same; a `quiet` one is not told."""

    who: tuple[str, ...]
    text: str = ""
    quiet: bool = False


class FieldSet(BaseEvent, frozen=True):
    """A field that the system declares was given; `empty` takes it away; a `quiet` one is not told."""

    who: str
    key: str
    value: Plain = ""
    empty: bool = False
    quiet: bool = False


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
    """A creature's counter stands so; a `quiet` change is not told."""

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
    SaveOwed
    | SaveSettled
    | SaveDropped
    | SavesKept
    | Died
    | Rested
    | Added
    | Removed
    | Changed
    | Carded
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

"""Define what can happen in a fight: facts in the past tense, with dice already rolled.

Every event is plain data under a short tag `t`, so that a journal can be read without this program.
A `who` is a creature's id, or, where it says *key*, any key of `encounter.label`.
"""

from tui.core.fight.combatant import Plain
from tui.core.fight.creature_events import (
    Added,
    Afflicted,
    Bolstered,
    CameBack,
    Carded,
    Changed,
    Cleared,
    ConditionHid,
    CounterEnded,
    CreatureEvent,
    Damaged,
    DeathSaves,
    Died,
    FieldSet,
    Healed,
    Hid,
    Marked,
    Removed,
    Rested,
    Revealed,
    SaveDropped,
    SaveOwed,
    SaveSettled,
    SavesKept,
    Tallied,
    Ticked,
    Unmarked,
    WentOut,
)
from tui.core.fight.dice import ANY, BaseEvent, Sides
from tui.core.fight.encounter import Outcome, PendingArea

__all__ = [
    "ANY",
    "Added",
    "Afflicted",
    "Announced",
    "AreaLaid",
    "AreaOver",
    "BaseEvent",
    "Bolstered",
    "CameBack",
    "Carded",
    "Changed",
    "Cleared",
    "ConditionHid",
    "CounterEnded",
    "CreatureEvent",
    "Damaged",
    "DeathSaves",
    "Decided",
    "DiceThrown",
    "Died",
    "Event",
    "FieldSet",
    "FightEnded",
    "Forgot",
    "Healed",
    "Hid",
    "Marked",
    "NoteTaken",
    "Noted",
    "OptionSet",
    "Ordered",
    "OrdersForgotten",
    "Passed",
    "PhaseEntered",
    "PlayEvent",
    "Reacted",
    "Removed",
    "Rested",
    "Revealed",
    "Rolled",
    "RollsForgotten",
    "RoundBegan",
    "RoundEnded",
    "SaveDropped",
    "SaveOwed",
    "SaveSettled",
    "SavesKept",
    "Shifted",
    "ShiftsForgotten",
    "SystemChanged",
    "TableEvent",
    "Tallied",
    "Ticked",
    "TurnBegan",
    "TurnEnded",
    "TurnPaused",
    "TurnResumed",
    "Unmarked",
    "WentOut",
]


class Rolled(BaseEvent, frozen=True):
    """Dice fell: `ask` names the purpose, `who` (key) the roller, `how` is app, given or table.

    `among`: of a roll-off, the keys of all who are tied. `by`: the creature that threw for its group or side.
    `total`: what was called at the table of several dice whose faces nobody named; there are none then.
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

    `gm`: the game master wrote it in place of what a player had written.
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
    """The running turn waits for somebody who cuts in."""


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
    """Somebody rolled for no rule: `expression` came to `total`; `open` rolls are everybody's to read."""

    expression: str
    total: int
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    text: str = ""
    open: bool = False


class NoteTaken(BaseEvent, frozen=True):
    """Somebody wrote a line into the log."""

    text: str


TableEvent = Announced | OptionSet | SystemChanged | DiceThrown | NoteTaken

Event = CreatureEvent | PlayEvent | TableEvent

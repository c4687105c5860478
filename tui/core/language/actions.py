"""What may be asked: requests in the imperative, as data. A WHO is kept as it was written.

Amounts are dice notation as text (`2d8+2`) with a `scale` of "", "/2" or "*2".
"""

from __future__ import annotations

from msgspec import Struct


class Request(Struct, frozen=True):
    """The common shape of all actions."""


class Add(Request, frozen=True):
    """`count` ("" for one without a number) new combatants."""

    name: str
    count: str = ""
    keys: dict[str, str] = {}


class Party(Request, frozen=True):
    """A file with a party (`kind` party) or a prepared encounter (`kind` load)."""

    file: str
    kind: str = "party"


class Set(Request, frozen=True):
    """Edit attributes and fields."""

    who: str
    keys: dict[str, str]


class Remove(Request, frozen=True):
    """Strike from the roster."""

    who: str


class Rename(Request, frozen=True):
    """Give one combatant another name."""

    who: str
    name: str


class Group(Request, frozen=True):
    """One place on the track for several; an empty name takes them apart."""

    who: str
    name: str = ""


class Hide(Request, frozen=True):
    """Out of the players' sight, or (`reveal`) into it."""

    who: str
    reveal: bool = False


class Damage(Request, frozen=True):
    """Hit points down."""

    who: str
    amount: str
    scale: str = ""


class Heal(Request, frozen=True):
    """Hit points up, to the maximum."""

    who: str
    amount: str
    scale: str = ""


class Temp(Request, frozen=True):
    """Temporary hit points; the higher number stays."""

    who: str
    amount: str
    scale: str = ""


class Afflict(Request, frozen=True):
    """A condition, with an end or without."""

    who: str
    name: str
    rounds: int = 0
    until: str = ""
    of: str = ""


class Clear(Request, frozen=True):
    """Take a condition away."""

    who: str
    name: str


class Out(Request, frozen=True):
    """Down, fled or dead; or (`back`) returned."""

    who: str
    back: bool = False


class Begin(Request, frozen=True):
    """Start the fight."""


class Roll(Request, frozen=True):
    """Answer rolls: all that are due, or those that WHO owes, by the app or with faces from the table."""

    who: str = ""
    faces: tuple[int, ...] = ()


class Pick(Request, frozen=True):
    """Answer a due choice; no names: none."""

    names: tuple[str, ...] = ()


class Order(Request, frozen=True):
    """Answer a due form."""

    who: str
    keys: dict[str, str] = {}


class Lock(Request, frozen=True):
    """Close the writing; `missing` says what the missing ones count as."""

    missing: str = ""


class Unlock(Request, frozen=True):
    """Open the writing again."""


class Next(Request, frozen=True):
    """Go on."""


class TakeTurn(Request, frozen=True):
    """Take an offered turn."""

    who: str


class Pass(Request, frozen=True):
    """Pass, where the system allows it."""


class End(Request, frozen=True):
    """End the running turn, or the side's."""


class Hold(Request, frozen=True):
    """Delay; or (`act`) act now after all."""

    who: str
    act: bool = False


class Move(Request, frozen=True):
    """Put a row before or after another."""

    who: str
    where: str
    other: str


class React(Request, frozen=True):
    """Spend a reaction."""

    who: str
    text: str = ""


class Ok(Request, frozen=True):
    """Acknowledge what must be read."""


class OwnVerb(Request, frozen=True):
    """A verb of the system's own, with its plain words and its keys."""

    verb: str
    words: tuple[str, ...] = ()
    keys: dict[str, str] = {}


class Option(Request, frozen=True):
    """House rules."""

    keys: dict[str, str]


class System(Request, frozen=True):
    """Another initiative system for the same fight."""

    system: str


class Note(Request, frozen=True):
    """A line in the log."""

    text: str


class Undo(Request, frozen=True):
    """Back by so many steps."""

    steps: int = 1


class Redo(Request, frozen=True):
    """Forward by so many steps."""

    steps: int = 1


class Goto(Request, frozen=True):
    """To the state after this many steps."""

    step: int


Travel = Undo | Redo | Goto
Action = (
    Add | Party | Set | Remove | Rename | Group | Hide | Damage | Heal | Temp | Afflict | Clear | Out
    | Begin | Roll | Pick | Order | Lock | Unlock | Next | TakeTurn | Pass | End | Hold | Move | React | Ok
    | OwnVerb | Option | System | Note | Undo | Redo | Goto
)  # fmt: skip

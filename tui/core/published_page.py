"""Hold the page that is published for one viewer (.github/FORMAT.md): the table, the log, and a seat's words.

As in `core/table.py` the text below a field is its line in FORMAT.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tui.core.table import FieldView, Table


class Now(Struct, frozen=True, omit_defaults=True):
    """What is now, in words."""

    kind: Literal["acts", "asked", "waits"]
    """`acts`: a turn runs; `asked`: something is owed or offered; `waits`: the game master goes on"""
    lead: str
    """the first words"""
    who: str = ""
    """the entry that acts"""
    then: str = ""
    """who comes next, in words"""
    coming: tuple[str, ...] = ()
    """the entries that come next, at most 40"""
    mine: bool = False
    """it is the viewer's moment"""
    remarks: tuple[str, ...] = ()
    """what the system adds, such as limits of a surprised creature"""


class Moment(Struct, frozen=True):
    """The log of one moment."""

    step: int
    """the viewer's number for it"""
    text: tuple[str, ...]
    """its messages"""


class MarkWords(Struct, frozen=True):
    """How a mark is called."""

    short: str
    """its word on a row, or empty"""
    word: str
    """behind a name: `has reacted`"""
    alarming: bool
    """it is drawn to be seen"""


class Words(Struct, frozen=True):
    """The system's names for itself and its marks."""

    title: str
    """the system's name"""
    short: str
    """the same in short"""
    marks: dict[str, MarkWords]
    """the marks by key"""
    fields: dict[str, str] = {}
    """the titles of what a creature's sheet says, by key"""


class SeatChoice(Struct, frozen=True, omit_defaults=True):
    """A line that could be sent from a seat."""

    line: str
    """the whole line"""
    title: str
    """the same in short"""
    note: str = ""
    """what it would mean, in brief"""
    meaning: str = ""
    """what it would mean, in a sentence"""
    instead: str = ""
    """what is given up for it"""
    kin: str = ""
    """choices of one kin differ in a number, and share a row"""


class SeatVerb(Struct, frozen=True):
    """A word of the system's own that could be sent from a seat."""

    name: str
    """the word"""
    key: str
    """its key on the screen"""
    help: str
    """what it does"""


class PageRow(Struct, frozen=True, omit_defaults=True):
    """A line of the track, as a screen shows it."""

    entry: str
    """the creature, group or side"""
    members: tuple[str, ...]
    """its creatures"""
    state: str
    """as in `state.track`, also `delays`, and `staged` for a creature that waits in reserve"""
    place: int = 0
    """counted from 1; 0 where place and number say nothing"""
    owed: bool = False
    """its number is still to be rolled"""
    inner: bool = False
    """a member below the row of its side"""
    outer: bool = False
    """the row of a side, with its members below it"""


class ReturnedLine(Struct, frozen=True):
    """A line of this seat that was taken, and is no longer in force."""

    number: int
    """counts these lines of the seat, from 1"""
    line: str
    """the whole line"""


class Seat(Struct, frozen=True, omit_defaults=True):
    """What could be sent from the viewer's seat.

    Outside a fight, and for viewers without a name, only `gmless` is said.
    """

    gmless: bool = False
    """nobody is the game master"""
    resolves: bool = False
    """the turn that runs or comes is this player's to carry out"""
    forms: dict[str, tuple[FieldView, ...]] = {}
    """orders that may be written again: their parts by row"""
    helps: dict[str, str] = {}
    """what goes into a part, by key"""
    verbs: tuple[SeatVerb, ...] = ()
    """the system's own words"""
    choices: dict[str, tuple[SeatChoice, ...]] = {}
    """lines by verb; under `turn`, `pass` and `end` the turns that this player may choose, pass or end"""
    returned: tuple[ReturnedLine, ...] = ()
    """lines of this seat that were taken back after they were sent, until the seat sends such a line again"""


class ViewerPage(Struct, frozen=True):
    """What is published for one viewer."""

    format: Literal[1]
    """1, the version of this object"""
    viewer: str
    """the viewer's name; empty for the public"""
    words: Words
    """what the system calls things"""
    state: Table
    """the object of `show --json --as NAME`"""
    sides: tuple[str, ...]
    """the sides in the order of their signs and colours"""
    rows: tuple[PageRow, ...]
    """the lines of the track, with everybody who has no place in it below; none outside a fight"""
    now: Now
    """what is now, in words"""
    log: tuple[Moment, ...]
    """the latest moments of `log --as NAME` that are in force, at most 60"""
    seat: Seat
    """what could be sent from a seat"""

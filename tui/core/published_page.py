"""Hold the page that is published for one viewer (.github/FORMAT.md): the table, the log, and a seat's words.

As in `core/table.py` the text below a field is its line in FORMAT.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tui.core.table import FieldView, Table


class Now(Struct, frozen=True, omit_defaults=True):
    """The present moment of the fight, in words."""

    kind: Literal["acts", "asked", "waits"]
    """`acts`: a turn runs; `asked`: something is owed or offered; `waits`: another person goes on"""
    lead: str
    """the first sentence: who acts, what is asked, or what is awaited"""
    who: str = ""
    """the entry that acts"""
    then: str = ""
    """the entry that comes next, in words"""
    coming: tuple[str, ...] = ()
    """the entries that come next, at most 40"""
    mine: bool = False
    """the viewer acts, is asked, or resolves the turn"""
    remarks: tuple[str, ...] = ()
    """remarks of the system, such as the limits of a surprised creature"""


class Moment(Struct, frozen=True):
    """The log of one moment."""

    step: int
    """the number of the moment in the viewer's log"""
    text: tuple[str, ...]
    """the messages of the moment"""


class MarkWords(Struct, frozen=True):
    """The words for a mark."""

    short: str
    """the word for the mark on a row, or empty"""
    word: str
    """the words after a name: `has reacted`"""
    alarming: bool
    """the mark is drawn in a warning colour"""


class Words(Struct, frozen=True):
    """The system's names for itself and its marks."""

    title: str
    """the system's name"""
    short: str
    """a short form of the title"""
    marks: dict[str, MarkWords]
    """the marks by key"""
    fields: dict[str, str] = {}
    """the titles of the fields of a creature, by key"""


class SeatChoice(Struct, frozen=True, omit_defaults=True):
    """A line that could be sent from a seat."""

    line: str
    """the whole line"""
    title: str
    """a short form of the line"""
    note: str = ""
    """the effect of the line in a few words"""
    meaning: str = ""
    """the effect of the line as a sentence"""
    instead: str = ""
    """the name of what the line costs, such as a declared action"""
    kin: str = ""
    """the name that choices share if they differ only in a number: they share a row"""


class SeatVerb(Struct, frozen=True):
    """A word of the system's own that could be sent from a seat."""

    name: str
    """the word"""
    key: str
    """the key that a screen binds to the word"""
    help: str
    """a few words that say what the word does"""


class PageRow(Struct, frozen=True, omit_defaults=True):
    """A line of the track, as a screen shows it."""

    entry: str
    """the creature, group or side"""
    members: tuple[str, ...]
    """the creatures of the row"""
    state: str
    """as in `state.track`, also `delays`, and `staged` for a creature that waits in reserve"""
    place: int = 0
    """the place, counted from 1; 0 if place and number have no meaning here"""
    owed: bool = False
    """the number of the row is still to be rolled"""
    inner: bool = False
    """a member below the row of its side"""
    outer: bool = False
    """the row of a side, with its members below it"""


class ReturnedLine(Struct, frozen=True):
    """A line of this seat that was accepted and later taken back."""

    number: int
    """counts these lines of the seat, from 1"""
    line: str
    """the whole line"""


class Seat(Struct, frozen=True, omit_defaults=True):
    """The lines and forms that could be sent from the viewer's seat.

    Outside a fight, and for viewers without a name, only `gmless` is given.
    """

    gmless: bool = False
    """the fight has no game master"""
    resolves: bool = False
    """the turn that runs or comes is this player's to carry out"""
    forms: dict[str, tuple[FieldView, ...]] = {}
    """the parts of each order that may be written again, by row"""
    helps: dict[str, str] = {}
    """a few words on the value of a part, by key"""
    verbs: tuple[SeatVerb, ...] = ()
    """the system's own words"""
    choices: dict[str, tuple[SeatChoice, ...]] = {}
    """lines by verb; under `turn`, `pass` and `end` the turns that this player may choose, pass or end"""
    returned: tuple[ReturnedLine, ...] = ()
    """lines of this seat that were taken back after they were sent, until the seat sends such a line again"""


class ViewerPage(Struct, frozen=True):
    """The page that is published for one viewer."""

    format: Literal[1]
    """1, the version of this object"""
    viewer: str
    """the viewer's name; empty for the public"""
    words: Words
    """the system's names for itself, its marks and fields"""
    state: Table
    """the object of `show --json --as NAME`"""
    sides: tuple[str, ...]
    """the sides in the order of their signs and colours"""
    rows: tuple[PageRow, ...]
    """the lines of the track, with every creature without a place below them; none outside a fight"""
    now: Now
    """the present moment, in words"""
    log: tuple[Moment, ...]
    """the latest moments of `log --as NAME` that are in force, at most 60"""
    seat: Seat
    """the lines and forms that could be sent from the viewer's seat"""

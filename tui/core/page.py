"""Hold what a player's page has besides the table: its words, and every line that its viewer may send now.

As in `core/table.py` the text below a field is its line in FORMAT.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tui.core.table import FieldView


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


class LogMoment(Struct, frozen=True):
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


class LineOffer(Struct, frozen=True, omit_defaults=True):
    """A line that may be sent as it stands."""

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
    """the name that lines share if they differ only in a number"""
    context: str = ""
    """the moment that the line is meant for; once it is another, the line is not taken"""


class FormOffer(Struct, frozen=True, omit_defaults=True):
    """An order that may be written: `order WHO` with any of these parts."""

    who: str
    """the row that the order is for"""
    fields: tuple[FieldView, ...]
    """the parts; the proposed value of each is that of the last round"""
    helps: dict[str, str] = {}
    """a few words on the value of a part, by key"""
    due: bool = False
    """the order is owed; else one that was written may be written again"""
    text: dict[str, str] = {}
    """the order as it is written now, by key"""
    round: int = 0
    """the round that the order is for"""


class RollOffer(Struct, frozen=True, omit_defaults=True):
    """A roll of an own creature: `roll WHO [FACES]`, `total WHO N`, `made WHO`, `failed WHO`."""

    who: str
    """the creature, group or side that rolls"""
    dice: tuple[int, ...]
    """the sides of the dice, in rolling order"""
    why: str
    """the reason, in words"""
    rollers: tuple[str, ...] = ()
    """own creatures that may roll for a group or side"""
    ticks: bool = False
    """`made` and `failed` may answer it too"""
    dealt: str = ""
    """what is dealt in place of dice, such as `a card`: it is never typed"""
    context: str = ""
    """the roll that a line answers; once it is another, the line is not taken"""


class PickOffer(Struct, frozen=True):
    """A choice of an own creature: `pick NAME…`."""

    why: str
    """the reason, in words"""
    names: tuple[str, ...]
    """the names to choose from"""
    least: int
    """the least number of names"""
    most: int
    """the largest number of names"""
    context: str
    """the choice that a line answers; once it is another, the line is not taken"""


class PointsOffer(Struct, frozen=True):
    """An own creature whose points may be changed: `damage`, `heal`, `temp`, `count` with a number."""

    who: str
    """the creature"""
    counters: tuple[str, ...]
    """its counters"""


class Offers(Struct, frozen=True, omit_defaults=True):
    """Every line that a viewer may send now."""

    forms: tuple[FormOffer, ...] = ()
    """orders that are owed, or that may be written again"""
    rolls: tuple[RollOffer, ...] = ()
    """rolls that are due"""
    picks: tuple[PickOffer, ...] = ()
    """choices that are due"""
    lines: dict[str, tuple[LineOffer, ...]] = {}
    """whole lines, by verb"""
    points: tuple[PointsOffer, ...] = ()
    """creatures whose points may be changed"""

    @property
    def verbs(self) -> frozenset[str]:
        """The verbs of all lines that are offered."""
        due = {"order"} if self.forms else set[str]()
        due |= {"roll", "total"} if self.rolls else set()
        due |= {"made", "failed"} if any(x.ticks for x in self.rolls) else set()
        due |= {"pick"} if self.picks else set()
        due |= {"damage", "heal", "temp", "count"} if self.points else set()
        return frozenset({*due, *self.lines})

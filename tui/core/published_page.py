"""Hold the page that is published for one viewer (.github/FORMAT.md): the table, the log, and a seat's words.

As in `core/table.py` the text below a field is its line in FORMAT.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


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

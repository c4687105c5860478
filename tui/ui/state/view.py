"""What the game master sees and does: one frozen value, replaced with every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct

from tui.ui.state.layout import Pane
from tui.ui.text.palette import Role

PromptKind = Literal["line", "filter", "points", "condition", "add", "aim", "attack", "party", "name"]


class Notice(Struct, frozen=True):
    """A notice, shown until the next key."""

    text: str
    """What is wrong, or what happened."""
    role: Role = "text"
    help: str = ""
    """What would work, or ""."""

    def __str__(self) -> str:
        return f"{self.text}; {self.help}" if self.help else self.text

    @property
    def helpful(self) -> str:
        """The notice with `help` first, for rows where not all of it fits."""
        return f"{self.help} ({self.text})" if self.help else self.text


class Mode(Struct, frozen=True):
    """What has focus in place of the board; the files of `ui/modes` have the modes."""

    @property
    def aims(self) -> bool:
        """Whether every row shows a character that aims at it."""
        return False


def begins(needle: str, text: str) -> bool:
    """Return whether a word of the text begins with `needle`: `or` fits Orc 2 and Half-orc, not Corvo."""
    return re.search(rf"(?<!\w){re.escape(needle)}", text.lower()) is not None


class View(Struct, frozen=True):
    """What the game master sees and does. Selections are keys of rows, not indexes."""

    focus: Pane | None = None
    """The pane with focus, None for the pane that fits the moment."""
    rows: Pane | None = None
    """The pane whose current row a command uses."""
    is_zoomed: bool = False
    """Whether one pane has the whole room."""
    track: str = ""
    """The row in focus of the track, "" for the acting one."""
    roster: str = ""
    """The row in focus of the roster."""
    tops: Mapping[Pane, int] = {}
    """The first rows shown of panes of text."""
    log: int = 0
    """The step in focus of the log, 0 for the last one."""
    folded_groups: tuple[str, ...] = ()
    """The keys of groups that are one row of the roster."""
    has_clock: bool = False
    """Whether times are in the header."""
    selected: tuple[str, ...] = ()
    half_damage: tuple[str, ...] = ()
    """The selected rows that take half of any damage."""
    pinned_key: str = ""
    """The key whose card stays, "" for none."""
    card_top: tuple[str, int] = ("", 0)
    """The key of a card, and its first row shown."""
    filter: str = ""
    count: str = ""
    """The digits of a count that is being typed."""
    notice: Notice | None = None
    fault: Notice | None = None
    """Why the last line is not on the disk."""
    unsaved: tuple[str, ...] = ()
    """Lines that the disk has refused, the latest last."""
    unsent: tuple[str, ...] = ()
    """The lines of a paste after a refused one, for Up."""
    declined_groups: tuple[str, ...] = ()
    """Grouping lines that were declined."""
    skipped_forms: tuple[str, ...] = ()
    """Owed forms that were left empty, each with its round."""
    key_record: int = 0
    """The record in which a key dealt an amount or closed the list of rolls: an Enter after it does nothing.
    """
    is_masked: bool = False
    """Whether orders are hidden."""
    mode: Mode | None = None


class ViewChanges(TypedDict, total=False):
    """The fields of a View that a key changes, so that mypy checks their values."""

    focus: Pane | None
    rows: Pane | None
    is_zoomed: bool
    track: str
    roster: str
    tops: Mapping[Pane, int]
    log: int
    folded_groups: tuple[str, ...]
    has_clock: bool
    selected: tuple[str, ...]
    half_damage: tuple[str, ...]
    pinned_key: str
    card_top: tuple[str, int]
    filter: str
    count: str
    notice: Notice | None
    fault: Notice | None
    unsaved: tuple[str, ...]
    unsent: tuple[str, ...]
    declined_groups: tuple[str, ...]
    skipped_forms: tuple[str, ...]
    key_record: int
    is_masked: bool
    mode: Mode | None

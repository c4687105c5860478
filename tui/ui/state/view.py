"""The state of the screen apart from the fight: focus, selection, scrolling; a frozen value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tui.ui.state.layout import Pane
from tui.ui.text.palette import Role

PromptKind = Literal["line", "filter", "points", "condition", "add", "aim", "attack", "party", "name"]


class Notice(Struct, frozen=True):
    """A notice, shown until the next key."""

    text: str
    """The error, or what happened."""
    role: Role = "text"
    help: str = ""
    """What the user can do about it, "" for nothing."""

    def __str__(self) -> str:
        return f"{self.text}; {self.help}" if self.help else self.text

    @property
    def helpful(self) -> str:
        """The notice with `help` first, for places that may cut its end."""
        return f"{self.help} ({self.text})" if self.help else self.text


class Mode(Struct, frozen=True):
    """The form, menu or prompt that has focus instead of the board; the modes are in `ui/modes`."""

    @property
    def aims(self) -> bool:
        """Whether every row shows a character that selects it."""
        return False

    @property
    def writes(self) -> str:
        """The key of the row whose order is being written, "" for none."""
        return ""


def begins(needle: str, text: str) -> bool:
    """Return whether a word of the text begins with `needle`: `or` fits Orc 2 and Half-orc, not Corvo."""
    lowered = text.lower()
    # A pattern, which takes long to compile for a long needle, is made only for a text that has it.
    return needle in lowered and re.search(rf"(?<!\w){re.escape(needle)}", lowered) is not None


class View(Struct, frozen=True):
    """The state of the screen apart from the fight. Selections are keys of rows, not indexes."""

    focus: Pane | None = None
    """The pane with focus, None for the pane that fits the moment."""
    rows: Pane | None = None
    """The pane whose current row a command uses."""
    is_zoomed: bool = False
    """Whether the pane with focus fills the screen."""
    track: str = ""
    """The key of the track's row in focus, "" for the acting row."""
    roster: str = ""
    """The key of the roster's row in focus, "" for the track's current row."""
    tops: Mapping[Pane, int] = {}
    """The index of the first row shown in each scrolled pane of text."""
    log: int = 0
    """The number of the log's step in focus, 0 for the last one."""
    selected: tuple[str, ...] = ()
    filter: str = ""
    count: str = ""
    """The digits of a count that is being typed."""
    notice: Notice | None = None
    fault: Notice | None = None
    """Why the last line is not on the disk, None if it is."""
    unsaved: tuple[str, ...] = ()
    """Lines that could not be written to the disk, the latest last."""
    unsent: tuple[str, ...] = ()
    """Lines of a paste that follow a refused one and were not sent; Up recalls them."""
    declined_groups: tuple[str, ...] = ()
    """Offered `group` lines that the user declined."""
    skipped_forms: tuple[str, ...] = ()
    """Owed forms that the user left empty, as `passed_key` writes them."""
    key_record: int = 0
    """The record after which the next Enter does nothing, 0 for none.

    It is set when a single character dealt damage: a habitual Enter must not act."""
    is_masked: bool = False
    """Whether all orders are hidden on the screen."""
    is_open: bool = False
    """Whether the orders that players sent sealed are shown on the screen."""
    mode: Mode | None = None

"""Hold what the game master looks at and is doing: one frozen value, replaced with every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct

from tui.ui.state.layout import Pane
from tui.ui.text.palette import Role

PromptKind = Literal["line", "filter", "points", "condition", "add", "aim", "attack", "party", "name"]


class Notice(Struct, frozen=True):
    """A notice until the next key: `text` says what is the matter, `help` what would work, or ""."""

    text: str
    role: Role = "text"
    help: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.help}" if self.help else self.text

    @property
    def helpful(self) -> str:
        """The notice with `help` in front, for where not all of it has room."""
        return f"{self.help} ({self.text})" if self.help else self.text


class Mode(Struct, frozen=True):
    """What has the keys in place of the board; the files of `ui/modes` are the modes."""

    @property
    def aims(self) -> bool:
        """Whether every row shows the letter that means it."""
        return False


def begins(needle: str, text: str) -> bool:
    """Return whether a word of the text begins with these letters: `or` fits Orc 2 and Half-orc, no Corvo."""
    return re.search(rf"(?<!\w){re.escape(needle)}", text.lower()) is not None


class View(Struct, frozen=True):
    """`focus` None stands for the pane that fits the moment; `rows` is the pane whose row a command means.

    `fault` says why the last line is not on the disk; `unsaved` are those still to be sent again, the latest
    last. Selections are keys, not places: `track` "" follows who acts, `log` 0 the last step; `tops` are the
    first rows shown of panes of text. `half` are those of the selected rows that take half of any damage.
    `pinned` is the key whose card stays, `scrolled` the key of a card and its first row that is shown.
    `pasted` are the lines of a paste that come after one that was refused, for Up.
    `declined` are the lines that would have made one row, and were not wanted.
    `folded` are the keys of groups that are one row of the roster; `clock`: times stand in the
    header. `passed` are the forms that were asked for and left empty, each with its round; `counted` is the
    record in which the last key dealt an amount, or closed the list of owed rolls, at once: an Enter out
    of habit must not do more.
    """

    focus: Pane | None = None
    rows: Pane | None = None
    zoom: bool = False
    track: str = ""
    roster: str = ""
    tops: Mapping[Pane, int] = {}
    log: int = 0
    folded: tuple[str, ...] = ()
    clock: bool = False
    selected: tuple[str, ...] = ()
    half: tuple[str, ...] = ()
    pinned: str = ""
    scrolled: tuple[str, int] = ("", 0)
    filter: str = ""
    count: str = ""
    notice: Notice | None = None
    fault: Notice | None = None
    unsaved: tuple[str, ...] = ()
    pasted: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    counted: int = 0
    masked: bool = False
    mode: Mode | None = None


class ViewChanges(TypedDict, total=False):
    """The fields of a View that a key changes; mypy finds a pane or mode that does not exist."""

    focus: Pane | None
    rows: Pane | None
    zoom: bool
    track: str
    roster: str
    tops: Mapping[Pane, int]
    log: int
    folded: tuple[str, ...]
    clock: bool
    selected: tuple[str, ...]
    half: tuple[str, ...]
    pinned: str
    scrolled: tuple[str, int]
    filter: str
    count: str
    notice: Notice | None
    fault: Notice | None
    unsaved: tuple[str, ...]
    pasted: tuple[str, ...]
    declined: tuple[str, ...]
    passed: tuple[str, ...]
    counted: int
    masked: bool
    mode: Mode | None

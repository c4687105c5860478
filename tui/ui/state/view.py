"""What the game master looks at and is doing: one frozen value, replaced with every key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct

from tui.ui.state.editor import Editor
from tui.ui.state.layout import Pane
from tui.ui.state.palette import Role

Kind = Literal["line", "filter", "points", "faces", "condition", "add"]


class Notice(Struct, frozen=True):
    """A word to the user, until the next key: `text` says what is the matter, `help` what would work ("" for nothing)."""

    text: str
    role: Role = "text"
    help: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.help}" if self.help else self.text

    @property
    def helpful(self) -> str:
        """The notice with `help` in front, for where not all of it has room."""
        return f"{self.help} ({self.text})" if self.help else self.text


class Prompt(Struct, frozen=True):
    """The one-line prompt. `kind` says which single keys mean something in it.

    `stem` is what it was opened with; `members` are lines it may be opened with instead (one for each member of
    a group, the whole group last); `back` counts how far Up has gone into what was typed before, `typed` is what
    stood here then; `offers` are what Tab goes through, `offer` the one shown; `told` says what Enter would do.
    """

    kind: Kind
    editor: Editor = Editor()
    stem: str = ""
    members: tuple[str, ...] = ()
    who: str = ""
    back: int = 0
    typed: str = ""
    offers: tuple[str, ...] = ()
    offer: int = -1
    told: str = ""


class Form(Struct, frozen=True):
    """An order being written: the text of each field, the stop that the cursor is at, and its place in the text there.

    With a `verb` it is what one of the system's own words needs to know, and `who` is "". `fresh` are the keys of the
    fields that still hold what was proposed: the first letter typed replaces it.
    """

    who: str
    texts: dict[str, str] = {}
    at: int = 0
    cursor: int = 0
    verb: str = ""
    fresh: tuple[str, ...] = ()


class PickList(Struct, frozen=True):
    """A due choice being made: keys chosen so far, in order."""

    ask: str
    at: int = 0
    chosen: tuple[str, ...] = ()


class Item(Struct, frozen=True):
    """A line of a menu: its key, what it says, a note beside it, and the line it sends.

    `opens`: the line is put into the prompt instead.
    """

    text: str
    line: str
    key: str = ""
    note: str = ""
    opens: bool = False


class Menu(Struct, frozen=True):
    """Things to take one of, in the order pane; with `narrow`, typing leaves only those with these letters."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    typed: str = ""
    narrow: bool = False

    @property
    def shown(self) -> tuple[Item, ...]:
        """The items that are left."""
        needles = self.typed.lower().split()
        return tuple(i for i in self.items if all(n in f"{i.text} {i.line} {i.key}".lower() for n in needles))


class Page(Struct, frozen=True):
    """Something to read from line `top` on, over the panes or (`beside`) in the order pane."""

    title: str
    text: tuple[str, ...]
    top: int = 0
    beside: bool = False


Mode = Prompt | Form | PickList | Menu | Page | None


class View(Struct, frozen=True):
    """`focus` None stands for the pane that fits the moment; `rows` is the pane whose row a command means.

    `fault` says why the last line is not on the disk; `unsaved` are those still to be sent again, the latest last. Selections are keys, not places: `track` "" follows who acts, `log` 0 the last step; `tops` are the first rows shown of panes of text.
    `card` is the key whose card was shown last.
    `folded` are the keys of groups that are one row of the roster; `clock`: times stand in the header.
    """

    focus: Pane | None = None
    rows: Pane | None = None
    zoom: bool = False
    track: str = ""
    roster: str = ""
    card: str = ""
    tops: Mapping[Pane, int] = {}
    log: int = 0
    folded: tuple[str, ...] = ()
    clock: bool = False
    selected: tuple[str, ...] = ()
    filter: str = ""
    count: str = ""
    notice: Notice | None = None
    fault: Notice | None = None
    unsaved: tuple[str, ...] = ()
    masked: bool = False
    mode: Mode = None


class ViewChanges(TypedDict, total=False):
    """The fields of a View that a key changes, so that a pane or a mode that does not exist is found by mypy."""

    focus: Pane | None
    rows: Pane | None
    zoom: bool
    track: str
    roster: str
    card: str
    tops: Mapping[Pane, int]
    log: int
    folded: tuple[str, ...]
    clock: bool
    selected: tuple[str, ...]
    filter: str
    count: str
    notice: Notice | None
    fault: Notice | None
    unsaved: tuple[str, ...]
    masked: bool
    mode: Mode

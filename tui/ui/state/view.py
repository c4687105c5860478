"""Hold what the game master looks at and is doing: one frozen value, replaced with every key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, assert_never

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import RollAsk
from tui.ui.state.layout import Pane
from tui.ui.text.editor import Editor
from tui.ui.text.form import Filling
from tui.ui.text.palette import Role


class Explained(Struct, frozen=True):
    """An entry of the help: the part it is in, what it explains, and how; `also` are other words for it.

    `chapter` is the Markdown of a chapter of the manual, which is searched too, and opened by Enter.
    """

    part: str
    head: str
    text: str
    also: str = ""
    chapter: str = ""


class Manual(Struct, frozen=True):
    """The help: letters search keys, words, rules and chapters. `at` is the current entry of those shown."""

    entries: tuple[Explained, ...]
    typed: str = ""
    at: int = 0

    @property
    def shown(self) -> tuple[Explained, ...]:
        """The entries that hold all that was typed; of each part those first whose head does."""
        words = self.typed.lower().split()
        if not words:
            return self.entries
        entries = [
            e
            for e in self.entries
            if all(w in f"{e.head} {e.text} {e.also} {e.chapter}".lower() for w in words)
        ]
        places = {part: place for place, part in enumerate(dict.fromkeys(e.part for e in self.entries))}
        asked = " ".join(words)
        named = {e.part for e in entries if e.head.lower() == asked}

        def order(e: Explained) -> tuple[bool, int, bool, bool]:
            head = e.head.lower()
            return e.part not in named, places[e.part], head != asked, not any(w in head for w in words)

        return tuple(sorted(entries, key=order))


PromptKind = Literal["line", "filter", "points", "condition", "add", "aim", "attack", "party"]


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


class Prompt(Struct, frozen=True):
    """The one-line prompt. `kind` says which single keys mean something in it.

    `stem` is what it was opened with; `members` are lines it may be opened with instead (one for each member
    of a group, the whole group last); `back` counts how far Up has gone into what was typed before, `typed`
    is what stood here then, `came` the line of a paste that Up has brought; `offers` are what Tab goes
    through, `offer` the one shown; `preview` says what Enter would do.
    """

    kind: PromptKind
    editor: Editor = Editor()
    stem: str = ""
    members: tuple[str, ...] = ()
    back: int = 0
    typed: str = ""
    came: str = ""
    offers: tuple[str, ...] = ()
    offer: int = -1
    preview: str = ""


class Form(Filling, frozen=True):
    """An order being written; with a `verb` it is the form of that verb, and `who` is ""."""

    who: str
    verb: str = ""


class PickList(Struct, frozen=True):
    """A due choice being made: keys chosen so far, in order."""

    ask: str
    at: int = 0
    chosen: tuple[str, ...] = ()


class Item(Struct, frozen=True):
    """A line of a menu: its key, what it says, a note beside it, and the line it sends.

    `opens`: the line is put into the prompt instead. `preview` is what would happen, or more of what it is;
    `why_not` why it cannot be done now; `also` are other words that people use for it; `peek` is a line that
    is run when the cursor comes by; `label` is shown in place of the line; `left` is how it stands when it is
    not taken. Items of one `kin` share a row; `instead` is what is given up for one.
    """

    text: str
    line: str
    key: str = ""
    note: str = ""
    opens: bool = False
    preview: str = ""
    why_not: str = ""
    also: str = ""
    peek: str = ""
    label: str = ""
    left: str = ""
    kin: str = ""
    instead: str = ""

    def rank(self, words: Sequence[str]) -> int | None:
        """Return how well it fits what was typed, the best 0; None when a word is missing."""
        named = f"{self.label or self.line} {self.also}".lower()
        text = f"{named} {self.line} {self.text} {self.key} {self.note}".lower()
        if not all(word in text for word in words):
            return None
        first, every = re.split(r"\W+", named), re.split(r"\W+", text)
        costs = (0 if _begun(word, first) else 1 if _begun(word, every) else 2 for word in words)
        return sum(costs) * 2 + bool(self.why_not)


def begins(needle: str, text: str) -> bool:
    """Return whether a word of the text begins with these letters: `or` fits Orc 2 and Half-orc, no Corvo."""
    return re.search(rf"(?<!\w){re.escape(needle)}", text.lower()) is not None


def _begun(word: str, words: Sequence[str]) -> bool:
    return any(x.startswith(word) for x in words)


FILLERS = frozenset({"a", "an", "the", "of", "to", "for", "in", "is", "my"})
"""Words that people write in a search and that say nothing."""


class Menu(Struct, frozen=True):
    """Items to take one of, in the order pane; with `narrow` over the panes, where letters filter them.

    `back` is the line that is run when nothing is taken. `instead` is what is given up, and `turned` says how
    far each kin was turned; "" and nothing stand for the first.
    """

    title: str
    items: tuple[Item, ...]
    at: int = 0
    typed: str = ""
    narrow: bool = False
    back: str = ""
    instead: str = ""
    turned: Mapping[str, int] = {}

    @property
    def given(self) -> tuple[str, ...]:
        """What may be given up, each once."""
        return tuple(dict.fromkeys(i.instead for i in self.items if i.instead))

    @property
    def gives(self) -> str:
        """What is given up now, "" where there is no choice."""
        return self.instead or next(iter(self.given), "")

    def giving(self, instead: str) -> Menu:
        """Return the menu with something else given up; what was turned to stays, where it can be had."""
        other = replace(self, instead=instead, turned={})
        turned = {}
        for kin, by in self.turned.items():
            some = self.of_kin(kin)
            chosen = some[by % len(some)].text if some else ""
            if (
                place := next((n for n, i in enumerate(other.of_kin(kin)) if i.text == chosen), None)
            ) is not None:
                turned[kin] = place
        return replace(other, turned=turned)

    def of_kin(self, kin: str) -> tuple[Item, ...]:
        """Return the items that share a row."""
        return tuple(i for i in self.items if kin and i.kin == kin and i.instead in ("", self.gives))

    @property
    def rows(self) -> tuple[Item, ...]:
        """A row for each kin, and the items without one."""
        items: dict[str, Item] = {}
        for number, i in enumerate(self.items):
            if i.instead in ("", self.gives):
                some = self.of_kin(i.kin) or (i,)
                items.setdefault(i.kin or f" {number}", some[self.turned.get(i.kin, 0) % len(some)])
        return tuple(items.values())

    @property
    def shown(self) -> tuple[Item, ...]:
        """The items that are left, those that fit best first."""
        every = self.typed.lower().split()
        words = [word for word in every if word not in FILLERS] or every
        rows = self.rows
        pairs = [(rank, number) for number, i in enumerate(rows) if (rank := i.rank(words)) is not None]
        return tuple(rows[number] for _, number in (sorted(pairs) if words else pairs))


class Page(Struct, frozen=True):
    """Something to read from line `top` on, over the panes or (`beside`) in the order pane.

    Esc leads to `back`. `asks` is a question in the Now line: only `y` says yes, and then `line` is run,
    or the form behind is sent.
    """

    title: str
    text: tuple[str, ...]
    top: int = 0
    beside: bool = False
    back: Manual | Form | None = None
    asks: str = ""
    line: str = ""

    def scrolled(self, by: int) -> Page:
        """Return the page moved by rows: the bound is rough, because its last row depends on the width."""
        return replace(self, top=max(0, min(len(self.text) * 4, self.top + by)))


class StepPage(Struct, frozen=True):
    """A step of the log with its messages, and the lines `after` that going there would undo or bring back.

    `asking`: whether to go there is being asked.
    """

    step: int
    title: str
    texts: tuple[str, ...]
    after: tuple[str, ...] = ()
    top: int = 0
    asking: bool = False


class ImportPreview(Struct, frozen=True):
    """An import that is shown from line `top` on; its state is another value, which a thread renews."""

    top: int = 0


class RollList(Struct, frozen=True):
    """Owed rolls being answered with what was called at the table, a row for each roll.

    `seen` are the rolls that were owed since step `begun`, in the order of their rows; `called` is what was
    answered, by the key of the roll. `at` is the key of the current row, `editor` its text; `faces`: the
    numbers are faces of the dice, else totals; `refused`: the text was, and what is typed next replaces it.
    """

    begun: int
    seen: tuple[RollAsk, ...] = ()
    at: str = ""
    called: Mapping[str, str] = {}
    faces: bool = False
    editor: Editor = Editor()
    refused: bool = False


Mode = Prompt | Form | PickList | Menu | Page | StepPage | Manual | ImportPreview | RollList | None


def lies_over(mode: Mode) -> bool:
    """Return whether it stands over the panes, and not in one of them."""
    match mode:
        case Page(beside=beside):
            return not beside
        case Menu(narrow=narrow):
            return narrow
        case StepPage() | Manual() | ImportPreview() | RollList():
            return True
        case Prompt() | Form() | PickList() | None:
            return False
        case never:
            assert_never(never)


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
    mode: Mode = None


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
    mode: Mode

"""A menu: items to take one of, in the order pane, or over the panes and narrowed by typing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.orders import USUAL, Listing, listed
from tui.ui.state.layout import right_of
from tui.ui.state.mode import Where
from tui.ui.state.scene import Scene
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row, cells, clip, column, joined, pad, wrapped

MOST_LETTERS = 100
"""The longest text that narrows a menu."""
MENU = 20
"""Columns for what a menu offers, before its notes."""
NARROWING: Hints = (
    ("letters", "narrow"),
    ("Up/Down", "choose"),
    ("Enter", "take"),
    ("ctrl+u", "all of it"),
    ("Esc", "back"),
)


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


def _begun(word: str, words: Sequence[str]) -> bool:
    return any(x.startswith(word) for x in words)


FILLERS = frozenset({"a", "an", "the", "of", "to", "for", "in", "is", "my"})
"""Words that people write in a search and that say nothing."""


class Menu(KeyMode, frozen=True):
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
    has_keys: ClassVar[bool] = True

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
    def rows_of_kin(self) -> tuple[Item, ...]:
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
        rows = self.rows_of_kin
        pairs = [(rank, number) for number, i in enumerate(rows) if (rank := i.rank(words)) is not None]
        return tuple(rows[number] for _, number in (sorted(pairs) if words else pairs))

    @property
    def where(self) -> Where:
        """Where it stands: long rows take the whole width."""
        if self.narrow:
            return "over"
        return "sheet" if _widest(self) > right_of(USUAL) else "beside"

    @property
    def _at(self) -> int:
        """The place of the current item among those that are shown."""
        return min(self.at, len(self.shown) - 1)

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key."""
        shown = self.shown
        # In a menu that is narrowed by typing every letter is text.
        by_key = next((i for i in shown if i.key and i.key == key.name and not self.narrow), None)
        match key.key:
            case "escape" | "ctrl+c":
                desk.show(mode=None)
                if self.back:
                    desk.submit(self.back)
            case "enter":
                if shown:
                    _take(desk, shown[self._at])
            case "left" | "right" if shown and (kin := shown[self._at].kin):
                by = self.turned.get(kin, 0) + (1 if key.key == "right" else -1)
                desk.show(mode=replace(self, turned={**self.turned, kin: by}))
            case "tab" | "shift+tab" if len(self.given) > 1:
                place = self.given.index(self.gives) + (1 if key.key == "tab" else -1)
                desk.show(mode=self.giving(self.given[place % len(self.given)]))
            case "up" | "down" | "tab" | "shift+tab":
                self._move(desk, -1 if key.key in ("up", "shift+tab") else 1)
            case "backspace":
                desk.show(mode=replace(self, typed=self.typed[:-1], at=0))
            case "ctrl+u" if self.narrow:
                desk.show(mode=replace(self, typed="", at=0))
            case _ if by_key:
                _take(desk, by_key)
            case _ if self.narrow and key.char:
                desk.show(mode=replace(self, typed=(self.typed + key.char)[:MOST_LETTERS], at=0))
            case "j" | "k":
                self._move(desk, 1 if key.key == "j" else -1)
            case _ if by := self._ahead(key.char):
                self._move(desk, by)
            case _:
                desk.say("Enter takes, Esc goes back", "hint")

    def _ahead(self, letter: str) -> int:
        """Return how far it is to the next item that begins with a letter; 0 where none does."""
        shown = self.shown
        steps = range(1, len(shown) + 1)
        begins = (
            by for by in steps if shown[(self._at + by) % len(shown)].text.lower().startswith(letter.lower())
        )
        return next(begins, 0) if letter else 0

    def _move(self, desk: BaseDesk, by: int) -> None:
        if not (shown := self.shown):
            return
        moved = replace(self, at=(self._at + by) % len(shown))
        if line := shown[moved.at].peek:
            desk.submit(line)
        desk.show(mode=moved)

    def need(self, scene: Scene, width: int) -> int:
        """Return the rows that it would like to have."""
        del scene, width
        return len(self.rows_of_kin) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the items around the current one."""
        if self.narrow:
            return _finder(scene, self, box)
        gives = f"gives up: {self.gives}" if len(self.given) > 1 else ""
        listing = Listing(self.title, _menu(scene, self), self.at, more=self.typed or gives)
        return listed(scene, listing, box)

    def hints(self, scene: Scene) -> Hints:
        """Return the keys that mean something."""
        del scene
        if self.narrow:
            return NARROWING
        turns = (("Left/Right", "changes it"),) if any(i.kin for i in self.items) else ()
        gives = (("Tab", "gives up"),) if len(self.given) > 1 else ()
        return (("j/k", "choose"), ("Enter", "take"), *turns, *gives, ("Esc", "back"))

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return what Enter would lead to, and what Esc does."""
        del scene
        if self.narrow or not self.shown:
            return "", ""
        item = self.shown[self._at]
        return item.preview, item.left or "goes back"


def _take(desk: BaseDesk, item: Item) -> None:
    desk.show(mode=None)
    if item.opens:
        desk.open_prompt(item.line)
    else:
        desk.submit(item.line)


def _widest(menu: Menu) -> int:
    """Return the columns of the longest row of a menu."""
    keyed = max((len(item.key) for item in menu.items), default=0)
    wide = min(MENU, max((cells(item.text) for item in menu.items if item.note), default=0))
    rows = (max(wide, cells(item.text)) + (cells(item.note) + 2 if item.note else 0) for item in menu.items)
    return 3 + keyed + max(rows, default=0)


def _menu(scene: Scene, menu: Menu) -> list[Row]:
    shown = menu.shown
    at = min(menu.at, len(shown) - 1)
    keyed = max((len(item.key) for item in shown), default=0)
    # A menu that has the whole width has room for longer titles.
    most = MENU if _widest(menu) <= right_of(USUAL) else 2 * MENU
    texts = [item.text if len(menu.of_kin(item.kin)) < 2 else _turned(scene, item.text) for item in shown]
    wide = min(
        most, max((cells(text) for text, item in zip(texts, shown, strict=True) if item.note), default=0)
    )
    lines: list[Row] = [
        (
            (scene.glyphs.cursor if i == at else " ", "focus"),
            (f" {item.key:<{keyed}} " if keyed else " ", "key"),
            (pad(text, wide) if cells(text) < wide else text, "text"),
            (f"  {item.note}" if item.note else "", "hint"),
        )
        for i, (text, item) in enumerate(zip(texts, shown, strict=True))
    ]
    return lines or [((" nothing has these letters", "muted"),)]


def _turned(scene: Scene, text: str) -> str:
    """Return a text whose last word Left and Right change."""
    head, _, last = text.rpartition(" ")
    return f"{head} {scene.glyphs.less}{last}{scene.glyphs.more}"


BENEATH = 3
"""Rows for what the current line would do, at the most; and a blank one above them."""

LEAST = 6
"""Rows from which on there is room for that."""

LINE = 26
"""Columns for lines, at the most."""


def _finder(scene: Scene, menu: Menu, box: Box) -> list[Row]:
    """Return the title, the items around the current one, and below them what that would do."""
    shown, ellipsis = menu.shown, scene.glyphs.ellipsis
    at = min(menu.at, len(shown) - 1)
    beneath = _finder_preview(shown[at], box, ellipsis) if shown else []
    wide = min(LINE, max((cells(i.label or i.line) for i in shown), default=0), box.width // 3)
    keyed = max((cells(i.key) for i in shown), default=0)
    rows = [
        ((scene.glyphs.cursor if n == at else " ", "focus"), *_item(i, keyed, wide, ellipsis, on=n == at))
        for n, i in enumerate(shown)
    ]
    more = ("best first" if menu.typed else "") if shown else "nothing has these letters"
    listing = Listing(f"{menu.title}: {menu.typed}_", rows, max(0, at), more=more)
    return [*listed(scene, listing, replace(box, height=box.height - len(beneath))), *beneath]


def _item(item: Item, keyed: int, wide: int, ellipsis: str, *, on: bool) -> Row:
    role: Role = "muted" if item.why_not else "title" if on else "text"
    return (
        (" ", "text"),
        column(item.key, keyed, "key", ellipsis),
        column(item.label or item.line, wide, role, ellipsis),
        (f" now {item.note} " if item.note else "", "hint"),
        (f" {item.text}", "muted" if item.why_not else "text"),
        (f"  not now: {item.why_not}" if item.why_not else "", "warning"),
    )


def _finder_preview(item: Item, box: Box, ellipsis: str) -> list[Row]:
    """Return what it would do, or why it cannot be done, where there is room."""
    text = f"Not now: {item.why_not}" if item.why_not else item.preview
    if not text or box.height < LEAST:
        return []
    role: Role = "warning" if item.why_not else "hint"
    rows = joined(wrapped(text, box.width - 4), BENEATH)
    return [(), *(clip(((f"   {row}", role),), box.width, ellipsis) for row in rows)]

"""The help: typing searches keys, words, rules, chapters and creatures; Enter opens an entry whole."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from tui.manual import write_plain_chapter
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.adding import describe_whole, supply_of
from tui.ui.modes.menu import MOST_LETTERS
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.modes.page import Page
from tui.ui.modes.texts import MOMENT, Explained
from tui.ui.panes.creatures import focus_title
from tui.ui.state.scene import Scene
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, cells, clip, column, limit_rows, pad_rows, wrap_text

CHAPTER_WIDTH = 78
"""The width of a chapter's lines in columns, for a screen of 80; narrower screens wrap them again."""
HEAD_WIDTH = 18
"""The most columns for the headings of entries."""

MOST_ROWS = 3
"""The most rows of an entry that is not in focus; Enter opens it whole."""


class HelpPage(Page, frozen=True):
    """An entry of the help or a chapter, read on the whole screen."""

    covers: ClassVar[Literal["panes", "all"]] = "all"


class Manual(KeyMode, frozen=True):
    """The help, searched by typing."""

    entries: tuple[Explained, ...]
    search: str = ""
    """The search text."""
    at: int = 0
    """The index of the entry in focus in `visible_entries`."""
    lacks_creatures: bool = False
    """Whether the creatures of library and box, which are searched too, have yet to be read."""
    covers: ClassVar[Literal["panes", "all"]] = "all"
    HINTS: ClassVar[Hints] = (
        ("letters", "search"),
        ("Up/Down", "choose"),
        ("Enter", "open"),
        ("ctrl+u", "all of it"),
        ("Esc", "back"),
    )

    @property
    def visible_entries(self) -> tuple[Explained, ...]:
        """The entries with all typed words: a chapter of that name first, then by part, headings first."""
        words = self._words
        if not words:
            return tuple(e for e in self.entries if not e.creature)
        # What is typed is looked for once, among all keys.
        entries = [e for e in self.entries if e.part != MOMENT and all(map(e.has, words))]
        places = {part: place for place, part in enumerate(dict.fromkeys(e.part for e in self.entries))}
        topic = " ".join(words)
        parts = {e.part for e in entries if e.head.lower() == topic}

        def order(e: Explained) -> tuple[bool, bool, int, bool, bool]:
            head, called = e.head.lower(), bool(e.chapter and e.chapter.is_called(topic))
            return (
                not called,
                e.part not in parts,
                places[e.part],
                head != topic,
                not any(w in head for w in words),
            )

        return tuple(sorted(entries, key=order))

    @property
    def _words(self) -> list[str]:
        """The typed words in lower case, without the leading `/` with which other programs search."""
        return [word.lstrip("/") or word for word in self.search.lower().split()]

    @property
    def _at(self) -> int:
        return min(self.at, len(self.visible_entries) - 1)

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key: typing searches, arrows move, Enter opens an entry."""
        match key.key:
            case "escape" | "ctrl+c" | "f1":
                desk.dismiss()
            case "up" | "down" | "pageup" | "pagedown" | "home" | "end" | "tab" | "shift+tab":
                by = {"up": -1, "shift+tab": -1, "down": 1, "tab": 1}.get(key.key) or STEPS[key.key]
                desk.show(mode=replace(self, at=max(0, min(len(self.visible_entries) - 1, self._at + by))))
            case "enter" if self.visible_entries:
                desk.show(mode=self._open_entry(self.visible_entries[self._at]))
            case "backspace":
                desk.show(mode=replace(self, search=self.search[:-1], at=0))
            case "ctrl+u":
                desk.show(mode=replace(self, search="", at=0))
            case _ if key.char:
                desk.show(mode=self.search_for(desk, (self.search + key.char)[:MOST_LETTERS]))
            case _:
                desk.notify("type to search, Enter opens, Esc goes back", "hint")

    def search_for(self, desk: BaseDesk, text: str) -> Manual:
        """Return the help searched for a text; the creatures are read with its first letter."""
        if not text or not self.lacks_creatures:
            return replace(self, search=text, at=0)
        known = supply_of(desk.store).names()
        some = (Explained("Creatures", x.name, x.title, creature=x) for x in known)
        return replace(self, entries=(*self.entries, *some), search=text, at=0, lacks_creatures=False)

    def _open_entry(self, entry: Explained) -> HelpPage:
        """Return the page of an entry; a chapter opens at the first line with the typed words.

        A chapter found by its own name opens at its beginning.
        """
        if entry.creature:
            return HelpPage(entry.head, describe_whole(entry.creature), back=self)
        if not entry.chapter:
            return HelpPage(entry.head, tuple(x for x in (entry.text, entry.part) if x), back=self)
        lines = tuple(write_plain_chapter(entry.chapter.text, CHAPTER_WIDTH))
        # A chapter that was asked for by its name begins at its beginning, not at a line with that name.
        words = [] if entry.chapter.is_called(self.search) else self._words
        first = next(
            (n for n, line in enumerate(lines) if words and all(w in line.lower() for w in words)), 0
        )
        return HelpPage(entry.text, lines, first, back=self)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the entries around the one in focus, each part with its title."""
        shown, at = self.visible_entries, self._at
        span = f"{at + 1} of {len(shown)} in keys, words, rules, chapters" if shown else "nothing matches"
        head = focus_title(scene, f"Help: {self.search}_", box.width, span)
        room = max(0, box.height - 1)
        rows, first, last = _rows_around(scene, shown, at, (box.width, room))
        top = max(0, min(first, last - room)) if last > room else 0
        return pad_rows([head, *rows[top : top + room]], box.height)


def _rows_around(
    scene: Scene, shown: tuple[Explained, ...], at: int, size: tuple[int, int]
) -> tuple[list[Row], int, int]:
    """Return rows around the entry in focus, the first of its rows that must be shown, and the row after."""
    width, room = size
    wide = max((min(HEAD_WIDTH, cells(e.head)) for e in shown), default=0)
    begin = max(0, at - room)  # entries that cannot be seen are not laid out
    rows: list[Row] = []
    first = last = 0
    for number, entry in enumerate(shown[begin : at + room + 1], begin):
        start = len(rows)
        if number == begin or shown[number - 1].part != entry.part:
            rows.append(clip(((f" {entry.part}", "title"),), width, scene.glyphs.ellipsis))
        rows += _entry(scene, entry, width, wide, focused=number == at)
        if number == at:
            first, last = start, len(rows)
    return rows, max(0, min(first, last - room // 2)), last


def _entry(scene: Scene, entry: Explained, width: int, wide: int, *, focused: bool) -> list[Row]:
    ellipsis = scene.glyphs.ellipsis
    texts = limit_rows(wrap_text(entry.text, max(10, width - wide - 4)), MOST_ROWS)
    mark = scene.glyphs.cursor if focused else " "
    rows: list[Row] = []
    for number, text in enumerate(texts or [""]):
        name = column(entry.head if not number else "", wide, "key" if focused else "hint", ellipsis)
        rows.append(
            clip(
                ((mark if not number else " ", "focus"), (" ", "text"), name, (f" {text}", "text")),
                width,
                ellipsis,
            )
        )
    return rows

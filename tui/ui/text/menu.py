"""Items to take one of: those that are shown, the keys that go through them, and their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.glyphs import Glyphs
from tui.ui.text.press import Press
from tui.ui.text.rows import Row, cells, pad

MENU = 20
"""Columns for what a menu offers, before its notes."""


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


class Choices(Struct, frozen=True):
    """Items to take one of, the one `at` the cursor, and the letters `typed` that narrow them.

    `instead` is what is given up, and `turned` says how far each kin was turned; "" and nothing stand for
    the first.
    """

    title: str
    items: tuple[Item, ...]
    at: int = 0
    typed: str = ""
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

    def giving(self, instead: str) -> Self:
        """Return the choices with something else given up; what was turned to stays, where it can be had."""
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
    def place(self) -> int:
        """The place of the current item among those that are shown."""
        return min(self.at, len(self.shown) - 1)

    def moved(self, key: Press) -> Self | None:
        """Return the choices after a key that goes through them; None for another key."""
        shown = self.shown
        match key.key:
            case "left" | "right" if shown and (kin := shown[self.place].kin):
                by = self.turned.get(kin, 0) + (1 if key.key == "right" else -1)
                return replace(self, turned={**self.turned, kin: by})
            case "tab" | "shift+tab" if len(self.given) > 1:
                place = self.given.index(self.gives) + (1 if key.key == "tab" else -1)
                return self.giving(self.given[place % len(self.given)])
            case "up" | "shift+tab" | "k":
                by = -1
            case "down" | "tab" | "j":
                by = 1
            case _ if not (by := self._ahead(key.char)):
                return None
        return replace(self, at=(self.place + by) % len(shown)) if shown else self

    def _ahead(self, letter: str) -> int:
        """Return how far it is to the next item that begins with a letter; 0 where none does."""
        shown = self.shown
        steps = range(1, len(shown) + 1)
        begins = (
            by
            for by in steps
            if shown[(self.place + by) % len(shown)].text.lower().startswith(letter.lower())
        )
        return next(begins, 0) if letter else 0


def choice_rows(choices: Choices, glyphs: Glyphs, most: int = MENU) -> list[Row]:
    """Return a row for each item that is shown; `most` columns are kept for titles before notes."""
    shown = choices.shown
    at = choices.place
    keyed = max((len(item.key) for item in shown), default=0)
    texts = [item.text if len(choices.of_kin(item.kin)) < 2 else _turned(glyphs, item.text) for item in shown]
    wide = min(
        most, max((cells(text) for text, item in zip(texts, shown, strict=True) if item.note), default=0)
    )
    lines: list[Row] = [
        (
            (glyphs.cursor if i == at else " ", "focus"),
            (f" {item.key:<{keyed}} " if keyed else " ", "key"),
            (pad(text, wide) if cells(text) < wide else text, "text"),
            (f"  {item.note}" if item.note else "", "hint"),
        )
        for i, (text, item) in enumerate(zip(texts, shown, strict=True))
    ]
    return lines or [((" nothing has these letters", "muted"),)]


def _turned(glyphs: Glyphs, text: str) -> str:
    """Return a text whose last word Left and Right change."""
    head, _, last = text.rpartition(" ")
    return f"{head} {glyphs.less}{last}{glyphs.more}"

"""Hold the items of a menu: which are shown, which keys go through them, and their rows."""

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
"""Columns for the text of an item, before its note."""


class Item(Struct, frozen=True):
    """A line of a menu."""

    text: str
    """What it does, in words."""
    line: str
    """The command line that it sends."""
    key: str = ""
    """The key that takes it, "" for none."""
    note: str = ""
    """A note beside it: in a menu that is narrowed by typing, what holds now."""
    opens: bool = False
    """Whether the line goes into the prompt instead of being sent."""
    preview: str = ""
    """What would happen, or a longer description."""
    why_not: str = ""
    """Why it cannot be done now, "" if it can."""
    also: str = ""
    """Other words that a search finds it by."""
    peek: str = ""
    """A line that is run when the cursor reaches it."""
    label: str = ""
    """Shown in place of the line."""
    left: str = ""
    """The value when the item is not taken."""
    kin: str = ""
    """Items of the same kind share one row; Left and Right change between them."""
    price: str = ""
    """What is given up in exchange for it."""

    def rank(self, words: Sequence[str]) -> int | None:
        """Return how well it matches the typed words, 0 for best, or None if a word is missing."""
        named = f"{self.label or self.line} {self.also}".lower()
        text = f"{named} {self.line} {self.text} {self.key} {self.note}".lower()
        if not all(word in text for word in words):
            return None
        first, every = re.split(r"\W+", named), re.split(r"\W+", text)
        costs = (0 if _begins_any(word, first) else 1 if _begins_any(word, every) else 2 for word in words)
        return sum(costs) * 2 + bool(self.why_not)


def _begins_any(word: str, words: Sequence[str]) -> bool:
    return any(x.startswith(word) for x in words)


FILLERS = frozenset({"a", "an", "the", "of", "to", "for", "in", "is", "my"})
"""Words that a search ignores."""


class Choices(Struct, frozen=True):
    """Items to choose one from, narrowed by typed characters."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    """The index of the row in focus."""
    search: str = ""
    """The characters that narrow the items."""
    price: str = ""
    """What is given up in exchange, "" for the first."""
    turns: Mapping[str, int] = {}
    """For each kind of item, how far Left and Right have turned it."""

    @property
    def prices(self) -> tuple[str, ...]:
        """Everything that can be given up in exchange, each once."""
        return tuple(dict.fromkeys(i.price for i in self.items if i.price))

    @property
    def current_price(self) -> str:
        """What is given up now, "" if there is no choice."""
        return self.price or next(iter(self.prices), "")

    def with_price(self, price: str) -> Self:
        """Return the choices with something else given up; turned items stay if they are offered."""
        other = replace(self, price=price, turns={})
        turned = {}
        for kin, by in self.turns.items():
            some = self.of_kin(kin)
            chosen = some[by % len(some)].text if some else ""
            if (
                place := next((n for n, i in enumerate(other.of_kin(kin)) if i.text == chosen), None)
            ) is not None:
                turned[kin] = place
        return replace(other, turns=turned)

    def of_kin(self, kin: str) -> tuple[Item, ...]:
        """Return the items that share a row."""
        return tuple(i for i in self.items if kin and i.kin == kin and i.price in ("", self.current_price))

    @property
    def rows_of_kin(self) -> tuple[Item, ...]:
        """One item per row: for each kind the one turned to, and each item without a kind."""
        items: dict[str, Item] = {}
        for number, i in enumerate(self.items):
            if i.price in ("", self.current_price):
                some = self.of_kin(i.kin) or (i,)
                items.setdefault(i.kin or f" {number}", some[self.turns.get(i.kin, 0) % len(some)])
        return tuple(items.values())

    @property
    def visible_items(self) -> tuple[Item, ...]:
        """The items that match what is typed, best matches first."""
        every = self.search.lower().split()
        words = [word for word in every if word not in FILLERS] or every
        rows = self.rows_of_kin
        pairs = [(rank, number) for number, i in enumerate(rows) if (rank := i.rank(words)) is not None]
        return tuple(rows[number] for _, number in (sorted(pairs) if words else pairs))

    @property
    def place(self) -> int:
        """The index of the item in focus among `shown`."""
        return min(self.at, len(self.visible_items) - 1)

    def press_key(self, key: Press) -> Self | None:
        """Return the choices after a key that moves through them, or None for another key."""
        shown = self.visible_items
        match key.key:
            case "left" | "right" if shown and (kin := shown[self.place].kin):
                by = self.turns.get(kin, 0) + (1 if key.key == "right" else -1)
                return replace(self, turns={**self.turns, kin: by})
            case "tab" | "shift+tab" if len(self.prices) > 1:
                place = self.prices.index(self.current_price) + (1 if key.key == "tab" else -1)
                return self.with_price(self.prices[place % len(self.prices)])
            case "up" | "shift+tab" | "k":
                by = -1
            case "down" | "tab" | "j":
                by = 1
            case _ if not (by := self._ahead(key.char)):
                return None
        return replace(self, at=(self.place + by) % len(shown)) if shown else self

    def _ahead(self, letter: str) -> int:
        """Return how many rows ahead the next item that begins with a character is, 0 for none."""
        shown = self.visible_items
        steps = range(1, len(shown) + 1)
        begins = (
            by
            for by in steps
            if shown[(self.place + by) % len(shown)].text.lower().startswith(letter.lower())
        )
        return next(begins, 0) if letter else 0


def choice_rows(choices: Choices, glyphs: Glyphs, most: int = MENU) -> list[Row]:
    """Return a row for each item shown; `most` is the width of texts before notes."""
    shown = choices.visible_items
    at = choices.place
    keyed = max((len(item.key) for item in shown), default=0)
    texts = [
        item.text if len(choices.of_kin(item.kin)) < 2 else _mark_turn(glyphs, item.text) for item in shown
    ]
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
    return lines or [((" nothing matches", "muted"),)]


def _mark_turn(glyphs: Glyphs, text: str) -> str:
    """Return a text with arrows around its last word, which Left and Right change."""
    head, _, last = text.rpartition(" ")
    return f"{head} {glyphs.less}{last}{glyphs.more}"

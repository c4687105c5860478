"""The items of a menu: which are shown, which keys move between them, and their rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from tui.core.language.spoken import VERBS_BY_SYNONYM
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.press import DIGITS, STEPS, Press
from tui.ui.text.rows import Row, cells, pad

ITEM_WIDTH = 20
"""Columns for the text of an item, before its note."""


class Item(Struct, frozen=True):
    """A line of a menu."""

    text: str
    """The description of the item."""
    line: str
    """The command line that the item sends."""
    key: str = ""
    """The key that picks the item, "" for none."""
    note: str = ""
    """A note after the text, "" for none; in a searchable menu the current value."""
    opens: bool = False
    """Whether the line is put into the prompt instead of being sent."""
    preview: str = ""
    """A longer description, or what would happen, "" for none."""
    why_not: str = ""
    """Why the item cannot be picked now, "" if it can."""
    also: str = ""
    """Further words by which a search finds the item."""
    label: str = ""
    """The text in place of the line, "" to show the line."""
    left: str = ""
    """The value of the field if the item is not picked."""
    kin: str = ""
    """Items with the same `kin` share one row, where Left and Right change between them; "" for a row of its
    own."""
    price: str = ""
    """What is given up for the item, such as the action; "" if nothing."""
    by_name: bool = False
    """Whether the item is shown only if all typed words begin words of its label."""

    def rank(self, words: Sequence[str]) -> int | None:
        """Return the rank of the item for typed words, 0 for the best match; None if a word is missing."""
        if self.by_name:
            own = self.label.lower().split()
            return 1 if words and all(_begins_any(word, own) for word in words) else None
        named = f"{self.label or self.line} {self.also}".lower()
        text = f"{named} {self.line} {self.text} {self.key} {self.note}".lower()
        if not all(word in text for word in words):
            return None
        verb = named.split(" ", 1)[0]
        first, every = re.split(r"\W+", named), re.split(r"\W+", text)
        # The word itself goes before what the line would answer it with, and both before what it begins.
        signs = (
            (
                word == verb,
                verb == VERBS_BY_SYNONYM.get(word),
                _begins_any(word, first),
                _begins_any(word, every),
            )
            for word in words
        )
        return sum((*sign, True).index(True) for sign in signs) * 2 + bool(self.why_not)


def _begins_any(word: str, words: Sequence[str]) -> bool:
    return any(x.startswith(word) for x in words)


def digit_key(number: int) -> str:
    """Return the digit that takes a row of a list, from 1; "" for the tenth row and later ones."""
    return str(number) if number < 10 else ""


FILLER_WORDS = frozenset({"a", "an", "the", "of", "to", "for", "in", "is", "my"})
"""Words that a search ignores."""


class Choices(Struct, frozen=True):
    """Items to choose one from, narrowed by typed characters."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    """The index of the item in focus."""
    search: str = ""
    """The typed characters that narrow the items."""
    typed: str = ""
    """The characters typed one after the other that go to an item."""
    price: str = ""
    """The `price` that was picked, "" for the first of `prices`."""
    turns: Mapping[str, int] = {}
    """How many steps Left and Right have gone in each `kin`; negative to the left."""

    @property
    def prices(self) -> tuple[str, ...]:
        """The different prices of the items, in their order."""
        return tuple(dict.fromkeys(i.price for i in self.items if i.price))

    @property
    def current_price(self) -> str:
        """The price that the shown items have, "" if no item has one."""
        return self.price or next(iter(self.prices), "")

    def with_price(self, price: str) -> Self:
        """Return the choices with another price; the row in focus stays, and what each row is turned to."""
        other = replace(self, price=price, turns={})
        turned = {}
        for kin, by in self.turns.items():
            some = self.of_kin(kin)
            chosen = some[by % len(some)].text if some else ""
            if (
                place := next((n for n, i in enumerate(other.of_kin(kin)) if i.text == chosen), None)
            ) is not None:
                turned[kin] = place
        made, shown = replace(other, turns=turned), self.visible_items
        focused = (shown[self.highlighted].kin or shown[self.highlighted].text) if shown else ""
        at = (n for n, i in enumerate(made.visible_items) if (i.kin or i.text) == focused)
        return replace(made, at=next(at, self.at))

    def of_kin(self, kin: str) -> tuple[Item, ...]:
        """Return the items of a `kin` that have no price or the current one."""
        return tuple(i for i in self.items if kin and i.kin == kin and i.price in ("", self.current_price))

    @property
    def rows_of_kin(self) -> tuple[Item, ...]:
        """One item per row: of each `kin` the item turned to, and every item without a `kin`."""
        price = self.current_price
        shown = [i for i in self.items if i.price in ("", price)]
        kins: dict[str, list[Item]] = {}
        for number, i in enumerate(shown):
            kins.setdefault(i.kin or f" {number}", []).append(i)
        return tuple(some[self.turns.get(kin, 0) % len(some)] for kin, some in kins.items())

    @property
    def visible_items(self) -> tuple[Item, ...]:
        """The items that match what is typed, best matches first."""
        every = self.search.lower().split()
        words = [word for word in every if word not in FILLER_WORDS] or every
        rows = self.rows_of_kin
        if not words:
            return tuple(i for i in rows if not i.by_name)
        pairs = [(rank, number) for number, i in enumerate(rows) if (rank := i.rank(words)) is not None]
        return tuple(rows[number] for _, number in sorted(pairs))

    @property
    def highlighted(self) -> int:
        """The index of the item in focus in `visible_items`."""
        return min(self.at, len(self.visible_items) - 1)

    def press_key(self, key: Press) -> Self | None:
        """Return the choices after a key that moves through them, or None for another key."""
        shown = self.visible_items
        if not shown:
            return self
        match key.key:
            case "left" | "right" if kin := shown[self.highlighted].kin:
                by = self.turns.get(kin, 0) + (1 if key.key == "right" else -1)
                return replace(self, turns={**self.turns, kin: by})
            case "tab" | "shift+tab" if len(self.prices) > 1:
                place = self.prices.index(self.current_price) + (1 if key.key == "tab" else -1)
                return self.with_price(self.prices[place % len(self.prices)])
            case "tab" | "shift+tab":
                by = 1 if key.key == "tab" else -1
            case "space":
                return self if self.typed else None
            case _:
                if named := self.named(key.char):
                    return named
                if (by := STEPS.get(key.name, 0)) == 0:
                    return None
        return replace(self, at=max(0, min(self.highlighted + by, len(shown) - 1)), typed=key.char)

    def named(self, char: str) -> Self | None:
        """Return the choices with the item in focus that the typed characters name, or None if there is none.

        Characters that named nothing together begin anew. One that also moves (j, k, g, G) names an item only
        together with others.
        """
        for typed in dict.fromkeys((self.typed + char, char)):
            if not char or typed in (*"jkgG", *DIGITS):
                continue
            # A longer text may still name the item in focus; a first letter names the next one.
            first = self.highlighted + (len(typed) == 1)
            places = [n for n, item in enumerate(self.visible_items) if _is_named(item, typed.lower())]
            if places:
                return replace(self, at=next((n for n in places if n >= first), places[0]), typed=typed)
        return None


def _is_named(item: Item, typed: str) -> bool:
    """Return whether a text begins the text of an item, or the words before its number and that number."""
    name = item.text.lower().replace(" ", "")
    kind, letters = name.rstrip(DIGITS), typed.rstrip(DIGITS)
    digits = typed.removeprefix(letters)
    return name.startswith(typed) or (kind.startswith(letters) and name[len(kind) :].startswith(digits))


def choice_rows(choices: Choices, glyphs: Glyphs, most: int = ITEM_WIDTH) -> list[Row]:
    """Return a row for each item shown; `most` is the width of texts before notes."""
    shown = choices.visible_items
    at = choices.highlighted
    keyed = max((len(item.key) for item in shown), default=0)
    texts = [
        _mark_turn(glyphs, item.text) if item.kin and len(choices.of_kin(item.kin)) > 1 else item.text
        for item in shown
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

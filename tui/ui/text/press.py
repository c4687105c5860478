"""Describe a key press, and parse numbers and dice faces that people type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

PAGE_ROWS = 10
"""Rows that Page Up and Page Down scroll."""
ALL_ROWS = 10**6
STEPS = {
    "up": -1,
    "k": -1,
    "down": 1,
    "j": 1,
    "pageup": -PAGE_ROWS,
    "pagedown": PAGE_ROWS,
    "space": PAGE_ROWS,
    "g": -ALL_ROWS,
    "home": -ALL_ROWS,
    "G": ALL_ROWS,
    "end": ALL_ROWS,
}
"""Rows by which each key scrolls a text."""


class Press(Struct, frozen=True):
    """A key press."""

    key: str
    """The name of the key, as Textual has it."""
    char: str = ""
    """The character that the key types, "" for none."""

    @property
    def name(self) -> str:
        """The name of the key in the table of commands."""
        return self.char if self.char and self.char != " " else self.key

    @property
    def without_repeat(self) -> Press:
        """Return Enter for ctrl+j, which terminals send for an Enter before the screen was up."""
        return Press("enter") if self.key == "ctrl+j" else self


DIGITS = "0123456789"
"""The digits that count as numbers; other keys such as `²` do not."""

MOST_DIGITS = 9


def number(text: str, most: int = 10**MOST_DIGITS - 1) -> int | None:
    """Return the number in a text of digits, at most `most`, or None for any other text."""
    if not text or not set(text) <= set(DIGITS):
        return None
    shown = text.lstrip("0") or "0"
    return min(most, int(shown)) if len(shown) <= MOST_DIGITS else most


_FACES = re.compile(r"[0-9]+(?:[ ,]+[0-9]+)*")
MOST_FACES = 1_000


def read_faces(text: str, dice: Sequence[int]) -> tuple[int, ...] | None:
    """Return the faces in a text, or None if it holds anything but numbers.

    Digits without spaces (`53` for two d6) are split if exactly one way fits. Otherwise they are read as one
    number, so that the rules can refuse it.
    """
    words = text.strip(" ,")
    if not words:
        return ()
    if not _FACES.fullmatch(words):
        return None
    parts = [number(part) or 0 for part in re.split("[ ,]+", words)[:MOST_FACES]]
    if len(parts) != 1 or len(dice) == 1 or len(words) > MOST_DIGITS:
        return tuple(parts)
    splits = _splits(words, dice)
    # Two readings would be a guess: the number stays as typed, and the rules refuse it.
    return splits[0] if len(splits) == 1 else tuple(parts)


def _splits(digits: str, dice: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the first two ways to split digits into one face for each die; fewer if there are not two."""
    if not dice:
        return [()] if not digits else []
    result: list[tuple[int, ...]] = []
    for size in (1, 2, 3):
        head = digits[:size]
        # No die shows a 0, so a zero can only be the end of a 10 or a 20.
        if len(head) == size and head[0] != "0" and int(head) <= dice[0]:
            result += [(int(head), *rest) for rest in _splits(digits[size:], dice[1:])]
        if len(result) > 1:
            break
    return result

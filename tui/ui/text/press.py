"""Hold one key press, and parse the numbers and dice faces that people type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

PAGE = 10
"""Rows that a key for a page scrolls."""
ALL = 10**6
STEPS = {
    "up": -1,
    "k": -1,
    "down": 1,
    "j": 1,
    "pageup": -PAGE,
    "pagedown": PAGE,
    "space": PAGE,
    "g": -ALL,
    "home": -ALL,
    "G": ALL,
    "end": ALL,
}
"""Rows by which a key scrolls what is read."""


class Press(Struct, frozen=True):
    """A key: its name, and the character it types, if any."""

    key: str
    char: str = ""

    @classmethod
    def named(cls, name: str) -> Press:
        """Return the key of a name: a character, or the word for a key that types none."""
        return cls(name, " " if name == "space" else name if len(name) == 1 else "")

    @property
    def name(self) -> str:
        """What the table of commands calls it."""
        return self.char if self.char and self.char != " " else self.key

    @property
    def settled(self) -> Press:
        """Return Enter for ctrl+j: before the screen was up, the terminal made a line break of Enter."""
        return Press("enter") if self.key == "ctrl+j" else self


DIGITS = "0123456789"
"""What a digit key types. A keyboard has others, such as the `²` of a French one: they are no numbers."""

MOST_DIGITS = 9


def number(text: str, most: int = 10**MOST_DIGITS - 1) -> int | None:
    """Return the number that a text of digits says, at most `most`; None for any other text."""
    if not text or not set(text) <= set(DIGITS):
        return None
    shown = text.lstrip("0") or "0"
    return min(most, int(shown)) if len(shown) <= MOST_DIGITS else most


LONGEST_TURN = 3_600
"""Seconds that a limit for turns may be."""

_FACES = re.compile(r"[0-9]+(?:[ ,]+[0-9]+)*")
MOST_FACES = 1_000


def read_faces(text: str, dice: Sequence[int]) -> tuple[int, ...] | None:
    """Return the faces in a text; None when it holds anything but numbers, so that it is not taken for faces.

    Digits run together (`53` for two d6) are taken apart where only one way fits. What fits no way is
    read as one number, so that the rules can say what is wrong with it.
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
    # Two readings are a guess about someone's dice: the number is left as typed, and the rules refuse it.
    return splits[0] if len(splits) == 1 else tuple(parts)


def _splits(digits: str, dice: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every way to read digits as one face of each die; no more than two are looked for."""
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

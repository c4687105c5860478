"""Finding rows that only moved up or down, so that the terminal can move them itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tui.ui.wire.grid import CellRow
from tui.ui.wire.moves import address

FARTHEST: Final = 8
"""Rows a block may have moved; a longer way leaves so much new that it is drawn anyway."""


class Scroll(NamedTuple):
    """Rows top … bottom move by `by` rows: positive up, negative down."""

    top: int
    bottom: int
    by: int

    def sequence(self, *, linefeed: bool) -> str:
        """Margins, index or reverse index at one of them, margins off.

        Nobody knows where the cursor is afterwards. SU and SD would be three bytes shorter, but the Linux
        console and some emulators do not know them.
        """
        edge, index = (self.bottom, "\n" if linefeed else "\x1bD") if self.by > 0 else (self.top, "\x1bM")
        return f"\x1b[{self.top + 1};{self.bottom + 1}r{address(edge, 0)}{index * abs(self.by)}\x1b[r"

    def applied(self, rows: Sequence[CellRow], fresh: CellRow) -> list[CellRow]:
        """The rows as they stand after the shift, uncovered ones being `fresh`."""
        block = list(rows[self.top : self.bottom + 1])
        new = [fresh] * abs(self.by)
        moved = block[self.by :] + new if self.by > 0 else new + block[: self.by]
        return [*rows[: self.top], *moved, *rows[self.bottom + 1 :]]


def _worth(row: CellRow) -> bool:
    """Whether a row costs more to draw than a word or two."""
    return sum(text != " " for text in row.texts) > 8


def _runs(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int], by: int) -> list[Scroll]:
    """The blocks of changed rows that stood `by` rows lower before."""
    hits = [y for y in changed if 0 <= y + by < len(old) and new[y].same(old[y + by])]
    found: list[Scroll] = []
    start = 0
    for i, y in enumerate(hits):
        if i + 1 == len(hits) or hits[i + 1] != y + 1:
            # Blank rows match each other everywhere, and moving them earns nothing.
            if any(_worth(new[row]) for row in hits[start : i + 1]):
                found.append(Scroll(hits[start] + min(by, 0), y + max(by, 0), by))
            start = i + 1
    return found


def find(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int]) -> Scroll | None:
    """The shift that puts most rows in place, or None; the caller weighs its cost."""
    ways = [shift for by in range(-FARTHEST, FARTHEST + 1) if by for shift in _runs(old, new, changed, by)]
    # Rows put in place, less the rows that the shift uncovers and that must be drawn.
    return max(ways, key=lambda shift: shift.bottom - shift.top - 2 * abs(shift.by), default=None)

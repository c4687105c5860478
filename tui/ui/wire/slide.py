"""Finding the end of a line that only moved left or right, so that the terminal can move it itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tui.ui.wire.cells import doubtful
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import PLAIN, Pen

LONG: Final = 8
"""Columns that must have moved together; fewer are sooner drawn."""


class Slide(NamedTuple):
    """From column `at` on `by` columns are taken out (positive) or put in (negative)."""

    at: int
    by: int

    def sequence(self) -> str:
        """DCH or ICH; the cursor is at the column and stays there."""
        count = abs(self.by) if abs(self.by) > 1 else ""
        return f"\x1b[{count}{'P' if self.by > 0 else '@'}"

    def applied(self, row: CellRow, fresh: str | None) -> CellRow:
        """The row as it stands after the slide, uncovered cells being `fresh` in the plain pen."""
        texts, pens, at, count = row.texts, row.pens, self.at, abs(self.by)
        new: list[str | None] = [fresh] * count
        plain: list[Pen] = [PLAIN] * count
        if self.by > 0:
            return CellRow(texts[:at] + texts[at + count :] + new, pens[:at] + pens[at + count :] + plain)
        end = len(texts) - count
        return CellRow(texts[:at] + new + texts[at:end], pens[:at] + plain + pens[at:end])


def _end(row: CellRow) -> int:
    """The column after the last that is not blank."""
    end = len(row.texts)
    while end and row.texts[end - 1] == " ":
        end -= 1
    return end


def find(old: CellRow, new: CellRow, found: Sequence[int]) -> Slide | None:
    """The slide that keeps the end of the text, if it is long enough and of undisputed width."""
    if None in old.texts:
        return None
    old_end, new_end = _end(old), _end(new)
    by, same = old_end - new_end, 0
    while same < min(old_end, new_end) - found[0] and _equal(
        old, old_end - 1 - same, new, new_end - 1 - same
    ):
        same += 1
    at = min(old_end, new_end) - same
    if not by or same < LONG or old.texts[at] == "" or new.texts[at] == "":
        return None
    # The terminal moves by its own widths: where they are disputed the rest of the line would be off.
    if any(text and text > "~" and doubtful(text) for text in (*old.texts[at:], *new.texts[at:])):
        return None
    return Slide(at, by)


def _equal(old: CellRow, x: int, new: CellRow, y: int) -> bool:
    return old.texts[x] == new.texts[y] and old.pens[x] == new.pens[y]

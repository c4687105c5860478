"""Find the cheapest cursor moves, and rows or line ends that the terminal can shift itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tui.ui.wire.grid import CellRow, doubtful
from tui.ui.wire.pens import PLAIN, Pen


def address(y: int, x: int) -> str:
    """Return the absolute move; a missing number means 1."""
    row, column = str(y + 1) if y else "", f";{x + 1}" if x else ""
    return f"\x1b[{row}{column}H"


def _steps(count: int, one: str, many: str) -> str:
    """Return the shorter of `count` times the short code and the one that takes a number."""
    return min(one * count, f"\x1b[{count if count > 1 else ''}{many}", key=len)


def _across(x0: int | None, x1: int) -> str:
    """Return the shortest move within a row; `x0` None: the column is not known."""
    if x0 == x1:
        return ""
    if x1 == 0:
        return "\r"
    ways = [f"\x1b[{x1 + 1}G", "\r" + _steps(x1, "\x1b[C", "C")]
    if x0 is not None:
        ways.append(_steps(x1 - x0, "\x1b[C", "C") if x1 > x0 else _steps(x0 - x1, "\b", "D"))
    return min(ways, key=len)


def _along(y0: int, y1: int, *, linefeed: bool) -> str:
    """Return the shortest move within a column. A line feed never scrolls here: y1 is on the screen."""
    down = _steps(y1 - y0, "\n" if linefeed else "\x1b[B", "B")
    return min(down if y1 > y0 else _steps(y0 - y1, "\x1bM", "A"), f"\x1b[{y1 + 1}d", key=len)


@lru_cache(maxsize=4096)
def move(start: tuple[int | None, int | None], goal: tuple[int, int], *, linefeed: bool) -> str:
    """Return the shortest sequence from cell `start` to cell `goal`, both (row, column) from 0.

    A row of None is an unknown place; a column of None an unknown column, as after writing the last one,
    where terminals disagree about the cursor. `linefeed`: the line discipline sends line feeds unchanged.
    """
    (y0, x0), (y1, x1) = start, goal
    if (y0, x0) == (y1, x1):
        return ""
    direct = address(y1, x1)
    # Nothing relative can be trusted from an unknown place.
    if y0 is None:
        return direct
    if y0 == y1:
        return min(_across(x0, x1), direct, key=len)
    return min(direct, _along(y0, y1, linefeed=linefeed) + _across(x0, x1), key=len)


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
        """Return the rows as they stand after the shift, uncovered ones being `fresh`."""
        block = list(rows[self.top : self.bottom + 1])
        new = [fresh] * abs(self.by)
        moved = block[self.by :] + new if self.by > 0 else new + block[: self.by]
        return [*rows[: self.top], *moved, *rows[self.bottom + 1 :]]


def _worth(row: CellRow) -> bool:
    """Return whether a row costs more to draw than a word or two."""
    return sum(text != " " for text in row.texts) > 8


def _runs(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int], by: int) -> list[Scroll]:
    """Return the blocks of changed rows that stood `by` rows lower before."""
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


def find_scroll(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int]) -> Scroll | None:
    """Return the shift that puts most rows in place, or None; the caller weighs its cost."""
    ways = [shift for by in range(-FARTHEST, FARTHEST + 1) if by for shift in _runs(old, new, changed, by)]
    # Rows put in place, less the rows that the shift uncovers and that must be drawn.
    return max(ways, key=lambda shift: shift.bottom - shift.top - 2 * abs(shift.by), default=None)


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
        """Return the row as it stands after the slide, uncovered cells being `fresh` in the plain pen."""
        texts, pens, at, count = row.texts, row.pens, self.at, abs(self.by)
        new: list[str | None] = [fresh] * count
        plain: list[Pen] = [PLAIN] * count
        if self.by > 0:
            return CellRow(texts[:at] + texts[at + count :] + new, pens[:at] + pens[at + count :] + plain)
        end = len(texts) - count
        return CellRow(texts[:at] + new + texts[at:end], pens[:at] + plain + pens[at:end])


def _end(row: CellRow) -> int:
    """Return the column after the last that is not blank."""
    end = len(row.texts)
    while end and row.texts[end - 1] == " ":
        end -= 1
    return end


def find_slide(old: CellRow, new: CellRow, found: Sequence[int]) -> Slide | None:
    """Return the slide that keeps the end of the text, if it is long enough and of undisputed width."""
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

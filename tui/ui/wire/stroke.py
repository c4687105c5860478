"""Compute nearly the fewest bytes that change the rows shown into the rows wanted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import CellRow, cell_len, doubtful
from tui.ui.wire.pens import Pen, blank_pen, dress, is_alike, transition


def address(y: int, x: int) -> str:
    """Return the absolute move to row `y` and column `x`, from 0."""
    row, column = str(y + 1) if y else "", f";{x + 1}" if x else ""
    return f"\x1b[{row}{column}H"


def _steps(count: int, one: str, many: str) -> str:
    """Return the shorter of `count` times the short code, and the code that takes a number."""
    return min(one * count, f"\x1b[{count if count > 1 else ''}{many}", key=len)


def _move_in_row(x0: int | None, x1: int) -> str:
    """Return the shortest move within a row; `x0` None is an unknown column."""
    if x0 == x1:
        return ""
    if x1 == 0:
        return "\r"
    column = f"\x1b[{x1 + 1}G"
    if x0 is None:
        return column
    return min(column, _steps(x1 - x0, "\x1b[C", "C") if x1 > x0 else _steps(x0 - x1, "\b", "D"), key=len)


def _move_in_column(y0: int, y1: int, *, linefeed: bool) -> str:
    """Return the shortest move within a column. A line feed never scrolls: `y1` is on the screen."""
    down = _steps(y1 - y0, "\n" if linefeed else "\x1b[B", "B")
    return min(down if y1 > y0 else _steps(y0 - y1, "\x1bM", "A"), f"\x1b[{y1 + 1}d", key=len)


def move(start: tuple[int | None, int | None], goal: tuple[int, int], *, linefeed: bool) -> str:
    """Return the shortest sequence from cell `start` to cell `goal`, both (row, column) from 0.

    A row or column of None is unknown; the column is, for example, after the last one was written, where
    terminals disagree about the cursor. `linefeed`: line feeds are sent without an added carriage return.
    """
    (y0, x0), (y1, x1) = start, goal
    if (y0, x0) == (y1, x1):
        return ""
    if y0 == y1:
        return _move_in_row(x0, x1)
    direct = address(y1, x1)
    # Relative moves need a known place.
    if y0 is None:
        return direct
    return min(direct, _move_in_column(y0, y1, linefeed=linefeed) + _move_in_row(x0, x1), key=len)


MOST_ROWS_MOVED: Final = 8
"""The most rows by which a block is moved; a longer move uncovers so many rows that drawing is cheaper."""


class Scroll(NamedTuple):
    """Rows `top` to `bottom` move by `by` rows: up if positive, down if negative."""

    top: int
    bottom: int
    by: int

    @property
    def edge(self) -> int:
        """The first row that the shift uncovers."""
        return self.bottom + 1 - self.by if self.by > 0 else self.top

    def sequence(self) -> str:
        """Return the bytes: DL, then IL, which leaves the cursor at the first uncovered row."""
        y = self.top if self.by > 0 else self.bottom + 1 + self.by
        count = abs(self.by) if abs(self.by) > 1 else ""
        return f"{address(y, 0)}\x1b[{count}M{address(self.edge, 0)}\x1b[{count}L"

    def apply_to(self, rows: Sequence[CellRow], fresh: CellRow) -> list[CellRow]:
        """Return the rows after the shift; uncovered rows are `fresh`."""
        block = list(rows[self.top : self.bottom + 1])
        new = [fresh] * abs(self.by)
        shifted = block[self.by :] + new if self.by > 0 else new + block[: self.by]
        return [*rows[: self.top], *shifted, *rows[self.bottom + 1 :]]


def _is_worth(row: CellRow) -> bool:
    """Return whether a row has enough text to make moving cheaper than drawing."""
    return sum(text != " " for text in row.texts) > 8


def _runs(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int], by: int) -> list[Scroll]:
    """Return the blocks of changed rows that were `by` rows lower before."""
    hits = [y for y in changed if 0 <= y + by < len(old) and new[y].same(old[y + by])]
    scrolls: list[Scroll] = []
    start = 0
    for i, y in enumerate(hits):
        if i + 1 == len(hits) or hits[i + 1] != y + 1:
            # Empty rows match each other everywhere, and moving them saves nothing.
            if any(_is_worth(new[row]) for row in hits[start : i + 1]):
                scrolls.append(Scroll(hits[start] + min(by, 0), y + max(by, 0), by))
            start = i + 1
    return scrolls


def find_scroll(old: Sequence[CellRow], new: Sequence[CellRow], changed: Sequence[int]) -> Scroll | None:
    """Return the shift that puts most rows in place, or None."""
    choices = [
        shift
        for by in range(-MOST_ROWS_MOVED, MOST_ROWS_MOVED + 1)
        if by
        for shift in _runs(old, new, changed, by)
    ]
    # Rows that are moved, minus the rows that the shift uncovers and that must be drawn.
    return max(choices, key=lambda shift: shift.bottom - shift.top - 2 * abs(shift.by), default=None)


ERASE: Final = "\x1b[K"
RUNS: Final = re.compile(r"([^\x00-\x1f])\1{4,}(?![\u0300-\u036f\u200d\ufe0f])")
"""Matches characters repeated so often that REP may be shorter; sequences never repeat one five times."""


def size(text: str) -> int:
    """Return the size of a text in bytes (UTF-8)."""
    return len(text) if text.isascii() else len(text.encode())


def _repeat(run: re.Match[str]) -> str:
    """Return a run as one character and REP, if that is shorter; never for wide characters."""
    short = f"{run[1]}\x1b[{len(run[0]) - 1}b"
    return min(run[0], short, key=size) if cell_len(run[1]) == 1 else run[0]


def changes(old: Sequence[CellRow], new: Sequence[CellRow]) -> list[tuple[int, list[int]]]:
    """Return the rows that look different, and their columns that do."""
    return [
        (y, columns)
        for y, (row, other) in enumerate(zip(old, new, strict=True))
        if (columns := row.changes(other))
    ]


class PenState(Struct):
    """The terminal's cursor and pen; None for an unknown one.

    A known row with an unknown column means: after the last column.
    """

    y: int | None = None
    x: int | None = None
    pen: Pen | None = None


def _by_pen(row: CellRow, columns: list[int]) -> dict[Pen, list[int]]:
    """Return the columns to draw with each pen; spaces use the pens of their neighbours if possible."""
    found: dict[Pen, list[int]] = {}
    held = next((row.pens[x] for x in columns if row.texts[x] != " "), None)
    for x in columns:
        pen = row.pens[x]
        if row.texts[x] != " ":
            held = pen
        elif held is None or not is_alike(held, pen):
            held = blank_pen(pen)
        found.setdefault(held, []).append(x)
    return found


class Stroke(Struct):
    """Bytes drawn so far, and the terminal's cursor and pen after them."""

    hand: PenState
    can: Abilities
    parts: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return all bytes so far."""
        text = "".join(self.parts)
        return RUNS.sub(_repeat, text) if self.can.repeats else text

    def layers(self, new: Sequence[CellRow], changes: Iterable[tuple[int, list[int]]]) -> None:
        """Draw `new`, all columns of one pen after the other; `changes` go from top to bottom."""
        layers: dict[Pen, list[tuple[int, list[int]]]] = {}
        for y, columns in changes:
            row = new[y]
            # Cells that a doubtful character damages must be drawn after it, with any pen.
            if any(text and text > "~" and doubtful(text) for text in {*row.texts}):
                self._changes(y, row, columns)
                continue
            for pen, its in _by_pen(row, columns).items():
                layers.setdefault(pen, []).append((y, its))
        while layers:
            pen = min(layers, key=lambda pen: len(transition(self.hand.pen, pen)))
            for y, columns in layers.pop(pen):
                self._changes(y, new[y], columns)

    def _changes(self, y: int, row: CellRow, columns: list[int]) -> None:
        """Draw these columns of a row; spaces at the end are erased if that is shorter."""
        last = columns[-1] if columns else 0
        # Only rows that end in spaces can be erased; a few spaces are shorter than the bytes of ERASE.
        tail = self._tail(row) if row.texts[-1] == row.texts[last] == " " else len(row.texts)
        split = bisect_left(columns, tail)
        if len(columns) == split or last - columns[split] < len(ERASE):
            self._spans(y, row, columns)
            return
        self._spans(y, row, columns[:split])
        self._erase(y, row, tail, columns[split])

    def _tail(self, row: CellRow) -> int:
        """Return the index of the column from which on all cells equal erased ones, else the row's length."""
        last, end = blank_pen(row.pens[-1]), len(row.texts)
        if not last.erases or not (self.can.erases_in_colour or not last.bg):
            return end
        while end and row.texts[end - 1] == " " and is_alike(row.pens[end - 1], last):
            end -= 1
        return end

    def _erase(self, y: int, row: CellRow, tail: int, first: int) -> None:
        """Erase from column `first` to the end of the line, or from a nearer column in the tail."""
        known = self.hand.x if self.hand.y == y else None
        self._reach(y, first if known is None else min(max(known, tail), first), row)
        self._take(dress(self.hand.pen, blank_pen(row.pens[-1])))
        self.parts.append(ERASE)

    def _spans(self, y: int, row: CellRow, columns: list[int]) -> None:
        """Draw these columns, neighbours together, wide characters whole."""
        start = 0
        for i, x in enumerate(columns):
            if i + 1 == len(columns) or columns[i + 1] != x + 1:
                first, end = columns[start], x + 1
                # Half a wide character cannot be sent: the terminal would draw it elsewhere.
                first -= row.texts[first] == ""
                end += end < len(row.texts) and row.texts[end] == ""
                self._draw(y, row, first, end)
                start = i + 1

    def _take(self, pen: Pen) -> None:
        self.parts.append(transition(self.hand.pen, pen))
        self.hand.pen = pen

    def _reach(self, y: int, x: int, row: CellRow) -> None:
        """Move the cursor to a cell, or draw the cells on the way again if that is no longer."""
        hand = self.hand
        if hand.x == x and hand.y == y:
            return
        codes = move((hand.y, hand.x), (y, x), linefeed=self.can.linefeed)
        start, first = "", hand.x
        if hand.y != y or first is None or first > x:
            near = x < len(codes)
            start, first = move((hand.y, hand.x), (y, 0), linefeed=self.can.linefeed) if near else codes, 0
        if x - first <= len(codes) - len(start) and self._draws_alike(row, first, x):
            codes = min(start + "".join(filter(None, row.texts[first:x])), codes, key=size)
        self.parts.append(codes)
        hand.y, hand.x = y, x

    def _draws_alike(self, row: CellRow, first: int, end: int) -> bool:
        """Return whether the present pen draws the cells from `first` to before `end`, with no doubt.

        In 1,100 frames of all samples, drawing such cells with other pens was never shorter than a move.
        """
        pen, texts = self.hand.pen, row.texts[first:end]
        # Inside a wide character nothing can be drawn again.
        if pen is None or row.texts[first] == "":
            return False
        return all(
            own == pen or (text == " " and is_alike(own, pen))
            for text, own in zip(texts, row.pens[first:end], strict=True)
        ) and not any(text and text > "~" and doubtful(text) for text in texts)

    def _draw(self, y: int, row: CellRow, first: int, end: int) -> None:
        """Write the cells of a row from column `first` to before `end`."""
        x = first
        while x < end:
            stop = _run(row, x, end)
            self._reach(y, x, row)
            self._take(self._pen(row, x, stop, end))
            self._write(row, x, stop)
            x = stop

    def _pen(self, row: CellRow, x: int, stop: int, end: int) -> Pen:
        """Return the pen for the run from `x` to `stop`; spaces may use the next pen if it is free."""
        if row.texts[x:stop].count(" ") < stop - x:
            return row.pens[x]
        want, pen = blank_pen(row.pens[x]), self.hand.pen
        if pen is not None and is_alike(pen, want):
            return pen
        if stop < end and is_alike(row.pens[stop], want):
            return row.pens[stop]
        return dress(pen, want)

    def _write(self, row: CellRow, x: int, stop: int) -> None:
        """Write one run of cells.

        A character of disputed width is the last of its run, and is drawn on cells that were cleared before.
        """
        texts = [*filter(None, row.texts[x:stop])]
        disputed = texts[-1] > "~" and doubtful(texts[-1])
        if disputed and row.texts[stop - 1] == "":
            texts[-1:] = f"  \x1b[{stop - 1}G", texts[-1]
        self.parts += texts
        self.hand.x = None if disputed or stop == len(row.texts) else stop


def _run(row: CellRow, x: int, end: int) -> int:
    """Return the end of the run from `x`: cells of one pen, up to a character of disputed width."""
    pen, only_blank = row.pens[x], row.texts[x] == " "
    for i in range(x + 1, end):
        text = row.texts[i]
        if row.pens[i] != pen and not (text == " " and only_blank and is_alike(row.pens[i], pen)):
            return i
        before = row.texts[i - 1] or row.texts[i - 2] or ""
        if text != "" and before > "~" and doubtful(before):
            return i
        only_blank = only_blank and text == " "
    return end

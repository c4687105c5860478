"""Drawing: from rows as shown to rows as wanted, in as few bytes as can be found quickly."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import CellRow, cell_len, doubtful
from tui.ui.wire.moves import LONG, Slide, find_slide, move
from tui.ui.wire.pens import Pen, blank, dress, transition

ERASE: Final = "\x1b[K"
RUNS: Final = re.compile(r"([^\x00-\x1f])\1{4,}(?![\u0300-\u036f\u200d\ufe0f])")
"""Characters repeated so often that REP may be shorter; no sequence of the wire's repeats one five times."""


def size(text: str) -> int:
    """Return the bytes of a text on the wire."""
    return len(text) if text.isascii() else len(text.encode())


def _repeated(run: re.Match[str]) -> str:
    """Return a run as one character and REP, if that is shorter; never for wide characters."""
    short = f"{run[1]}\x1b[{len(run[0]) - 1}b"
    return min(run[0], short, key=size) if cell_len(run[1]) == 1 else run[0]


def changes(old: Sequence[CellRow], new: Sequence[CellRow]) -> list[tuple[int, list[int]]]:
    """Return the rows that look different, and their columns that do."""
    return [
        (y, found)
        for y, (row, other) in enumerate(zip(old, new, strict=True))
        if (found := row.changes(other))
    ]


class PenState(Struct):
    """Where the terminal's cursor stands and which pen it holds; None is not known.

    A known row with an unknown column is the place after the last column.
    """

    y: int | None = None
    x: int | None = None
    pen: Pen | None = None


class Stroke(Struct):
    """A drawing under way: the bytes so far, and the hand after them."""

    hand: PenState
    can: Abilities
    parts: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return everything drawn so far."""
        text = "".join(self.parts)
        return RUNS.sub(_repeated, text) if self.can.repeats else text

    def fork(self) -> Stroke:
        """Return a stroke that goes on from here, to see what a way costs."""
        return Stroke(PenState(self.hand.y, self.hand.x, self.hand.pen), self.can)

    def join(self, other: Stroke) -> None:
        """Go the way of a fork."""
        self.parts += other.parts
        self.hand = other.hand

    def rows(
        self, old: Sequence[CellRow], new: Sequence[CellRow], changes: Iterable[tuple[int, list[int]]]
    ) -> None:
        """Turn the rows shown into the rows wanted: (row, changed columns) in the order of drawing."""
        for y, found in changes:
            self._row(y, old[y], new[y], found)

    def layers(
        self, old: Sequence[CellRow], new: Sequence[CellRow], changes: Iterable[tuple[int, list[int]]]
    ) -> None:
        """Draw the same pen by pen: columns of one colour downwards, with no change of pen in every row."""
        layers: dict[Pen, list[tuple[int, list[int]]]] = {}
        for y, found in changes:
            row = new[y]
            # What a doubtful character spoils must be drawn after it, whatever its pen.
            if any(text and text > "~" and doubtful(text) for text in row.texts):
                self._row(y, old[y], row, found)
                continue
            for x in found:
                pen = blank(row.pens[x]) if row.texts[x] == " " else row.pens[x]
                layer = layers.setdefault(pen, [])
                if not layer or layer[-1][0] != y:
                    layer.append((y, []))
                layer[-1][1].append(x)
        for layer in layers.values():
            for y, found in layer:
                self._changes(y, new[y], found)

    def _row(self, y: int, old: CellRow, new: CellRow, found: list[int]) -> None:
        slide = find_slide(old, new, found) if self.can.slides and len(found) > LONG else None
        if slide is None:
            self._changes(y, new, found)
            return
        ways = self.fork(), self.fork()
        ways[0]._changes(y, new, found)  # noqa: SLF001
        ways[1]._slid(y, old, new, slide)  # noqa: SLF001
        self.join(min(ways, key=lambda way: size(way.text())))

    def _slid(self, y: int, old: CellRow, new: CellRow, slide: Slide) -> None:
        """Draw up to where the line's end begins, moves that, draws the rest."""
        self._changes(y, new, [x for x in old.changes(new) if x < slide.at])
        self._reach(y, slide.at, new)
        self.parts.append(slide.sequence())
        bare = self.hand.pen is not None and not self.hand.pen.bg
        moved = slide.applied(old, " " if bare else None)
        self._changes(y, new, [x for x in moved.changes(new) if x >= slide.at])

    def _changes(self, y: int, row: CellRow, found: list[int]) -> None:
        """Draw the columns found; a blank tail is erased if that is shorter."""
        tail = self._tail(row) if row.texts[-1] == " " else len(row.texts)
        split = bisect_left(found, tail)
        # A few blanks are shorter than the three bytes of ERASE.
        if len(found) == split or found[-1] - found[split] < len(ERASE):
            self._spans(y, row, found)
            return
        self._spans(y, row, found[:split])
        self._erase(y, row, tail, found[split])

    def _tail(self, row: CellRow) -> int:
        """Return the column from which on the row is blank in one pen that erasing leaves behind."""
        last, end = blank(row.pens[-1]), len(row.texts)
        if not last.erases or not (self.can.erases_in_colour or not last.bg):
            return end
        while end and row.texts[end - 1] == " " and blank(row.pens[end - 1]) == last:
            end -= 1
        return end

    def _erase(self, y: int, row: CellRow, tail: int, first: int) -> None:
        """Erases to the end of the line, from anywhere between the tail's start and its first change."""
        here = self.hand.x if self.hand.y == y else None
        self._reach(y, first if here is None else min(max(here, tail), first), row)
        self._take(dress(self.hand.pen, blank(row.pens[-1])))
        self.parts.append(ERASE)

    def _spans(self, y: int, row: CellRow, found: list[int]) -> None:
        """Draw the columns found, neighbours together, wide characters whole."""
        start = 0
        for i, x in enumerate(found):
            if i + 1 == len(found) or found[i + 1] != x + 1:
                first, end = found[start], x + 1
                # Half a wide character cannot be sent: the terminal would draw it elsewhere.
                first -= row.texts[first] == ""
                end += end < len(row.texts) and row.texts[end] == ""
                self._reach(y, first, row)
                self._draw(y, row, first, end)
                start = i + 1

    def _take(self, pen: Pen) -> None:
        self.parts.append(transition(self.hand.pen, pen))
        self.hand.pen = pen

    def _reach(self, y: int, x: int, row: CellRow) -> None:
        """Bring the cursor to a cell: over what lies between by drawing it again, or by a move."""
        hand = self.hand
        if hand.x == x and hand.y == y:
            return
        way = move((hand.y, hand.x), (y, x), linefeed=self.can.linefeed)
        if (
            hand.y == y
            and hand.x is not None
            and 0 < x - hand.x <= len(way)
            and self._bridged(y, x, row, way)
        ):
            return
        self.parts.append(way)
        hand.y, hand.x = y, x

    def _bridged(self, y: int, x: int, row: CellRow, way: str) -> bool:
        """Draw what lies between again if that is no longer than the move, the next pen counted in."""
        hand, wanted = self.hand, blank(row.pens[x]) if row.texts[x] == " " else row.pens[x]
        assert hand.x is not None
        # Inside a wide character nothing can be drawn again.
        if row.texts[hand.x] == "":
            return False
        # Tried on a fork, because only the drawing itself knows which pens it needs.
        over = self.fork()
        over._draw(y, row, hand.x, x)  # noqa: SLF001
        bridge = over.text()
        if over.hand.x != x or size(bridge) + _change(over.hand.pen, wanted) > len(way) + _change(
            hand.pen, wanted
        ):
            return False
        self.parts.append(bridge)
        hand.x, hand.pen = x, over.hand.pen
        return True

    def _draw(self, y: int, row: CellRow, first: int, end: int) -> None:
        """Write the cells of a row from column `first` up to `end`, the cursor being at the first."""
        x = first
        while x < end:
            stop = _run(row, x, end)
            self._reach(y, x, row)
            self._take(self._pen(row, x, stop, end))
            self._write(row, x, stop)
            x = stop

    def _pen(self, row: CellRow, x: int, stop: int, end: int) -> Pen:
        """Return the pen for a run; blanks take the pen of what follows when that costs nothing."""
        if any(text != " " for text in row.texts[x:stop]):
            return row.pens[x]
        want, held = blank(row.pens[x]), self.hand.pen
        if held is not None and blank(held) == want:
            return held
        if stop < end and blank(row.pens[stop]) == want:
            return row.pens[stop]
        return dress(held, want)

    def _write(self, row: CellRow, x: int, stop: int) -> None:
        """Write one run. A character of disputed width is its last, on cells blanked before."""
        texts = [text or "" for text in row.texts[x:stop]]
        cluster = texts[-1] or texts[-2]
        disputed = cluster > "~" and doubtful(cluster)
        if disputed and texts[-1] == "":
            texts[-2:] = f"  \x1b[{stop - 1}G", cluster
        self.parts.append("".join(texts))
        self.hand.x = None if disputed or stop == len(row.texts) else stop


def _change(held: Pen | None, wanted: Pen) -> int:
    return len(transition(held, dress(held, wanted)))


def _run(row: CellRow, x: int, end: int) -> int:
    """Return the end of the cells from x on that one pen draws; a doubtful character ends it as well."""
    pen, only_blank = row.pens[x], row.texts[x] == " "
    for i in range(x + 1, end):
        text = row.texts[i]
        if row.pens[i] != pen and not (text == " " and only_blank and blank(row.pens[i]) == blank(pen)):
            return i
        before = row.texts[i - 1] or row.texts[i - 2] or ""
        if text != "" and before > "~" and doubtful(before):
            return i
        only_blank = only_blank and text == " "
    return end

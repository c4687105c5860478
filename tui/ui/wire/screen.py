"""What the terminal shows, as far as anybody knows, and the frames that make it show something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tui.ui.wire import moves
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import CellRow
from tui.ui.wire.moves import move
from tui.ui.wire.pens import PLAIN, Pen, blank, transition
from tui.ui.wire.stroke import PenState, Stroke, changes, size

AFRESH: Final = 0.8
"""A frame that clears the screen first must be this much shorter than one that does not: it flickers."""

FEW: Final = 8
"""Changed rows up to which drawing them from the bottom up is tried as well."""

LAYERED: Final = 4
"""Changed rows from which on drawing them pen by pen is tried as well."""

SETTLE: Final = "\x0f\x1b(B\x1b[r\x1b[?7;25l"
"""Character set, margins, wrapping and cursor as the wire needs them, for a terminal gone astray."""


def _background(rows: Sequence[CellRow], can: Abilities) -> Pen:
    """Return the blank that covers most of the screen and that clearing can leave behind."""
    counts = Counter(
        blank(pen) for row in rows for text, pen in zip(row.texts, row.pens, strict=True) if text == " "
    )
    return next(
        (pen for pen, _ in counts.most_common() if pen.erases and (can.erases_in_colour or not pen.bg)), PLAIN
    )


class Screen:
    """The rows shown by the terminal and its hand; `frame` returns the bytes to another picture.

    `point` is the cell (row, column) at which the terminal's cursor is shown after a frame; None: it stays
    hidden.
    """

    def __init__(self) -> None:
        self.rows: list[CellRow] | None = None
        self.hand = PenState()
        self.point: tuple[int, int] | None = None
        self._astray = self._pointing = False

    def forget(self, *, astray: bool = False) -> None:
        """Forget everything: the next frame draws all of it. `astray`: its modes are in doubt too."""
        self.rows, self.hand = None, PenState()
        self._astray |= astray
        self._pointing = False

    def frame(self, target: Sequence[CellRow], can: Abilities) -> str:
        """Return the bytes that make the terminal show the target, taken for sent.

        The rows must not change afterwards.
        """
        prefix = SETTLE if self._astray else ""
        stroke = self._cleared(target, can) if self.rows is None else self._changed(self.rows, target, can)
        self.rows = [*target]
        self.hand, self._astray = stroke.hand, False
        return prefix + stroke.text() + self._pointed(can)

    def _pointed(self, can: Abilities) -> str:
        """Return what puts the terminal's cursor at the point, and shows it if it is hidden.

        Nothing without one.
        """
        if self.point is None or self.rows is None:
            return ""
        y, x = (min(self.point[0], len(self.rows) - 1), min(self.point[1], len(self.rows[0].texts) - 1))
        way = move((self.hand.y, self.hand.x), (y, x), linefeed=can.linefeed)
        self.hand = PenState(y, x, self.hand.pen)
        shown, self._pointing = "" if self._pointing else "\x1b[?25h", True
        return way + shown

    def _changed(self, rows: list[CellRow], target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Return the shortest of the ways there: down, up, after scrolling, on a wiped screen."""
        changed = [y for y, row in enumerate(rows) if not row.same(target[y])]
        ways = self._both_ways(rows, target, self.hand, can)
        # One changed row is never cheaper to scroll than to draw.
        if can.scrolls and len(changed) > 1 and (shift := moves.find_scroll(rows, target, changed)):
            ways += self._shifted(shift, rows, target, can)
        best = min(ways, key=_bytes)
        # Clearing is only tried where drawing every letter could be shorter at all.
        if (limit := AFRESH * _bytes(best)) > sum(len(row.texts) - row.texts.count(" ") for row in target):
            fresh = self._cleared(target, can)
            best = fresh if _bytes(fresh) < limit else best
        return best

    def _shifted(
        self, shift: moves.Scroll, rows: list[CellRow], target: Sequence[CellRow], can: Abilities
    ) -> list[Stroke]:
        """Draw after the terminal has moved a block.

        What it puts in the gap depends on the terminal, unless the background is its own.
        """
        plain = self.hand.pen is not None and not self.hand.pen.bg
        width = len(target[0].texts)
        moved = shift.applied(rows, CellRow.filled(width) if plain else CellRow.unknown(width))
        return self._both_ways(
            moved, target, PenState(None, None, self.hand.pen), can, shift.sequence(linefeed=can.linefeed)
        )

    @staticmethod
    def _both_ways(
        rows: Sequence[CellRow], target: Sequence[CellRow], hand: PenState, can: Abilities, prefix: str = ""
    ) -> list[Stroke]:
        """Draw downwards; a few rows also upwards, and many also pen by pen."""
        found = changes(rows, target)
        ways = []
        for order in (found, found[::-1])[: 2 if 1 < len(found) <= FEW else 1]:
            stroke = Stroke(PenState(hand.y, hand.x, hand.pen), can, [prefix] if prefix else [])
            stroke.rows(rows, target, order)
            ways.append(stroke)
        if len(found) >= LAYERED:
            ways.append(
                _layered(
                    rows,
                    target,
                    found,
                    Stroke(PenState(hand.y, hand.x, hand.pen), can, [prefix] if prefix else []),
                )
            )
        return ways

    def _cleared(self, target: Sequence[CellRow], can: Abilities) -> Stroke:
        """Draws on a screen wiped in the colour that most of it has.

        Of a full screen pen by pen alone: in 57 pictures of all samples that was always a quarter shorter
        than row by row, which would take as long to try.
        """
        pen = _background(target, can)
        wipe = f"{transition(self.hand.pen, pen)}\x1b[H\x1b[J"
        wiped = [CellRow.filled(len(row.texts), pen) for row in target]
        hand = PenState(0, 0, pen)
        if len(found := changes(wiped, target)) >= LAYERED:
            return _layered(wiped, target, found, Stroke(hand, can, [wipe]))
        return min(self._both_ways(wiped, target, hand, can, wipe), key=_bytes)


def _layered(
    rows: Sequence[CellRow], target: Sequence[CellRow], found: list[tuple[int, list[int]]], stroke: Stroke
) -> Stroke:
    """Return the stroke, drawn pen by pen."""
    stroke.layers(rows, target, found)
    return stroke


def _bytes(stroke: Stroke) -> int:
    return size(stroke.text())

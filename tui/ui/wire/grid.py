"""A grid of cells: what the terminal shows, or what it should show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tui.ui.wire.cells import cells, doubtful, leading
from tui.ui.wire.pens import PLAIN, Pen, blank


class CellRow:
    """One line: the text and the pen of every column; the second half of a wide character is "".

    A text of None is a column of which nobody knows what it shows; it differs from every other.
    """

    __slots__ = ("pens", "texts")

    def __init__(self, texts: list[str | None], pens: list[Pen]) -> None:
        self.texts, self.pens = texts, pens

    @classmethod
    def filled(cls, width: int, pen: Pen = PLAIN) -> CellRow:
        """A row of blanks in one pen."""
        return cls([" "] * width, [pen] * width)

    @classmethod
    def unknown(cls, width: int) -> CellRow:
        """A row that differs from every other in each column."""
        return cls([None] * width, [PLAIN] * width)

    def same(self, other: CellRow) -> bool:
        """Whether both rows hold the same cells (fast; pens that look alike on a blank count as different)."""
        return self is other or (self.texts == other.texts and self.pens == other.pens)

    def changes(self, new: CellRow) -> list[int]:
        """The columns, ascending, where the new row looks different from this one."""
        # Two list comparisons in C: most rows of most frames end here.
        if self.same(new):
            return []
        found = [
            x
            for x, (old_text, new_text, old_pen, new_pen) in enumerate(
                zip(self.texts, new.texts, self.pens, new.pens, strict=True)
            )
            if old_text is None
            or old_text != new_text
            or (old_pen != new_pen and (new_text != " " or blank(old_pen) != blank(new_pen)))
        ]
        return _with_doubts(found, self.texts, new.texts)

    def paint(self, x: int, end: int, pieces: Iterable[tuple[str, Pen]]) -> None:
        """Draws texts, each with its pen, from column x on, never reaching past column `end`."""
        texts, start = self.texts, x
        # Drawing over the second half of a wide character takes its first half off the screen too.
        if texts[x] == "" and x:
            texts[x - 1] = " "
        for text, pen in pieces:
            if x >= end:
                break
            drawn: Sequence[str] = text
            # Plain ASCII is its own columns; only the rest pays for clusters and widths.
            if not (text.isascii() and text.isprintable()):
                drawn = self._columns(text, x if x > start else None)
            if len(drawn) > end - x:
                drawn = _cut(drawn, end - x)
            count = len(drawn)
            texts[x : x + count] = drawn
            self.pens[x : x + count] = [pen] * count
            x += count
        # The wide character whose first half was just drawn over has lost its second.
        if x < len(texts) and texts[x] == "":
            texts[x] = " "

    def _columns(self, text: str, after: int | None) -> tuple[str, ...]:
        """A text's columns, having hung marks at its start on the cell before column `after`."""
        if after and (marks := leading(text)):
            base = after - 1 if self.texts[after - 1] else after - 2
            self.texts[base] = (self.texts[base] or " ") + marks
        return cells(text)


def _cut(drawn: Sequence[str], width: int) -> Sequence[str]:
    """The first columns, a wide character that would lose its second half being a space."""
    kept = drawn[:width]
    return (*kept[:-1], " ") if kept and drawn[width] == "" else kept


def _with_doubts(found: list[int], old: list[str | None], new: list[str | None]) -> list[int]:
    """Adds the columns that characters of disputed width may spoil when they are drawn, or drawn over."""
    touched = {*[old[x] for x in found], *[new[x] for x in found]}
    if not any(text and text > "~" and doubtful(text) for text in touched):
        return found
    changed, until, all_of_it = set(found), 0, []
    for x in range(found[0], len(new)):
        if x in changed or x < until:
            all_of_it.append(x)
            until = max(until, x + 1 + _spoils(old[x], new[x]))
    return all_of_it


def _spoils(*texts: str | None) -> int:
    """How many columns to the right may be spoilt by drawing these at one place."""
    return max(2 * len(text) if text and text > "~" and doubtful(text) else 0 for text in texts)

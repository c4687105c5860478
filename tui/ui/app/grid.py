"""The cells that Textual's compositor has drawn: what the wire sends, and what tests and pictures read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.strip import Strip

from tui.ui.app.styles import pen_of
from tui.ui.wire.grid import CellRow


class CellGrid:
    """Rows of cells; a row that was handed out is never changed, a changed one is another row."""

    def __init__(self) -> None:
        self.rows: list[CellRow] = []
        self._own: set[int] = set()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return (len(self.rows[0].texts) if self.rows else 0), len(self.rows)

    def resize(self, width: int, height: int) -> None:
        """Keep what has room in a new size, with blanks beside and below it."""
        old, self.rows = self.rows, [CellRow.filled(width) for _ in range(height)]
        for row, before in zip(self.rows, old, strict=False):
            row.texts[: len(before.texts)] = before.texts[:width]
            row.pens[: len(before.pens)] = before.pens[:width]
        self._own = set(range(height))

    def snapshot(self) -> Sequence[CellRow]:
        """Return the rows, which do not change any more."""
        self._own.clear()
        return [*self.rows]

    def draw(self, x: int, y: int, strips: Iterable[Strip]) -> None:
        """Draw strips behind each other from a cell on; what stands outside of the grid is left out."""
        if not 0 <= y < len(self.rows):
            return
        row = self._writable(y)
        width = len(row.texts)
        for strip in strips:
            end = min(x + strip.cell_length, width)
            if x < end:
                pieces = [(segment.text, pen_of(segment.style)) for segment in strip if not segment.control]
                row.paint(x, end, pieces)
            x = end

    def _writable(self, y: int) -> CellRow:
        if y not in self._own:
            row = self.rows[y]
            self.rows[y] = CellRow([*row.texts], [*row.pens])
            self._own.add(y)
        return self.rows[y]

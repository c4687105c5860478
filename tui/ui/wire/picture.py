"""What the terminal should show: Textual's updates, painted into rows of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate

from tui.ui.wire.grid import CellRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.strip import Strip

    from tui.ui.wire.pens import Pens


class UnexpectedError(ValueError):
    """An update that cannot be painted: a kind not known, or one that does not fit the picture."""


class Picture:
    """A target of width x height cells. `whole` is False until a full update has painted all of it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [CellRow.filled(width) for _ in range(height)]
        self.whole = False

    def paint(self, update: CompositorUpdate, pens: Pens) -> None:
        """Draw an update; raise UnexpectedError if it is none of ours."""
        match update:
            case LayoutUpdate():
                self._layout(update, pens)
            case ChopsUpdate() if len(update.chops) == self.height:
                self._chops(update, pens)
            case _:
                raise UnexpectedError(f"{type(update).__name__} on {self.width} x {self.height}")

    def _layout(self, update: LayoutUpdate, pens: Pens) -> None:
        region = update.region
        if (region.right, region.bottom) > (self.width, self.height) or len(update.strips) > self.height:
            raise UnexpectedError(f"{region} on {self.width} x {self.height}")
        for y, strips in enumerate(update.strips, region.y):
            self._line(y, region.x, self.width, strips, pens)
        self.whole |= region.size == (self.width, self.height)

    def _line(self, y: int, x: int, end: int, strips: Iterable[Strip], pens: Pens) -> None:
        for strip in strips:
            if x < end:
                self.rows[y].paint(x, end, strip, pens)
            x += strip.cell_length

    def _chops(self, update: ChopsUpdate, pens: Pens) -> None:
        """Draw the chops that touch the spans, cut where Textual's own output cuts them."""
        for y, left, right in update.spans:
            chops: Iterable[tuple[int, Strip | None]] = update.chops[y].items()
            for end, (x, strip) in zip(update.chop_ends[y], chops, strict=False):
                if strip is None or x > right or end <= left:
                    continue
                last = min(end, right, self.width)
                if x < last:
                    self.rows[y].paint(x, last, strip, pens)

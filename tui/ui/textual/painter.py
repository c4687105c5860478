"""Textual's updates of the screen, painted into the cells of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.strip import Strip

    from tui.ui.wire.pens import Pens
    from tui.ui.wire.picture import Picture


class UnexpectedError(ValueError):
    """An update that cannot be painted: of an unknown kind, or one that does not fit the picture."""


class Painter:
    """Paints with these pens: every style of Rich's becomes the pen that draws it."""

    def __init__(self, pens: Pens) -> None:
        self._pens = pens

    def paint(self, picture: Picture, update: CompositorUpdate) -> None:
        """The update, in the picture. Raises UnexpectedError for one that does not belong there."""
        match update:
            case LayoutUpdate():
                self._layout(picture, update)
            case ChopsUpdate() if len(update.chops) == picture.height:
                self._chops(picture, update)
            case _:
                raise UnexpectedError(f"{type(update).__name__} on {picture.width} x {picture.height}")

    def _layout(self, picture: Picture, update: LayoutUpdate) -> None:
        region, size = update.region, (picture.width, picture.height)
        if (region.right, region.bottom) > size or len(update.strips) > picture.height:
            raise UnexpectedError(f"{region} on {picture.width} x {picture.height}")
        for y, strips in enumerate(update.strips, region.y):
            self._line(picture, y, region.x, strips)
        picture.whole |= region.size == size

    def _line(self, picture: Picture, y: int, x: int, strips: Iterable[Strip]) -> None:
        for strip in strips:
            if x < picture.width:
                self._strip(picture, y, (x, picture.width), strip)
            x += strip.cell_length

    def _chops(self, picture: Picture, update: ChopsUpdate) -> None:
        """The chops that touch the spans, cut where Textual's own output cuts them."""
        for y, left, right in update.spans:
            chops: Iterable[tuple[int, Strip | None]] = update.chops[y].items()
            for end, (x, strip) in zip(update.chop_ends[y], chops, strict=False):
                if strip is None or x > right or end <= left:
                    continue
                last = min(end, right, picture.width)
                if x < last:
                    self._strip(picture, y, (x, last), strip)

    def _strip(self, picture: Picture, y: int, columns: tuple[int, int], strip: Strip) -> None:
        pen = self._pens.of
        picture.rows[y].paint(*columns, [(text, pen(style)) for text, style, control in strip if not control])

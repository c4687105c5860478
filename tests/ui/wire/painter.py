"""Textual's updates of the screen, painted into the cells of a picture.

What Textual draws is what the wire must show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.color import ColorSystem, ColorType
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate

from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import PALETTE, PLAIN, Pen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.color import Color
    from rich.style import Style
    from textual.strip import Strip


class Picture:
    """A target of width x height cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [CellRow.filled_with(width) for _ in range(height)]

    def taken(self) -> list[CellRow]:
        """The rows, for the wire to keep while the picture is painted on."""
        return [CellRow(row.texts[:], row.pens[:]) for row in self.rows]


class Pens:
    """Rich styles to pens for one colour depth, exactly as Rich would convert them down.

    With `palette` a true colour that the 256-colour palette holds is sent as its number, 8 bytes shorter.
    """

    def __init__(self, depth: ColorSystem, *, palette: bool = True) -> None:
        self._depth = depth
        self._palette = palette and depth is ColorSystem.TRUECOLOR
        self._known: dict[Style | None, Pen] = {None: PLAIN}

    def of(self, style: Style | None) -> Pen:
        """The pen of a style; links and meta data draw nothing and are left out."""
        try:
            return self._known[style]
        except KeyError:
            pass
        assert style is not None
        attrs = style._attributes & style._set_attributes
        pen = Pen(
            self._code(style.color, foreground=True), self._code(style.bgcolor, foreground=False), attrs
        )
        self._known[style] = pen
        return pen

    def _code(self, color: Color | None, *, foreground: bool) -> str:
        if color is None or color.type is ColorType.DEFAULT:
            return ""
        lower = color.downgrade(self._depth)
        if self._palette and lower.triplet is not None and (number := PALETTE.get(lower.triplet)):
            return f"{38 if foreground else 48};5;{number}"
        return ";".join(lower.get_ansi_codes(foreground))


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

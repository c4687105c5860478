"""The layout of the screen: `arrange` as Textual wants it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tui.ui.state.layout import Box, Part
from tui.ui.textual.widget import Lines


class Tiles(Layout):
    """Puts each part into its box; a part without a box is not on the screen."""

    name = "tiles"

    def __init__(self, boxes: Callable[[int, int], Mapping[Part, Box]]) -> None:
        self._boxes = boxes

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """A placement for every part that has a box."""
        del parent, greedy
        boxes = self._boxes(size.width, size.height)
        return [
            WidgetPlacement(Region(b.x, b.y, b.width, b.height), NULL_OFFSET, NULL_SPACING, child)
            for child in children
            if isinstance(child, Lines) and (b := boxes.get(child.part))
        ]

"""The layout of a screen: every pane in the box that the pure layout has given it.

CSS cannot say that a pane gives way to others and keeps its height for the rest of a round; `drawing.boxes`
does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual.geometry import Offset, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from tui.ui.app.widgets import Pane
from tui.ui.state.layout import Part
from tui.ui.text.rows import Box


class BoxLayout(Layout):
    """Places each child in the box of its part; a child without a box is not shown."""

    name = "boxes"

    def __init__(self, boxes: Callable[[], Mapping[Part, Box]]) -> None:
        self._boxes = boxes

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Return the placements of the children that have a box."""
        del parent, size, greedy
        boxes = self._boxes()
        return [
            WidgetPlacement(Region(box.x, box.y, box.width, box.height), Offset(), Spacing(), child)
            for child in children
            if isinstance(child, Pane) and (box := boxes.get(child.PART)) is not None
        ]

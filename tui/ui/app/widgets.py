"""The panes of the screen as Textual widgets, and the layout that places them.

Each pane draws the rows that a pure function made for it. CSS cannot shrink one pane for another and keep its
height for the rest of a round; `arrange` of the pure layout does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.strip import Strip
from textual.widget import Widget

from tui.ui.state.layout import Part
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Row

Styles = Callable[[Role], Style]
"""Returns the style of a role in the current theme."""


class PaneWidget(Widget, can_focus=False, inherit_bindings=False):
    """Rows of text, drawn line by line. Textual gives it no focus: the view says which pane has it."""

    def __init__(self, part: Part, styles: Styles) -> None:
        super().__init__(id=part)
        self.part = part
        """The part of the layout that the widget draws, also its id."""
        self._style_of = styles
        self._rows: Sequence[Row] = ()
        self.stale = False
        """Whether new rows wait for the compositor to draw them."""

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows from now on; lines that are the same are not drawn again."""
        old, self._rows = self._rows, rows
        width = self.size.width
        changed = [
            Region(0, y, width, 1)
            for y in range(max(len(old), len(rows)))
            if y >= len(old) or y >= len(rows) or old[y] != rows[y]
        ]
        if changed and width:
            self.stale = True
            self.refresh(*changed)
        elif changed:
            # Out of sight: Textual would show the lines again that it drew before the pane was hidden.
            self.refresh()

    def restyle(self) -> None:
        """Draw all rows again, in the styles of another theme."""
        self.stale = bool(self.size.width)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line, filled up to the width of the pane."""
        self.stale = False
        width = self.size.width
        ground = self._style_of("text")
        if y >= len(self._rows):
            return Strip.blank(width, ground)
        pieces = [Segment(text, self._style_of(role)) for text, role in self._rows[y] if text]
        return Strip(pieces).adjust_cell_length(width, ground)


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
            if isinstance(child, PaneWidget) and (box := boxes.get(child.part)) is not None
        ]

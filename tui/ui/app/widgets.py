"""The panes of the screen as Textual widgets, and the layout that places them.

Each pane draws the rows that a pure function made for it. CSS cannot say that a pane gives way to others and
keeps its height for the rest of a round; `arrange` of the pure layout does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

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
"""The style of each role, in the current theme."""


class Pane(Widget, can_focus=False, inherit_bindings=False):
    """Rows of words, drawn line by line. It takes no focus: the view says which pane the keys go to."""

    PART: ClassVar[Part]
    """The part of the layout that this widget draws; its id."""

    def __init__(self, styles: Styles) -> None:
        super().__init__(id=self.PART)
        self._style_of = styles
        self._rows: Sequence[Row] = ()
        self.stale = False
        """Whether rows have been shown that the compositor has not drawn yet."""

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


class StatusHeader(Pane):
    """The save, the system, the round, and whether all is saved."""

    PART = "header"


class InitiativeTrack(Pane):
    """Who acts when in this round."""

    PART = "track"


class Roster(Pane):
    """Everybody who is in the fight, with hit points and conditions."""

    PART = "roster"


class OrderEntry(Pane):
    """The orders, and the forms and menus in which they are given."""

    PART = "orders"


class EventLog(Pane):
    """What has happened, step by step."""

    PART = "log"


class Card(Pane):
    """The card of the creature that acts."""

    PART = "card"


class CurrentCard(Pane):
    """The card of the creature under the cursor, beside that of the one that acts."""

    PART = "second"


class ComingOrders(Pane):
    """The orders that are still to be carried out, below the track."""

    PART = "coming"


class NowLine(Pane):
    """What must happen next, and why."""

    PART = "now"


class KeyHints(Pane):
    """The keys that mean something now, or the line that is being typed."""

    PART = "hints"


class Overlay(Pane):
    """What lies over the panes: help, a menu, a text to read, the lists of the start screen."""

    PART = "over"


FIGHT: tuple[type[Pane], ...] = (
    StatusHeader, InitiativeTrack, Card, CurrentCard, ComingOrders, Roster, OrderEntry, EventLog, NowLine,
    KeyHints, Overlay,
)  # fmt: skip
"""The panes of a fight. A part of the layout without a pane here is found by a test over all parts."""

START: tuple[type[Pane], ...] = (StatusHeader, Overlay, NowLine, KeyHints)
"""The panes of the start screen."""


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

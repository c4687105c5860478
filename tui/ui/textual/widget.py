"""A widget that shows ready lines and draws again only those that changed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.ui.state.columns import cells
from tui.ui.state.layout import Part
from tui.ui.state.palette import Palette, Role
from tui.ui.state.rows import BLANK, Row
from tui.ui.textual.styles import style


class Ink:
    """Styles by role, made once for each role that is used."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._known: dict[Role, Style] = {}

    def strip(self, line: Row, width: int) -> Strip:
        """The line on the palette's ground, exactly `width` columns wide."""
        segments = [Segment(text, self._style(role)) for text, role in line if text]
        used = sum(cells(s.text) for s in segments)
        return Strip(segments, used).adjust_cell_length(width, self._style("text"))

    def _style(self, role: Role) -> Style:
        if role not in self._known:
            self._known[role] = style(self._palette, role)
        return self._known[role]


class Lines(Widget):
    """One part of the screen. It holds no truth: it shows what it was last given."""

    can_focus = False

    def __init__(self, part: Part, ink: Ink, lines: Sequence[Row] = ()) -> None:
        super().__init__(id=part)
        self.part = part
        self._ink = ink
        self._lines = tuple(lines)

    def show(self, lines: Sequence[Row]) -> None:
        """These lines from now on."""
        old, self._lines = self._lines, tuple(lines)
        height = max(len(old), len(self._lines))
        changed = [y for y in range(height) if _at(old, y) != _at(self._lines, y)]
        if changed:
            # By row: a key mostly changes two of them, and a slow line is spared the others.
            self.refresh(*[Region(0, y, self.size.width, 1) for y in changed])

    def inked(self, ink: Ink) -> None:
        """Other colours."""
        self._ink = ink
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line at `y`, blank below the last."""
        return self._ink.strip(_at(self._lines, y), self.size.width)


def _at(lines: Sequence[Row], y: int) -> Row:
    return lines[y] if y < len(lines) else BLANK

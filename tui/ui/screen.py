"""The screen without Textual, as desks use it: rows become cells, and cells become frames.

It exists before the app: the first picture is painted from it while Textual is being loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from tui.ui.desk.ports import Services, Surface
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.palette import ROLES, Palette, Role
from tui.ui.text.rows import BLANK, Box, Row
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import Depth, Pen, code
from tui.ui.wire.wire import Wire


class Host(Protocol):
    """The app that draws the surface of a display. Its methods are called on the loop's thread."""

    def turn_to(self, surface: Surface) -> None:
        """Show another surface from now on."""

    def redraw(self) -> None:
        """Draw the surface, because the fight has changed."""

    def repaint(self) -> None:
        """Send the whole screen again, because another program has written to the terminal."""

    def apply_palette(self, palette: Palette) -> None:
        """Show the colours of another palette."""


class Display:
    """A terminal that shows one surface at a time in the colours of a palette."""

    def __init__(
        self,
        palette: Palette,
        loop: AppLoop,
        terminal: Terminal,
        leaving: Leaving,
        *,
        can: Abilities | None = None,
        colours: Depth = "truecolor",
    ) -> None:
        self.palette, self.colours = palette, colours
        self.loop, self.terminal, self.leaving = loop, terminal, leaving
        self.wire = Wire(terminal, can or Abilities())
        self.surface: Surface = Surface()
        self.host: Host | None = None
        """The app; None before it runs. It draws everything when it starts."""

    def turn_to(self, surface: Surface) -> None:
        """Show another surface from now on."""
        self.surface = surface
        if self.host:
            self.host.turn_to(surface)

    def apply_palette(self, palette: Palette) -> None:
        """Show the colours of another palette; both use "#rrggbb", or both the terminal's own colours."""
        self.palette = palette
        if self.host:
            self.host.apply_palette(palette)

    def redraw_soon(self) -> None:
        """Draw soon, because the fight has changed by a key or from outside."""
        if self.host:
            self.host.redraw()

    def refresh_soon(self) -> None:
        """Draw soon, because the disk has confirmed or found something; from any thread."""
        self.loop.soon(self.redraw_soon)

    def output_failed(self, error: Exception) -> None:
        """Say that the output has failed, on a screen that is drawn again."""
        self.surface.notify(f"the output failed ({type(error).__name__}); the screen was drawn again")
        self.redraw_soon()

    def repaint(self) -> None:
        """Send the whole screen again, for ctrl+l."""
        if self.host:
            self.host.repaint()

    # --- services that reach the terminal

    def services(self) -> Services:
        """Return the services of a desk that reach the terminal."""
        return Services(
            leave=self.leaving.leave,
            repaint=self.repaint,
            suspend=self.terminal.suspend,
            bell=self.bell,
        )

    def bell(self) -> None:
        """Ring the terminal's bell."""
        self.terminal.write("\a")


BITS = {"bold": 1 << 0, "italic": 1 << 2, "underline": 1 << 3, "reverse": 1 << 6, "strike": 1 << 8}
"""The attribute of each of the theme's `TEXT_STYLES`, as pens number them."""


class RolePens:
    """The pen of each role; each has a background colour, so every cell of the screen has one."""

    def __init__(self, palette: Palette, colours: Depth = "truecolor") -> None:
        self.by_role = {role: _make_pen(palette, role, colours) for role in ROLES}


def _make_pen(palette: Palette, role: Role, colours: Depth) -> Pen:
    words, front, ground = palette.styles.get(role, ""), palette.colors[role], palette.colors["background"]
    if role in ("current", "current-text"):
        words = f"{words} {palette.styles.get('current', '')}"
        front, ground = palette.colors["current-text"], palette.colors["current"]
    attributes = 0
    for word in words.split():
        attributes |= BITS[word]
    return Pen(code(front, colours, ground=False), code(ground, colours, ground=True), attributes)


Name = TypeVar("Name", bound=str)
Span = tuple[int, int, Row]
"""The part of a screen line that a row covers: first column, width, and the row."""


def paint(
    width: int,
    height: int,
    boxes: Mapping[Name, Box],
    drawn: Mapping[Name, Sequence[Row]],
    pens: RolePens,
) -> list[CellRow]:
    """Return the cells of every line, as `Wire.show` takes them.

    Boxes must not overlap; cells outside of them are spaces.
    """
    return [paint_line(width, line, pens) for line in spans(height, boxes, drawn)]


def spans(height: int, boxes: Mapping[Name, Box], drawn: Mapping[Name, Sequence[Row]]) -> list[list[Span]]:
    """Return the spans of every screen line; `drawn` has each box's rows from the top."""
    lines: list[list[Span]] = [[] for _ in range(height)]
    for part, box in boxes.items():
        rows = drawn.get(part, ())
        for i in range(min(box.height, height - box.y)):
            lines[box.y + i].append((box.x, box.width, rows[i] if i < len(rows) else BLANK))
    return lines


def paint_line(width: int, line: Iterable[Span], pens: RolePens) -> CellRow:
    """Return the cells of one line: each span in its columns, cut at its end."""
    by_role = pens.by_role
    row = CellRow.filled_with(width, by_role["text"])
    for x, columns, words in line:
        end = min(x + columns, width)
        if x < end:
            row.paint(x, end, [(text, by_role[role]) for text, role in words if text])
    return row

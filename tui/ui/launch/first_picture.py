"""The first picture, painted before Textual is imported: the same rows on the same wire."""

from __future__ import annotations

from collections.abc import Sequence

from tui.ui.screen.display import Display
from tui.ui.terminal.input_parser import Report, Resized, Started
from tui.ui.text.paint import Canvas, RolePens
from tui.ui.wire.grid import CellRow


def paint_first_picture(display: Display) -> Sequence[CellRow]:
    """Take the terminal, send what is on the display, and return its cells for the app to go on with.

    Keys that are typed meanwhile wait for the app. Without a picture where the shell keeps us in the
    background.
    """
    terminal, wire, surface = display.terminal, display.wire, display.surface
    size = terminal.size()

    def tell(report: Report) -> None:
        nonlocal size
        if isinstance(report, Started):
            wire.open(linefeed=report.linefeed)
        elif isinstance(report, Resized):
            size = report.width, report.height
            wire.resized(*size)

    if not terminal.take(tell):
        return ()
    width, height = size
    boxes = surface.boxes(width, height)
    drawn = surface.draw(boxes)
    rows = Canvas(RolePens(display.palette, display.colours)).paint(width, height, boxes, drawn)
    if surface.spoken:
        wire.point(*surface.point(boxes, drawn))
    wire.show_at_once(rows)
    return rows

"""Paint rows of text into rows of cells, with the pen of each role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from tui.ui.text.palette import ROLES, Palette, Role
from tui.ui.text.rows import BLANK, Box, Row
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import Depth, Pen, code

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

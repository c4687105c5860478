"""Where on the screen something is typed or chosen: for the terminal's own cursor, which screen readers follow."""

from __future__ import annotations

from collections.abc import Mapping

from tui.ui.state.columns import cells
from tui.ui.state.layout import Box, Part
from tui.ui.state.rows import Row
from tui.ui.state.scene import Scene, focus
from tui.ui.state.view import Prompt, lies_over


def place(scene: Scene, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
    """Column and line, from 0: the place of typing, else the current row, else what is read, else the Now line."""
    part = _part(scene)
    box, lines = boxes.get(part), drawn.get(part, [])
    if box is None:
        now = boxes.get("now", Box(0, 0, 1, 1))
        return now.x, now.y
    for y, line in enumerate(lines):
        if (x := _typing(line)) is not None:
            return min(box.x + x, box.x + box.width - 1), box.y + y
    rows = [y for y, line in enumerate(lines) if line[:1] and line[0] == (scene.glyphs.cursor, "focus")]
    return box.x, box.y + (rows[0] if rows else min(1, box.height - 1))


def _part(scene: Scene) -> Part:
    """The part that the keys go to."""
    mode = scene.view.mode
    if lies_over(mode):
        return "over"
    match mode:
        case Prompt():
            return "hints"
        case None:
            return focus(scene)
        case _:
            return "orders"


def _typing(line: Row) -> int | None:
    """The column of the character under the cursor, if something is typed in this line."""
    x = 0
    for text, role in line:
        if role == "current":
            return x
        x += cells(text)
    return None

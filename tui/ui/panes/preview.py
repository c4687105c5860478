"""The pane below the lists of the start screen: more about the row in focus."""

from __future__ import annotations

from tui.ui.panes.creatures import label_line
from tui.ui.panes.listing import home_of
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.home import current
from tui.ui.state.layout import Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row, clip, limit_rows, wrap_text

LINES = 2
"""The height in lines, with the title; it never changes, so that no pane moves with the cursor."""


def _ask(scene: Scene, room: Room) -> Ask:
    del scene, room
    return Ask(LINES, "across", 1, LINES)


def _draw(scene: Scene, box: Box) -> list[Row]:
    entry = current(home_of(scene), scene.view)
    if entry is None:
        return []
    rows = limit_rows(wrap_text(entry.about, box.width - 2), max(1, box.height - 1))
    body: list[Row] = [clip(((f" {row}", "text"),), box.width, scene.glyphs.ellipsis) for row in rows]
    return [label_line(scene, entry.name, box.width), *body]


PANE = Pane("preview", _ask, _draw)

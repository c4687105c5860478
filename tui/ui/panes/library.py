"""Lessons, samples, parties and the trash on the start screen: each leads to a list of its own."""

from __future__ import annotations

from tui.ui.panes.listing import listing, rows_of
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import LIST, Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row


def _ask(scene: Scene, room: Room) -> Ask | None:
    del room
    count = len(rows_of(scene, "library"))
    return Ask(1 + count, "across", 0, min(1 + count, LIST)) if count else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    return listing(scene, "library", "Learn and load", box)


PANE = Pane("library", _ask, _draw, tab=3)

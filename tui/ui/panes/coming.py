"""The rows below the track: creatures that may interrupt the running order, and the other orders."""

from __future__ import annotations

from tui.ui.panes.creatures import label_line
from tui.ui.panes.orders import coming_need, interrupt_rows, now_rows, other_rows
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Piece, Row, clip, pad_rows, span


def coming_rows(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the creatures that may interrupt the running order, and below them the other orders that fit."""
    breaking = interrupt_rows(scene, width)
    head: list[Row] = []
    if breaking:
        room = max(0, min(len(breaking), height - 1))
        head = [
            label_line(scene, "may interrupt", width, *span(0, room, len(breaking), scene.glyphs)),
            *breaking[:room],
        ]
    rows, room = other_rows(scene, width), max(0, height - len(head) - 1)
    if not rows or (head and room < LEAST_ROWS):
        return pad_rows([clip(row, width, scene.glyphs.ellipsis) for row in head], height)
    more = span(0, min(room, len(rows)), len(rows), scene.glyphs)
    others: tuple[Piece, ...] = (("the others", "muted"),) if now_rows(scene, width) else ()
    lines = [*head, label_line(scene, "Orders", width, *(more or others)), *rows[:room]]
    return pad_rows([clip(row, width, scene.glyphs.ellipsis) for row in lines], height)


LEAST_ROWS = 2
"""With fewer free lines the other orders have no title."""


def _ask(scene: Scene, room: Room) -> Ask | None:
    wants = coming_need(scene, room)
    return Ask(wants, "left", 1) if wants else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    return coming_rows(scene, box.width, box.height)


PANE = Pane("coming", _ask, _draw)

"""The systems of the start screen, in which a new fight can be begun."""

from __future__ import annotations

from tui.ui.panes.listing import listing, rows_of
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row

LEAST = 6
"""Lines that it has at the least, its title among them."""


def _ask(scene: Scene, room: Room) -> Ask | None:
    del room
    count = len(rows_of(scene, "systems"))
    return Ask(1 + count, "across", 2, min(1 + count, LEAST)) if count else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    return listing(scene, "systems", "New fight", box, more="a number, then Enter", numbered=True)


PANE = Pane("systems", _ask, _draw, tab=2)

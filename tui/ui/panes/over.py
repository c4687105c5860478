"""What lies over the panes: help, a menu, a text to read, an import, the list of owed rolls."""

from __future__ import annotations

from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row

LEAST = 13
"""Lines that something over the panes would like."""
INSTEAD = 9
"""Lines, a title among them, of what stands in place of the log: where it has them, the panes stay."""
FRAME = 4
"""Lines of header, Now and hints."""


def _ask(scene: Scene, room: Room) -> Ask | None:
    mode = mode_of(scene)
    # On the start screen there is no other place for a menu.
    if mode is None or mode.where == "foot" or (mode.where != "over" and not scene.home):
        return None
    # What is looked up is looked up for the rows and the card, which stay: the log gives its place.
    instead = mode.covers == "log" and room.kind != "small" and (room.height - FRAME) // 2 >= INSTEAD
    return Ask(INSTEAD, "log", least=INSTEAD) if instead else Ask(LEAST, "over", least=LEAST)


def _draw(scene: Scene, box: Box) -> list[Row]:
    mode = mode_of(scene)
    return mode.rows(scene, box) if mode else []


PANE = Pane("over", _ask, _draw)

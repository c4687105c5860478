"""The modes that cover the panes: help, a menu, a text to read, an import, the list of owed rolls."""

from __future__ import annotations

from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row

WANTED_LINES = 13
"""The fewest lines for a mode that covers the panes."""
LEAST_LOG_LINES = 9
"""The fewest lines, with its title, for a mode in place of the log; with less it covers the panes."""
FRAME_LINES = 4
"""The lines of header, Now and hints together."""


def _ask(scene: Scene, room: Room) -> Ask | None:
    mode = mode_of(scene)
    # On the start screen there is no other place for a menu.
    if mode is None or mode.where == "foot" or (mode.where != "over" and not scene.home):
        return None
    # Help is read for the rows and the card, which stay: it takes the place of the log.
    replaces_log = (
        mode.covers == "log" and room.kind != "small" and (room.height - FRAME_LINES) // 2 >= LEAST_LOG_LINES
    )
    return (
        Ask(LEAST_LOG_LINES, "log", least=LEAST_LOG_LINES)
        if replaces_log
        else Ask(WANTED_LINES, "over", least=WANTED_LINES)
    )


def _draw(scene: Scene, box: Box) -> list[Row]:
    mode = mode_of(scene)
    return mode.rows(scene, box) if mode else []


PANE = Pane("over", _ask, _draw)

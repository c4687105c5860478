"""What a pane is: its name, what it asks for, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tui.ui.state.layout import LIST, Part, Place, Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row


class Ask(Struct, frozen=True):
    """The lines that a pane wants and needs at least, its title among them, where, and its rank.

    Of two in one place the one with the lower `rank` comes first when lines are given out.
    """

    wants: int
    place: Place = "right"
    rank: int = 9
    least: int = LIST


def whole(scene: Scene, box: Box) -> int:
    """Return the offset that shows the last row of a pane that pages itself."""
    del scene, box
    return 0


class Pane(Struct, frozen=True):
    """A part of the screen, in a file of its own.

    `ask` says what it wants in a scene and a room, None where it has nothing to say; `draw` returns its rows.
    Tab goes through the panes by their number `tab`, 0 for one that takes no keys. `last_top` is the offset
    at which its last row is shown.
    """

    name: Part
    ask: Callable[[Scene, Room], Ask | None]
    draw: Callable[[Scene, Box], list[Row]]
    tab: int = 0
    last_top: Callable[[Scene, Box], int] = whole

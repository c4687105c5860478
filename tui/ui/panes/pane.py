"""A pane: its name, the room it asks for, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tui.ui.state.layout import LEAST_LIST_LINES, Part, Place, Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row


class Ask(Struct, frozen=True):
    """The room that a pane asks for."""

    wants: int
    """The lines that the pane can use, including its title."""
    place: Place = "right"
    rank: int = 9
    """In one place, a pane with a lower rank gets lines first."""
    least: int = LEAST_LIST_LINES
    """The fewest lines that the pane needs, including its title."""
    instead: Part = ""
    """The pane that this one replaces: while that pane has a box, this one is left out; "" for none."""


def stay_at_top(scene: Scene, box: Box) -> int:
    """Return 0: a pane whose rows follow the cursor needs no offset."""
    del scene, box
    return 0


class Pane(Struct, frozen=True):
    """A part of the screen."""

    name: Part
    ask: Callable[[Scene, Room], Ask | None]
    """Returns the room that the pane asks for, None if it has nothing to show."""
    draw: Callable[[Scene, Box], list[Row]]
    """Returns the rows of the pane, for its box."""
    tab: int = 0
    """The pane's place in the order of Tab, 0 if it cannot have focus."""
    last_top: Callable[[Scene, Box], int] = stay_at_top
    """Returns the offset at which the last row of the pane is shown."""

"""What panes ask of a mode: where it stands, its rows, and what Now says while it has the keys."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from tui.ui.state.layout import Part
from tui.ui.state.scene import Scene
from tui.ui.state.view import Mode
from tui.ui.text.rows import Box, Row

Where = Literal["over", "sheet", "beside", "band", "foot"]
"""Over the panes; over the whole width or in the order pane; in a band above the log; at the foot alone."""


class Asks(Struct, frozen=True):
    """What Now asks while a mode has the keys: the longest head first, what answers it, and more."""

    heads: tuple[str, ...]
    does: Row
    others: tuple[str | Row, ...] = ()


class ShownMode(Mode, frozen=True):
    """A mode as the panes draw it. `has_keys`: no key of the board means anything until it closes.

    `is_typed`: what is typed is judged by a notice, which is shown whole. `covers`: what gives way to a mode
    that stands over the panes; the log keeps its last rows below one that covers only the panes.
    """

    has_keys: ClassVar[bool] = False
    is_typed: ClassVar[bool] = False
    covers: ClassVar[Literal["panes", "log", "all"]] = "panes"

    @property
    def where(self) -> Where:
        """Where it stands."""
        return "over"

    @property
    def part(self) -> Part:
        """The part that has the cursor."""
        return "over" if self.where == "over" else "orders"

    @property
    def writes(self) -> str:
        """The entry whose order is being written; "" for none."""
        return ""

    def need(self, scene: Scene, width: int) -> int:
        """Return the rows that it would like to have."""
        del scene, width
        return 0

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return its rows."""
        del scene, box
        return []

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the row at the foot: what is typed, or the keys."""
        del scene, width
        return ()

    def question(self, scene: Scene) -> str:
        """Return what Now asks and what the keys answer; "" while nothing is asked."""
        del scene
        return ""

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return what Enter would lead to, and what Esc does; "" where the first is not known."""
        del scene
        return "", ""

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return what Now asks in place of what the fight waits for (`act`); None to leave that."""
        del scene, act
        return None

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return what stands below in Now in place of what else is open; None to leave that."""
        del scene
        return None


def mode_of(scene: Scene) -> ShownMode | None:
    """Return the mode that has the keys; None on the board."""
    mode = scene.view.mode
    assert mode is None or isinstance(mode, ShownMode)
    return mode

"""What panes need to know of a mode: its place, its rows, and what Now says while it has focus."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from tui.ui.state.layout import Part
from tui.ui.state.scene import Scene
from tui.ui.state.view import Mode
from tui.ui.text.rows import Box, Row

Where = Literal["over", "sheet", "beside", "band", "foot"]
"""Over the panes; over the whole width; in the order pane; in a band above the log; only in the last row."""


class Asks(Struct, frozen=True):
    """What Now asks while a mode has focus."""

    heads: tuple[str, ...]
    """Wordings of the question, the longest first."""
    does: Row
    """The key that answers it."""
    others: tuple[str | Row, ...] = ()
    """Further sentences."""


class ShownMode(Mode, frozen=True):
    """A mode as the panes draw it."""

    is_modal: ClassVar[bool] = False
    """Whether no key of the board works until it is closed."""
    is_typed: ClassVar[bool] = False
    """Whether a notice about typed text is shown whole."""
    covers: ClassVar[Literal["panes", "log", "all"]] = "panes"
    """What a mode over the panes covers; below "panes", the last rows of the log stay."""

    @property
    def where(self) -> Where:
        """The place on the screen."""
        return "over"

    @property
    def part(self) -> Part:
        """The part that has the cursor."""
        return "over" if self.where == "over" else "orders"

    @property
    def writes(self) -> str:
        """The key of the row whose order is being written, "" for none."""
        return ""

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that it would like to have."""
        del scene, width
        return 0

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return its rows."""
        del scene, box
        return []

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the last row of the screen: typed text, or hints."""
        del scene, width
        return ()

    def question(self, scene: Scene) -> str:
        """Return the question in Now, "" for none."""
        del scene
        return ""

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return what Enter and Esc would do, "" for what is unknown."""
        del scene
        return "", ""

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return what Now asks in place of the moment (`act`), None to keep the moment."""
        del scene, act
        return None

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return the notes below in Now in place of its own, None to keep those."""
        del scene
        return None


def mode_of(scene: Scene) -> ShownMode | None:
    """Return the mode that has focus, None on the board."""
    mode = scene.view.mode
    assert mode is None or isinstance(mode, ShownMode)
    return mode

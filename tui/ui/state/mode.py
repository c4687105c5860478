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
    """What Now shows while a mode has focus: a question and how to answer."""

    what: str
    """The question."""
    does: Row = ()
    """The row that names the key for the answer."""
    others: tuple[str | Row, ...] = ()
    """Sentences after the question."""


class ShownMode(Mode, frozen=True):
    """The properties of a mode that panes draw; a mode overrides those that differ."""

    is_modal: ClassVar[bool] = False
    """Whether no key of the board works until it is closed."""
    is_typed: ClassVar[bool] = False
    """Whether a notice about typed text is shown in full."""
    covers: ClassVar[Literal["panes", "all"]] = "panes"
    """What a mode with `where` "over" hides: the panes above the last log rows, or everything."""

    @property
    def where(self) -> Where:
        """The place on the screen."""
        return "over"

    @property
    def part(self) -> Part:
        """The part that has the cursor."""
        return "over" if self.where == "over" else "orders"

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the mode can use."""
        del scene, width
        return 0

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the rows of the mode, for the size of its box."""
        del scene, box
        return []

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the last row of the screen: the typed text, or hints."""
        del scene, width
        return ()

    def question(self, scene: Scene) -> str:
        """Return the question in Now, "" for none."""
        del scene
        return ""

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return what Enter and Esc would do, "" for a key of which nothing is known."""
        del scene
        return "", ""

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return what Now asks instead of `act`, which must happen next; None to show `act`."""
        del scene, act
        return None

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return the notes in the lower rows of Now; None for the usual notes."""
        del scene
        return None


def mode_of(scene: Scene) -> ShownMode | None:
    """Return the mode that has focus, None on the board."""
    mode = scene.view.mode
    assert mode is None or isinstance(mode, ShownMode)
    return mode

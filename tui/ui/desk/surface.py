"""The interface between the app and a desk: keys come in, rows and boxes go out."""

from __future__ import annotations

from collections.abc import Mapping

from tui.ui.state.layout import Part
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row


class Surface:
    """Handles keys and pastes, and draws frames. This base class shows nothing."""

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's cursor."""
        return False

    @property
    def settled(self) -> bool:
        """Whether the disk has everything that is shown, or the reason why not is shown."""
        return True

    def press(self, press: Press) -> None:
        """Handle a key."""

    def takes(self, command: str) -> bool:
        """Return whether every key of this command runs it now."""
        del command
        return False

    def perform(self, command: str) -> None:
        """Run a command by its id."""

    def rest(self) -> bool:
        """Return whether the frame changes because no key has come for a moment."""
        return False

    def paste(self, text: str) -> None:
        """Handle pasted text, which is never a series of keys."""

    def say(self, text: str, role: Role = "warning") -> None:
        """Show a notice until the next key."""

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        """Return the box of every part that fits."""
        del width, height
        return {}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        """Return the rows of every part that has a box."""
        del boxes
        return {}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """Return column and line of the text cursor or of the row in focus."""
        del boxes, drawn
        return 0, 0

"""What the keys go to: a fight, or the start screen. The app knows no more of them."""

from __future__ import annotations

from collections.abc import Mapping

from tui.ui.state.layout import Part
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row


class Surface:
    """Keys and pastes in, pictures out. This one is blank."""

    @property
    def spoken(self) -> bool:
        """Whether a screen reader follows the terminal's own cursor."""
        return False

    @property
    def settled(self) -> bool:
        """Whether the disk has everything that is shown, or the reason why not is shown."""
        return True

    def press(self, press: Press) -> None:
        """Take one key."""

    def takes(self, command: str) -> bool:
        """Return whether a key of this command means it now."""
        del command
        return False

    def perform(self, command: str) -> None:
        """Run a command by its id, as its key does."""

    def rest(self) -> bool:
        """Return whether the picture changes when no key has come for a moment."""
        return False

    def paste(self, text: str) -> None:
        """Take pasted text, which is never taken for keys."""

    def say(self, text: str, role: Role = "warning") -> None:
        """Show a notice until the next key."""

    def boxes(self, width: int, height: int) -> Mapping[Part, Box]:
        """Return where every part stands that has room."""
        del width, height
        return {}

    def draw(self, boxes: Mapping[Part, Box]) -> Mapping[Part, list[Row]]:
        """Return the rows of every part that has a box."""
        del boxes
        return {}

    def point(self, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
        """Return the column and line at which something is typed or chosen."""
        del boxes, drawn
        return 0, 0

"""A mode: its keys, how it handles pastes, what it shows, and the hints in the last row."""

from __future__ import annotations

from typing import ClassVar

from tui.ui.desk.base import BaseDesk
from tui.ui.panes.hints import hint_line
from tui.ui.state.mode import ShownMode
from tui.ui.state.scene import Scene
from tui.ui.text.press import Press
from tui.ui.text.rows import Row

Hints = tuple[tuple[str, str], ...]
"""Pairs of a key and the word shown beside it."""


class KeyMode(ShownMode, frozen=True):
    """A mode that has focus and handles the keys in place of the board."""

    HINTS: ClassVar[Hints] = ()
    """The hints in the last row."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""

    def press_unused(self, desk: BaseDesk, key: Press, hint: str) -> None:
        """Go on with the fight if the key is that of `next`; show the hint for another key."""
        command = desk.keys.commands.get(key.name)
        if command and command.id == "next":
            desk.dismiss()
            desk.submit("go-on")
        else:
            desk.notify(hint, "hint")

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Handle a paste as `text` or, in one line, as `typed`; return False if it is ignored."""
        del desk, text, typed
        return False

    def overtaken(self, desk: BaseDesk) -> str:
        """Handle a player's step; return what it has settled that keys were meant for, "" for nothing."""
        del desk
        return ""

    def confirm(self, desk: BaseDesk) -> None:
        """Do what the mode's question asked, after the answer yes."""

    def hints(self, scene: Scene) -> Hints:
        """Return the keys that work now, each with its word."""
        del scene
        return self.HINTS

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the last row of the screen: the hints."""
        return hint_line(scene, self.hints(scene), width)

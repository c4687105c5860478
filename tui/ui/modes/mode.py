"""A mode: what keys and pastes do in it, what it shows, and the keys that it names at the foot."""

from __future__ import annotations

from typing import ClassVar

from tui.ui.desk.base import BaseDesk
from tui.ui.panes.hints import hint_line
from tui.ui.state.mode import ShownMode
from tui.ui.state.scene import Scene
from tui.ui.text.press import Press
from tui.ui.text.rows import Row

Hints = tuple[tuple[str, str], ...]
"""Keys, each with its word."""


class KeyMode(ShownMode, frozen=True):
    """What has the keys in place of the board. A subclass is a mode; `HINTS` are the keys that it names."""

    HINTS: ClassVar[Hints] = ()

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key."""

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Take a pasted `text`, which is `typed` as one line; return False where nothing can be typed."""
        del desk, text, typed
        return False

    def confirmed(self, desk: BaseDesk) -> None:
        """Do what was asked about, now that it was answered with yes."""

    def hints(self, scene: Scene) -> Hints:
        """Return the keys that mean something now, each with its word."""
        del scene
        return self.HINTS

    def foot(self, scene: Scene, width: int) -> Row:
        """Return the row at the foot: the keys."""
        return hint_line(scene, self.hints(scene), width)

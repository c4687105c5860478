"""A key, as the terminal tells it."""

from __future__ import annotations

from msgspec import Struct


class Press(Struct, frozen=True):
    """A key: its name, and the character it types, if any."""

    key: str
    char: str = ""

    @property
    def name(self) -> str:
        """What the table of commands calls it."""
        return self.char if self.char and self.char != " " else self.key

    @property
    def settled(self) -> Press:
        """Enter for ctrl+j: typed before the screen was up, when the terminal still made a line break of Enter."""
        return Press("enter") if self.key == "ctrl+j" else self

"""Define the user's settings: what `config.toml` says, and what the call and the terminal add to it."""

from __future__ import annotations

from msgspec import Struct

from tui.ui.state.commands import Command, with_keys
from tui.ui.text.glyphs import Glyphs, alphabet


class Settings(Struct, frozen=True, dict=True):
    """A theme's name, keys by command id, and switches; `faults` are lines to be shown.

    `masked`: the players can see the screen, so orders are not shown while typed. `bell`: ring it when a turn
    begins; `turn_limit`: and when one takes longer than this many seconds, 0 for never.
    """

    theme: str = ""
    keys: dict[str, tuple[str, ...]] = {}
    ascii: bool = False
    bell: bool = False
    masked: bool = False
    a11y: bool = False
    quit_to_start: bool = False
    turn_limit: int = 0
    faults: tuple[str, ...] = ()

    @property
    def commands(self) -> tuple[Command, ...]:
        """The table of commands with the user's keys."""
        return with_keys(self.keys)

    @property
    def glyphs(self) -> Glyphs:
        """The signs that the terminal and the user can read."""
        return alphabet(ascii_only=self.ascii, aloud=self.a11y)

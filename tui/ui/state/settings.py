"""The user's settings: those of `config.toml`, of the command line and of the terminal."""

from __future__ import annotations

from msgspec import Struct

from tui.ui.state.commands import Command, with_keys
from tui.ui.text.glyphs import Glyphs, alphabet


class Settings(Struct, frozen=True, dict=True):
    """The user's settings."""

    theme: str = ""
    """The name of a theme."""
    keys: dict[str, tuple[str, ...]] = {}
    """Keys by the id of a command."""
    ascii: bool = False
    bell: bool = False
    """Whether the bell rings when a turn begins."""
    masked: bool = False
    """Whether orders are hidden while typed, because players can see the screen."""
    a11y: bool = False
    quit_to_start: bool = False
    rule_numbers: bool = False
    """Whether log and refusals name the clause on which they rest."""
    serve: str = ""
    """Where the pages of fights that were served before are served, as ADDRESS:PORT; "" for nowhere."""
    faults: tuple[str, ...] = ()
    """Errors in the settings, to be shown."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The table of commands with the user's keys."""
        return with_keys(self.keys)

    @property
    def glyphs(self) -> Glyphs:
        """The signs that the terminal can show and the user can read."""
        return alphabet(ascii_only=self.ascii, aloud=self.a11y)

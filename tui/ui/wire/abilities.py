"""The abilities of the terminal, from its name and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

COLOUR_ERASERS: Final = (
    "xterm", "alacritty", "foot", "kitty", "wezterm", "ghostty", "contour", "vte", "gnome", "konsole",
    "rxvt", "st-", "putty", "iterm", "mintty", "mlterm", "ms-terminal", "linux",
)  # fmt: skip
"""TERM names whose terminals fill erased cells with the current background (terminfo: bce)."""

REPEATERS: Final = (
    "xterm",
    "kitty",
    "wezterm",
    "foot",
    "contour",
    "ghostty",
    "mintty",
    "iterm2",
    "mlterm",
)
"""Programs, by their XTVERSION names, that know REP (CSI b) for every character.

tmux knows it only for ASCII.
"""


class Abilities(Struct, frozen=True):
    """What may be sent besides plain ECMA-48. A wrong False costs bytes, but never breaks the picture."""

    erases_in_colour: bool = False
    """Whether erased cells take the current background."""
    repeats: bool = False
    """Whether REP (repeat the last character) works."""
    scrolls: bool = False
    """Whether IL and DL (insert and delete lines) work."""
    synchronizes: bool = False
    """Whether mode 2026 (synchronized output) works."""
    linefeed: bool = False
    """Whether the line discipline sends line feeds without an added carriage return."""
    ascii_only: bool = False
    """Whether only ASCII may be sent: accents are removed, other characters become `?`."""

    def with_program(self, program: str) -> Abilities:
        """Return these abilities with those of the program that the terminal has reported by XTVERSION."""
        known = program.lower().startswith(REPEATERS)
        return replace(self, repeats=known, erases_in_colour=self.erases_in_colour or known)


def from_environment(environ: Mapping[str, str], *, ascii_only: bool = False) -> Abilities:
    """Return the abilities that the variable TERM promises; none for an unknown name."""
    term = environ.get("TERM", "")
    known = term.startswith((*COLOUR_ERASERS, "screen", "tmux")) or "kitty" in term
    return Abilities(
        # A multiplexer may run in any terminal, and terminfo promises no bce for it.
        erases_in_colour=known and not term.startswith(("screen", "tmux")),
        scrolls=known,
        ascii_only=ascii_only,
    )

"""What the terminal at the other end can do, from its name and its answers."""

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
"""Programs, as they name themselves in answer to XTVERSION, that know REP (CSI b) for every character.

tmux does for ASCII alone.
"""


class Abilities(Struct, frozen=True):
    """What may be sent besides the plainest of ECMA-48; a False costs bytes, never correctness.

    erases_in_colour: an erased cell takes the current background. repeats: REP. scrolls: IL and DL.
    slides: ICH and DCH. synchronizes: mode 2026. linefeed: the line discipline sends line feeds unchanged.
    ascii_only: nothing beyond ASCII may be sent; letters lose their accents, others become `?`.
    """

    erases_in_colour: bool = False
    repeats: bool = False
    scrolls: bool = False
    slides: bool = False
    synchronizes: bool = False
    linefeed: bool = False
    ascii_only: bool = False

    def named(self, program: str) -> Abilities:
        """Return what is known once the terminal has reported its name (XTVERSION)."""
        known = program.lower().startswith(REPEATERS)
        return replace(self, repeats=known, erases_in_colour=self.erases_in_colour or known)


def from_environment(environ: Mapping[str, str], *, ascii_only: bool = False) -> Abilities:
    """Return what the variable TERM promises; nothing for a name not known."""
    term = environ.get("TERM", "")
    known = term.startswith((*COLOUR_ERASERS, "screen", "tmux")) or "kitty" in term
    return Abilities(
        # A multiplexer may stand in front of any terminal, and terminfo promises no bce for it.
        erases_in_colour=known and not term.startswith(("screen", "tmux")),
        scrolls=known,
        slides=known,
        ascii_only=ascii_only,
    )

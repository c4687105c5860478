"""The terminal's modes: what is set at the start."""

from __future__ import annotations

import os
import termios
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.ui.terminal.giving_back import Attributes

START: Final = "\x1b[?1049h\x1b[?2004h\x1b[?7;25l"
"""Alternate screen, bracketed paste, no wrapping, no cursor. No mouse, no focus events, no kitty keyboard."""


def questions(environ: Mapping[str, str]) -> str:
    """What is asked at the start: synchronized output, the terminal's name, and whether it answers.

    Apple's Terminal prints the first and the Linux console takes the second for a command to its lamps.
    """
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "\x1b[5n"
    return "\x1b[5n" if environ.get("TERM") == "linux" else "\x1b[?2026$p\x1b[>q\x1b[5n"


def raw(before: Attributes) -> Attributes:
    """A line discipline that hands on every byte unchanged, both ways; ctrl+c and ctrl+z are keys."""
    after = [*before[:6], [*before[6]]]
    after[0] &= ~(
        termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP
    )
    after[1] &= ~termios.OPOST
    # Without ISIG ctrl+c and ctrl+z reach us as keys, so that one in a half-typed line ends nothing.
    after[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    after[6][termios.VMIN], after[6][termios.VTIME] = 1, 0
    return after


def in_foreground(number: int) -> bool:
    """Whether the shell lets us have the terminal; true as well where it is not the one that controls us."""
    try:
        return os.tcgetpgrp(number) == os.getpgrp()
    except OSError:
        return True

"""The terminal's modes: what is set at the start, and everything that gives the terminal back."""

from __future__ import annotations

import contextlib
import os
import termios
import time
from typing import TYPE_CHECKING, Any, Final

from tui.ui.terminal.output import own_descriptor

if TYPE_CHECKING:
    from collections.abc import Mapping

START: Final = "\x1b[?1049h\x1b[?2004h\x1b[?7;25l"
"""Alternate screen, bracketed paste, no wrapping, no cursor. No mouse, no focus events, no kitty keyboard."""

RESTORE: Final = "\x1b[?2026l\x1b[m\x1b[r\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Synchronized output, pen, margins, paste, wrapping, screen and cursor, as a shell expects them."""

CANCEL: Final = "\x18"
"""Ends a sequence that was cut off in the middle."""

TRIES, PAUSE = 20, 0.01
"""How often, and at what distance in seconds, giving back is tried."""

Attributes = list[Any]
"""What termios.tcgetattr returns."""


def questions(environ: Mapping[str, str]) -> str:
    """What is asked at the start: synchronized output, the terminal's name, and whether it answers.

    Apple's Terminal prints the first and the Linux console takes the second for a command to its lamps.
    """
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return "\x1b[5n"
    return "\x1b[5n" if environ.get("TERM") == "linux" else "\x1b[?2026$p\x1b[>q\x1b[5n"


def attributes(number: int) -> Attributes | None:
    """A terminal's line discipline, None if there is no terminal."""
    try:
        return termios.tcgetattr(number)
    except termios.error:
        return None


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


def give_back(output: int, before: Attributes | None, data: str) -> None:
    """Restores a terminal by hand and without waiting for it, even when nobody reads what it shows.

    What waits to be shown is thrown away, so that these bytes fit. Nobody else may be writing.
    """
    # The output may have stopped inside a sequence, which would swallow the first of ours.
    rest = (CANCEL + data).encode()
    with contextlib.suppress(OSError, termios.error):
        own = own_descriptor(output)
        for _ in range(TRIES):
            # Flushed before each try: a terminal that nobody reads has no room for what gives it back.
            termios.tcflush(own, termios.TCOFLUSH)
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(own, rest) :]
            if not rest:
                break
            time.sleep(PAUSE)
    if before is not None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(output, termios.TCSANOW, before)

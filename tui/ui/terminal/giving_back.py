"""A terminal given back by hand: by the program at its end, or by its guardian."""

from __future__ import annotations

import contextlib
import os
import termios
import time
from typing import Any, Final

Attributes = list[Any]
"""What termios.tcgetattr returns."""

RESTORE: Final = "\x1b[?2026l\x1b[m\x1b[r\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h"
"""Synchronized output, pen, margins, paste, wrapping, screen and cursor, as a shell expects them."""

CANCEL: Final = "\x18"
"""Ends a sequence that was cut off in the middle."""

TRIES, PAUSE = 20, 0.01
"""How often, and at what distance in seconds, giving back is tried."""


def own_descriptor(number: int) -> int:
    """A descriptor of our own for a terminal, one that never waits; or `number` if there is none.

    O_NONBLOCK belongs to the open file, which we share with the shell: it is not set there. And a write that
    waits would hold the terminal's lock against whoever wants to restore it.
    """
    try:
        return os.open(os.ttyname(number), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return number


def attributes(number: int) -> Attributes | None:
    """A terminal's line discipline, None if there is no terminal."""
    try:
        return termios.tcgetattr(number)
    except termios.error:
        return None


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

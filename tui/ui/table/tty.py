"""The terminal taken and given back, without Textual: modes, bytes out, bytes in."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import time
from typing import Final

from tui.ui.terminal.modes import RESTORE, START, attributes, give_back, in_foreground, questions, raw
from tui.ui.terminal.output import Output
from tui.ui.wire.clock import ASK

INPUT, OUTPUT = 0, 2
"""The descriptors of the terminal: keys come from one, what is drawn goes to the other, as everywhere in the program."""

ANSWER: Final = b"\x1b[0n"
CHUNK: Final = 65_536
LAST_WRITE: Final = 0.6
"""Seconds to wait, when leaving, for a terminal that reads slowly."""

LAST_ANSWER: Final = 0.5
"""Seconds to wait, when leaving, for an answer under way: it would be typed into the user's shell."""


class Tty:
    """The terminal of this process. `taken` while it is ours."""

    def __init__(self) -> None:
        self._output: Output | None = None
        self._before = attributes(INPUT)
        self._asked = self._heard = 0

    @property
    def taken(self) -> bool:
        """Whether the terminal is ours at the moment."""
        return self._output is not None

    def take(self) -> bool | None:
        """Takes the terminal, or sets its modes once more; whether line feeds reach it as they are. None: not yet ours."""
        if not in_foreground(INPUT):  # setting its modes from the background would stop us again
            return None
        if self._output is None:
            self._before = attributes(INPUT)
            self._output = Output(OUTPUT)
        linefeed = False
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(INPUT, termios.TCSANOW, raw(self._before))
                # What was just set holds for what is drawn only if both are one terminal.
                linefeed = os.fstat(INPUT).st_rdev == os.fstat(OUTPUT).st_rdev
        self.write(START + questions(os.environ))
        return linefeed

    def restore(self) -> None:
        """Gives the terminal back, for good or until it is taken again."""
        if self._output is None:
            return
        self._last_answers()
        output, self._output = self._output, None
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(INPUT, termios.TCSANOW, self._before)
        output.write(RESTORE)
        if not output.stop(LAST_WRITE):
            give_back(OUTPUT, self._before, RESTORE)
        with contextlib.suppress(termios.error):
            # What was typed while we left was meant for us, not for the shell.
            termios.tcflush(INPUT, termios.TCIFLUSH)

    def _last_answers(self) -> None:
        """Waits a little for answers under way, unless this terminal has never given any."""
        end = time.monotonic() + LAST_ANSWER
        while self._heard and self._heard < self._asked and (left := end - time.monotonic()) > 0:
            if not select.select([INPUT], [], [], left)[0] or not self.read():
                return

    def write(self, data: str) -> None:
        """Queues bytes for the terminal; nothing while it is not ours."""
        if self._output is not None:
            self._asked += data.count(ASK)
            self._output.write(data)

    def busy(self) -> bool:
        """Whether the terminal reads more slowly than we write."""
        return self._output is not None and self._output.busy()

    def silence(self) -> None:
        """Writes nothing more: somebody else is giving the terminal back. May be called from any thread."""
        if (output := self._output) is not None:
            output.abandon()

    def read(self) -> bytes:
        """What came; nothing at the end of input and for a terminal that is gone."""
        with contextlib.suppress(OSError):
            data = os.read(INPUT, CHUNK)
            self._heard += data.count(ANSWER)
            return data
        return b""


def size() -> tuple[int, int]:
    """TableColumns and lines of the terminal."""
    try:
        width, height = os.get_terminal_size(OUTPUT)
    except OSError:
        return 80, 24
    return width or 80, height or 24

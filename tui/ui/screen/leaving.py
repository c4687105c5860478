"""How the program ends: once, and with one code."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial

from tui.ui.terminal.terminal import Terminal

HUNG_UP = 128 + signal.SIGHUP
"""Exit code of a program whose terminal went away."""


class Leaving:
    """Notes that the program is to end; what a guardian asks, it answers from a thread of its own."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.code: int | None = None
        self.left: Callable[[], None] = lambda: None
        """Called when the program is to end."""

    def leave(self, code: int = 0) -> None:
        """Ends the program with this code; a second wish changes nothing."""
        if self.code is None:
            self.code, self._terminal.leaving = code, True
            self.left()

    def leave_with(self, code: int) -> None:
        """Ends it as soon as the loop comes to it."""
        self._terminal.loop.soon(partial(self.leave, code))

    def heeds(self, number: int) -> bool:
        """Return whether a signal is meant for us: an interrupt typed at an editor that has the terminal is not."""
        return number not in (signal.SIGINT, signal.SIGQUIT) or not self._terminal.lent

    def stir(self) -> None:
        """Wakes the loop, so that Python runs the handlers of signals that came while it waited."""
        self._terminal.loop.soon(lambda: None)

    def silence(self) -> None:
        """Writes nothing more to the terminal."""
        self._terminal.silence()

"""The guardian: SIGTERM, SIGHUP and SIGINT end the program in order, or soon (RELIABILITY, Signals).

Handlers run in the main thread, which may be stuck; so the signals are blocked everywhere and a thread waits
for them. It asks the app to exit with 128 + n, and when the process is still there 1.5 s later it restores
the terminal by hand and ends it. The store must need no clean-up at exit.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from tui.ui.terminal.modes import RESTORE, attributes, give_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.app import App

SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

PATIENCE: Final = 1.5
"""Seconds an orderly exit may take."""


def unblock() -> None:
    """Let a child process have these signals again: `preexec_fn` of an editor started from the screen."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


class Guardian:
    """Waits for a signal in a thread of its own.

    `leave` asks the program to exit with a code; `heeds` tells whether a signal is meant for us, for ctrl+c
    in an editor that has the terminal is not.
    """

    def __init__(self, leave: Callable[[int], None], heeds: Callable[[int], bool], output: int = 2) -> None:
        self._leave, self._heeds = leave, heeds
        self._output = output
        self._before = attributes(output)
        self._over = False
        self._mask: set[int] = set()
        self._thread = Thread(target=self._watch, name="guardian", daemon=True)

    def start(self) -> None:
        """Block the signals, in this thread and those it will start, and begin to wait."""
        self._mask = set(signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS))
        self._thread.start()

    def stop(self) -> None:
        """Stop waiting: the terminal has been given back. An exit under way keeps its deadline."""
        self._over = True
        if self._thread.is_alive() and self._thread.ident is not None:
            signal.pthread_kill(self._thread.ident, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def _watch(self) -> None:
        signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGTTOU}
        )  # or restoring from the background stops us
        number = signal.sigwait(SIGNALS)
        while not self._over and not self._heeds(number):
            number = signal.sigwait(SIGNALS)
        if self._over:
            return
        self._leave(128 + number)
        time.sleep(PATIENCE)
        if not self._over:
            give_back(self._output, self._before, RESTORE)
        os._exit(128 + number)


@contextmanager
def guarding(app: App[Any]) -> Iterator[Guardian]:
    """Guard an app while it runs; enter before anything starts a thread."""

    def leave(code: int) -> None:
        loop = app._loop  # noqa: SLF001
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(partial(app.exit, return_code=code))

    def heeds(number: int) -> bool:
        return number != signal.SIGINT or getattr(app._driver, "taken", True)  # noqa: SLF001

    guardian = Guardian(leave, heeds)
    guardian.start()
    try:
        yield guardian
    finally:
        guardian.stop()

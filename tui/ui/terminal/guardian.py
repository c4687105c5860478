"""End the program in order, once, with one exit code, on SIGTERM, SIGHUP and SIGINT (PROMISES.md, 7 and 10).

Python runs handlers in the main thread, which may be stuck. So the handlers do nothing; the interpreter's
wake-up descriptor, which is written at the moment of the signal whatever any thread is doing, wakes our
thread. Our thread asks the app to exit with 128 + n. If the process still runs 1.5 s later, our thread
restores the terminal and ends the process. (Blocking signals and waiting for them would not do: other
threads, such as the store's, would take the signal and die of it, and children would inherit the block.)

The store must need no clean-up at exit. A call that holds the interpreter holds this thread too: such calls
are bounded (promise 10).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread
from typing import Any, Final

from tui.ui.terminal.terminal import RESTORE, Terminal, attributes, give_back

ENDING_SIGNALS: Final = frozenset({signal.SIGTERM, signal.SIGHUP, signal.SIGINT})
"""Signals that end the program even if they have a handler.

Other signals are left alone if they have a handler.
"""

SIGNALS: Final = frozenset(signal.valid_signals()) - {
    signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT,
    signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH,
    signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL,
}  # fmt: skip
"""Every signal that ends a program by default, except SIGKILL and faults of the processor.

The set is written as all signals but a few, so that it includes signals that only some systems have.
"""

EXIT_SECONDS: Final = 1.5
"""How long an orderly exit may take, in seconds."""


class Guardian:
    """Waits for a signal in a thread. Must be started and stopped in the main thread."""

    def __init__(self, program: Leaving) -> None:
        self._program = program
        self._before = attributes(2)
        self._over = self._leaving = False
        self._heard, self._wake = os.pipe()
        # Python's handler writes here, and must never wait.
        os.set_blocking(self._wake, False)
        self._handlers: dict[int, Any] = {}
        self._thread = Thread(target=self._watch, name="guardian", daemon=True)

    def start(self) -> None:
        """Start to wait for signals."""
        # Before the handlers are set: a signal between the two would be lost.
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        for number in SIGNALS:
            if number in ENDING_SIGNALS or signal.getsignal(number) is signal.SIG_DFL:
                self._handlers[number] = signal.signal(number, lambda *_: None)
        self._thread.start()

    def stop(self) -> None:
        """Stop waiting; call it after the terminal was restored.

        An exit under way keeps its deadline, and a second signal does not change how it ends.
        """
        self._over = True
        if self._leaving:
            return
        signal.set_wakeup_fd(-1)
        # Number 0 is not a signal: it only wakes the thread, which then sees that it must end.
        os.write(self._wake, b"\0")
        self._thread.join()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        os.close(self._wake)
        os.close(self._heard)

    def _watch(self) -> None:
        signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGTTOU}
        )  # or restoring from the background stops us
        while not self._over:
            for number in os.read(self._heard, 64):
                if number in self._handlers:
                    self._leaving = True
                    self._end(128 + number)
                if number:
                    self._program.stir()

    def _end(self, code: int) -> None:
        self._program.leave_with(code)
        time.sleep(EXIT_SECONDS)
        # Only a terminal that is still ours: a shell that has it again must not get our sequences.
        if not self._over:
            self._program.silence()
            give_back(2, self._before, RESTORE)
        os._exit(code)


@contextmanager
def guard(program: Leaving) -> Iterator[Guardian]:
    """Guard a program while it runs."""
    guardian = Guardian(program)
    guardian.start()
    try:
        yield guardian
    finally:
        guardian.stop()


ASKED_TO_END: Final = 128 + signal.SIGTERM
"""The exit code of a program that SIGTERM has ended."""


def say_why(code: int) -> None:
    """Print why the program ended if SIGTERM ended it; the terminal must have been restored."""
    if code == ASKED_TO_END:
        # If no one can read it any more it is not missed.
        with suppress(OSError):
            os.write(2, b"ended by SIGTERM: taken over from another terminal, or stopped by the system\n")


HANG_UP_ERRORS = 128 + signal.SIGHUP
"""The exit code of a program whose terminal was closed."""


class Leaving:
    """Ends the program when a guardian asks, from whichever thread."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.code: int | None = None
        self.left: Callable[[], None] = lambda: None
        """Called when the program has to end, whatever the reason."""

    def leave(self, code: int = 0) -> None:
        """End the program with this code; a second call changes nothing."""
        if self.code is None:
            self.code, self._terminal.leaving = code, True
            self.left()

    def leave_with(self, code: int) -> None:
        """End the program with this code, on the loop's thread."""
        self._terminal.loop.soon(partial(self.leave, code))

    def stir(self) -> None:
        """Wake the main thread if it waits, because Python runs handlers only there.

        The system may have delivered the signal to another thread.
        """
        self._terminal.loop.soon(lambda: None)

    def silence(self) -> None:
        """Write nothing more to the terminal."""
        self._terminal.silence()

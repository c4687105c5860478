"""The watchdog: a process of its own that ends the program when a signal finds it stuck in one long C call.

A thread of ours cannot run while a regular expression or a sort holds the interpreter. But the C half of Python's
signal handler writes the signal's number to the wake-up descriptor at once, and this process sees it there. It
only ever looks: the guardian's thread reads the numbers, and where all is well it ends the program first. Once
SIGTERM or SIGHUP was seen the program has GRACE seconds; then it is killed, which frees its lock, and the
terminal is given back.

It is forked before any lock is opened and before any thread runs, keeps nothing open but the terminal and its
two lines, and ends with the program. Another interpreter would cost twenty milliseconds and its memory; and so that
the fork costs next to nothing, now and in pages copied later, it comes before anything else is loaded.
"""

from __future__ import annotations

import os
import select
import time

# The part of `socket` that is C: the whole of it takes 2 ms of the processor more at each start.
from _socket import MSG_DONTWAIT, MSG_PEEK, socket, socketpair
from contextlib import contextmanager, suppress

from tui.ui.terminal.giving_back import RESTORE, attributes, give_back

TYPE_CHECKING = False  # without typing, which the start image loads

if TYPE_CHECKING:
    import signal
    from collections.abc import Iterator
    from typing import Final, NoReturn

    from tui.ui.terminal.giving_back import Attributes
else:
    import _signal as signal  # without the enumerations, which take another

DEADLY: Final = frozenset({signal.SIGTERM, signal.SIGHUP})

GRACE: Final = 2.2
"""Seconds from the signal to the end by force: longer than the guardian's patience and a last write."""

PAUSE: Final = 0.05
"""Seconds between two looks while other signals wait to be read."""

TERMINAL: Final = 2
"""The descriptor that the screen is drawn on."""


class Watchdog:
    """The two ends that the program keeps: `heard` and `told` are the guardian's; closing all ends the process."""

    def __init__(self, heard: socket, told: socket, leash: int) -> None:
        self.heard, self.told = heard, told
        self._leash = leash

    def arm(self) -> None:
        """A deadly signal was read: the deadline stands from now on, whether its number was seen or not."""
        with suppress(OSError):
            os.write(self._leash, b"!")

    def close(self) -> None:
        """Lets the process go."""
        self.heard.close()
        self.told.close()
        if self._leash >= 0:
            os.close(self._leash)


@contextmanager
def watched(*, unleash: bool = True) -> Iterator[Watchdog]:
    """A watchdog while something runs; without its process where that is not wanted or not granted."""
    heard, told = socketpair()
    told.setblocking(False)
    dog = Watchdog(heard, told, _unleashed(heard, told) if unleash else -1)
    try:
        yield dog
    finally:
        dog.close()


def _unleashed(heard: socket, told: socket) -> int:
    """The process, by the descriptor whose closing ends it; -1 where there is none."""
    try:
        collar, leash = os.pipe()
        parent, before = os.getpid(), attributes(TERMINAL)
        child = os.fork()
    except OSError:
        return -1
    if child == 0:
        told.close()
        os.close(leash)
        _watch(heard, collar, parent, before)
    os.close(collar)
    return leash


def _watch(heard: socket, collar: int, parent: int, before: Attributes | None) -> NoReturn:
    """The watchdog itself, in its own process."""
    try:
        os.setsid()  # no key and no shell sends us signals
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        _close_all_but(TERMINAL, heard.fileno(), collar)
        # If the parent is gone its number may be somebody else's by now.
        if _must_end(heard, collar) and os.getppid() == parent:
            os.kill(parent, signal.SIGKILL)
            give_back(TERMINAL, before, RESTORE)
    finally:
        os._exit(0)


def _must_end(heard: socket, collar: int) -> bool:
    """Waits: whether the program has outlived its deadline, or has gone by itself."""
    deadline = 0.0
    while True:
        left = deadline - time.monotonic() if deadline else None
        if left is not None and left <= 0:
            return True
        # Once the deadline stands, only the end of the program counts: its signals are not looked at again.
        ready = select.select([collar] if deadline else [collar, heard.fileno()], [], [], left)[0]
        if collar in ready:
            # End of file: every holder of the other end has gone, however it died.
            if not os.read(collar, 16):
                return False
            deadline = deadline or time.monotonic() + GRACE
        elif ready:
            if DEADLY.intersection(_seen(heard)):
                deadline = time.monotonic() + GRACE
            else:
                time.sleep(PAUSE)  # somebody else reads them


def _seen(heard: socket) -> bytes:
    """The signals that nobody has read yet.

    Never waits: the guardian may read them after `select` has named them, and who waits here does not see it arm us.
    """
    try:
        return heard.recv(4096, MSG_PEEK | MSG_DONTWAIT)
    except BlockingIOError:
        return b""


def _close_all_but(*kept: int) -> None:
    """Closes whatever was the program's: its files, and its pipes to others."""
    low = 0
    for number in sorted(kept):
        os.closerange(low, number)
        low = number + 1
    os.closerange(low, max(256, os.sysconf("SC_OPEN_MAX")))

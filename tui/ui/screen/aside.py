"""What takes long, worked out beside the screen.

Keys are answered meanwhile, and what comes of it is taken on the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Protocol

SOON = 0.08
"""Seconds that a key may wait for it: nearly all is done by then, and takes one frame instead of two."""


class Calls(Protocol):
    """A loop that can be asked for a call."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread."""


def aside(loop: Calls, work: Callable[[], Callable[[], None]], then: Callable[[], None]) -> None:
    """Work in a thread of its own; on the loop calls what that returned, and `then`.

    An error is the loop's, too.
    """
    task = _Task(loop, work, then)
    thread = Thread(target=task.run, name="aside", daemon=True)
    thread.start()
    thread.join(SOON)
    if not thread.is_alive():
        task.take()


class _Task:
    """The work, and what came of it."""

    def __init__(self, loop: Calls, work: Callable[[], Callable[[], None]], then: Callable[[], None]) -> None:
        self._loop, self._work, self._then = loop, work, then
        self._call: Callable[[], None] | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Work, and ask to be taken."""
        try:
            self._call = self._work()
        except BaseException as error:  # noqa: BLE001  # a thread would print it over the screen
            self._error = error
        self._loop.soon(self.take)

    def take(self) -> None:
        """Call what the work returned, once. Raises what it raised."""
        call, error, self._call, self._error = self._call, self._error, None, None
        if error is not None:
            raise error
        if call is not None:
            call()
            self._then()

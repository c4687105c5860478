"""The loop that the terminal needs, and the app's loop before and while it runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Protocol

from tui.ui.wire.wire import Timer


class Scheduler(Protocol):
    """A loop that calls everything on one thread."""

    def now(self) -> float:
        """Return the seconds of a clock that never runs backwards."""

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread, and from a signal handler."""

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds; from the loop's thread."""


class EventLoop(Protocol):
    """The part of asyncio's event loop that `AppLoop` uses."""

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> object:
        """Call on the loop's thread; from any thread. Raise RuntimeError once the loop is closed."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call after `delay` seconds."""


class AppLoop:
    """The event loop of the app; calls made before it runs wait for it."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._loop: EventLoop | None = None

    @staticmethod
    def now() -> float:
        """Return seconds of `time.monotonic`."""
        return monotonic()

    def run_on(self, loop: EventLoop) -> None:
        """Pass the waiting calls, and all later ones, to an event loop."""
        self._loop = loop
        self._hand_on(loop)

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread, and from a signal handler."""
        self._calls.put(call)
        # After the put: a loop that starts at this moment takes the call, or is seen here.
        if self._loop is not None:
            self._hand_on(self._loop)

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds; from the loop's thread."""
        if self._loop is not None:
            return self._loop.call_later(delay, call)
        timer = _WaitingTimer(self, delay, call)
        self._calls.put(timer.start)
        return timer

    def _hand_on(self, loop: EventLoop) -> None:
        while True:
            try:
                call = self._calls.get_nowait()
            except Empty:
                return
            with suppress(RuntimeError):  # the loop is closed: the program is ending
                loop.call_soon_threadsafe(call)


class _WaitingTimer:
    """A timer set before the loop runs; its delay begins when the loop does."""

    def __init__(self, loop: AppLoop, delay: float, call: Callable[[], None]) -> None:
        self._loop, self._delay, self._call = loop, delay, call
        self._timer: Timer | None = None
        self._cancelled = False

    def start(self) -> None:
        """Set the timer on the loop that runs now."""
        if not self._cancelled:
            self._timer = self._loop.later(self._delay, self._call)

    def cancel(self) -> None:
        """Cancel the call."""
        self._cancelled = True
        if self._timer is not None:
            self._timer.cancel()

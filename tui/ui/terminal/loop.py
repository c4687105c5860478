"""One loop for the whole program: it runs by itself until another one takes over what it was asked for."""

from __future__ import annotations

import heapq
import os
import select
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Waits(Protocol):
    """Something set to happen later."""

    def cancel(self) -> None:
        """Cancels it."""


class Host(Protocol):
    """A loop that can take over."""

    def soon(self, call: Callable[[], None]) -> None:
        """Calls on the loop's thread; from any thread, and from a signal handler."""

    def later(self, delay: float, call: Callable[[], None]) -> Waits:
        """Calls after `delay` seconds; from the loop's thread."""


class Alarm:
    """A call that was set for later, until it is cancelled."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when = when
        self._call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Cancels it."""
        self._call = None

    @property
    def waits(self) -> bool:
        """Whether it is still to be called."""
        return self._call is not None

    def ring(self) -> None:
        """Calls, once, unless it was cancelled."""
        call, self._call = self._call, None
        if call is not None:
            call()


class MainLoop:
    """Calls, alarms and `run`; after `hand_over` whatever it is asked for goes to its host."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alarms: list[tuple[float, int, Alarm]] = []
        self._number = count()
        self._pipe: tuple[int, int] | None = None
        self._host: Host | None = None

    @staticmethod
    def now() -> float:
        """Seconds of the clock that all times here are of."""
        return monotonic()

    def soon(self, call: Callable[[], None]) -> None:
        """Calls on the loop's thread; from any thread, and from a signal handler."""
        self._calls.put(call)
        # After the put: a hand-over in this very moment must find the call, or we find the host.
        if self._host is not None:
            self._pour(self._host)
        elif self._pipe is not None:
            with suppress(BlockingIOError):  # full: it will wake up as it is
                os.write(self._pipe[1], b"!")

    def later(self, delay: float, call: Callable[[], None]) -> Waits:
        """Calls after `delay` seconds; from the loop's thread."""
        if self._host is not None:
            return self._host.later(delay, call)
        alarm = Alarm(monotonic() + delay, call)
        heapq.heappush(self._alarms, (alarm.when, next(self._number), alarm))
        return alarm

    def run(self, until: Callable[[], bool]) -> None:
        """Calls what is due, and sleeps in between, until `until` is true after a call. What a call raises passes."""
        if self._pipe is None:
            # Never closed: a thread may be about to write to it whenever we would.
            self._pipe = os.pipe()
            os.set_blocking(self._pipe[1], False)
        while True:
            self._ring()
            self._take_calls()
            if until():
                return
            if select.select([self._pipe[0]], [], [], self._patience())[0]:
                os.read(self._pipe[0], 4096)

    def _patience(self) -> float | None:
        if not self._calls.empty():
            return 0.0
        while self._alarms and not self._alarms[0][2].waits:
            heapq.heappop(self._alarms)
        return max(0.0, self._alarms[0][0] - monotonic()) if self._alarms else None

    def _ring(self) -> None:
        while self._alarms and self._alarms[0][0] <= monotonic():
            heapq.heappop(self._alarms)[2].ring()

    def _take_calls(self) -> None:
        # As many as are there now: one that asks for itself again must not keep the alarms waiting.
        for _ in range(self._calls.qsize()):
            self._calls.get()()

    @property
    def handed_over(self) -> bool:
        """Whether another loop does everything."""
        return self._host is not None

    def hand_over(self, host: Host) -> None:
        """Gives everything that waits, and all that will be asked for, to another loop."""
        self._host = host
        self._pour(host)
        for when, _, alarm in sorted(self._alarms):
            host.later(max(0.0, when - monotonic()), alarm.ring)
        self._alarms = []

    def _pour(self, host: Host) -> None:
        while True:
            try:
                host.soon(self._calls.get_nowait())
            except Empty:
                return

"""The loop of a player's terminal, which has no event loop of a library's."""

from __future__ import annotations

import heapq
import os
import select
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from time import monotonic

from tui.ui.wire.wire import Timer


class Alarm:
    """A call that was set for later, until it is cancelled."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when = when
        self._call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """Cancel the call."""
        self._call = None

    @property
    def waits(self) -> bool:
        """Whether it is still to be called."""
        return self._call is not None

    def ring(self) -> None:
        """Call once, unless it was cancelled."""
        call, self._call = self._call, None
        if call is not None:
            call()


class MainLoop:
    """Calls, alarms, and `run`."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alarms: list[tuple[float, int, Alarm]] = []
        self._number = count()
        self._pipe: tuple[int, int] | None = None

    @staticmethod
    def now() -> float:
        """Seconds of the clock that all times here are of."""
        return monotonic()

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread, and from a signal handler."""
        self._calls.put(call)
        if self._pipe is not None:
            with suppress(BlockingIOError):  # full: it will wake up as it is
                os.write(self._pipe[1], b"!")

    def later(self, delay: float, call: Callable[[], None]) -> Timer:
        """Call after `delay` seconds; from the loop's thread."""
        alarm = Alarm(monotonic() + delay, call)
        heapq.heappush(self._alarms, (alarm.when, next(self._number), alarm))
        return alarm

    def run(self, until: Callable[[], bool]) -> None:
        """Call what is due, and sleep in between, until `until` is true after a call.

        What a call raises passes.
        """
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

"""A loop of calls and timers for tests, without asyncio."""

from __future__ import annotations

import sched
from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic


class Alarm:
    """A timer that can be cancelled."""

    def __init__(self, alarms: sched.scheduler, event: sched.Event) -> None:
        self._alarms, self._event = alarms, event

    def cancel(self) -> None:
        """Cancel it, unless it has run."""
        if self._event in self._alarms.queue:
            self._alarms.cancel(self._event)


class TestLoop:
    """A loop that calls everything on the thread that runs it."""

    __test__ = False

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._alarms = sched.scheduler(monotonic, lambda _: None)

    @staticmethod
    def now() -> float:
        """Return the seconds of the clock."""
        return monotonic()

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread."""
        self._calls.put(call)

    def later(self, delay: float, call: Callable[[], None]) -> Alarm:
        """Call after `delay` seconds."""
        return Alarm(self._alarms, self._alarms.enter(delay, 0, call))

    def run(self, until: Callable[[], bool]) -> None:
        """Call what is due until `until` is true after a call. Errors of calls are raised."""
        while not until():
            self._alarms.run(blocking=False)
            try:
                self._calls.get(timeout=0.01)()
            except Empty:
                continue

"""Serve a fight whose lines come from standard input: `tocsin do SAVE - --serve ADDRESS:PORT`."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from threading import Thread

from tui.serve.service import PageService, Wanted
from tui.store.session import Session


class LineLoop:
    """A loop that runs calls, and the lines of an input as they come, on one thread."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._delayed: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._over = False

    def soon(self, call: Callable[[], None]) -> None:
        """Call on the loop's thread; from any thread."""
        self._calls.put(call)

    def later(self, delay: float, call: Callable[[], None]) -> None:
        """Call after `delay` seconds; from the loop's thread."""
        self._count += 1
        heapq.heappush(self._delayed, (time.monotonic() + delay, self._count, call))

    def run(self, lines: Iterable[str], answer: Callable[[str], None]) -> None:
        """Call `answer` with each line, until the input ends or `answer` raises."""
        Thread(target=self._read, args=(lines, answer), name="input", daemon=True).start()
        while not self._over:
            while self._delayed and self._delayed[0][0] <= time.monotonic():
                heapq.heappop(self._delayed)[2]()
            patience = self._delayed[0][0] - time.monotonic() if self._delayed else 0.5
            try:
                self._calls.get(timeout=max(0.0, patience))()
            except Empty:
                continue

    def _read(self, lines: Iterable[str], answer: Callable[[str], None]) -> None:
        for line in lines:
            self.soon(lambda line=line: answer(line))  # type: ignore[misc]
        self.soon(self._end)

    def _end(self) -> None:
        self._over = True


def serve_lines(
    session: Session,
    wanted: Wanted,
    lines: Iterable[str],
    answer: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    """Serve a fight while lines come. Raises RuleError, and what `answer` raises."""
    loop = LineLoop()
    service = PageService(session, loop, say, wanted, settle=session.writer.wait)
    try:
        for remark in service.remarks:
            say(remark)
        for name, url in service.urls:
            say(f"{name}  {url}")
        say("the pages are open while lines come")
        loop.run(lines, answer)
    finally:
        service.close()

"""Take in seats' letters in a thread while a save is written, woken by the kernel or a timer."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

from tui.store.follower import RECHECK
from tui.store.inotify import Place, Waker
from tui.store.lock import network
from tui.store.players.folder import table_of
from tui.store.problems import BadFile, NotSaved
from tui.store.seats.intake import Collector, Hear, JournalEnd, Judge, Ruling
from tui.store.seats.letters import SeatAnswer
from tui.store.seats.rejections import blotter_path
from tui.store.seats.seat import all_seats
from tui.store.session import Session


def intake(
    session: Session, hear: Hear, tell: Callable[[str], None], wait: Callable[[], None] | None = None
) -> Collector:
    """Return the collector for this session. `hear` runs a line on the thread that owns its store."""
    writer = session.writer
    # Never for ever: a disk that does not answer must not keep the program from ending.
    ledger = JournalEnd(lambda: writer.path, wait or (lambda: writer.wait(AGAIN)), lambda: writer.durable)
    return Collector(table_of(writer.path), lambda: session.store.name, ledger, hear, tell)


def serve(path: str, taking: Collector, stop: int, after: Callable[[], None] = lambda: None) -> None:
    """Collect letters until the descriptor `stop` can be read. `after` is called after each look."""
    table = table_of(path)
    polled = bool(network(path))
    while True:
        seats = all_seats(table)[0]
        noted = Place(table.path, frozenset({os.path.basename(blotter_path(table))}))
        waker = Waker(Place(table.seats), noted, *(Place(seat.inbox) for seat in seats), polled=polled)
        try:
            if _served(waker, taking, stop, after, guests=bool(seats)):
                return
        finally:
            waker.close()


def _served(waker: Waker, taking: Collector, stop: int, after: Callable[[], None], *, guests: bool) -> bool:
    """Collect letters until seats have come or gone; return True when it is over."""
    first, wait = True, 0.0 if guests else None
    while True:
        changed, ready = waker.wait([stop], wait)
        if ready:
            return True
        if 0 in changed and not first:
            return False
        first = False
        # The folder may be taken away, or its disk be full: what lies there is looked at again.
        with suppress(OSError, BadFile, NotSaved):
            taking.look()
        after()
        wait = AGAIN if taking.unsettled else RECHECK if guests else None


AGAIN: Final = 0.5
"""Seconds after which a call that was not made yet is asked for again."""

Soon = Callable[[Callable[[], None]], None]
"""Calls something on the thread that owns the store.

Before and after that is at work it may never come to it.
"""


class SeatInboxThread:
    """Takes in what seats send, in a thread of its own, for a store that another thread owns.

    `close` when the save is written no more.
    """

    def __init__(
        self,
        session: Session,
        soon: Soon,
        tell: Callable[[str], None],
        wait: Callable[[], None] | None = None,
    ) -> None:
        """`tell` is called on the thread that owns the store.

        `wait` is called in place of the journal's own.
        """
        self._session, self._soon, self._tell, self._wait = session, soon, tell, wait
        self._path = session.writer.path
        self._judge: Judge | None = None
        self._woken, self._wake = os.pipe()
        self._closed = False
        self._thread = Thread(target=self._run, name="seats", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        table = table_of(self._path)
        waker = Waker(Place(table.seats), polled=bool(network(self._path)))
        stopped = False
        while not stopped and not os.path.isdir(table.seats):
            stopped = bool(waker.wait([self._woken])[1])
        waker.close()
        if not stopped:
            taking = intake(self._session, self._across, self._say, self._wait)
            serve(self._path, taking, self._woken)

    def _say(self, said: str) -> None:
        self._soon(lambda: self._tell(said))

    def close(self) -> None:
        """Stop collecting. A line that was not yet run waits in its inbox for the next writer."""
        if self._closed:
            return
        self._closed = True
        os.write(self._wake, b"!")
        self._thread.join()
        for fd in (self._wake, self._woken):
            os.close(fd)

    def _across(self, answer: SeatAnswer, by: str) -> Ruling:
        """Hears an answer on the thread that owns the store.

        Raises OSError when it was closed before it came to that.
        """
        call = _Once(lambda: self._hear(answer, by))
        self._soon(call)
        while not call.done.wait(AGAIN):
            if self._closed and call.withdrawn():
                raise InterruptedError("closed")
            self._soon(call)  # what was asked before the screen was there is asked again
        return call.heard

    def _hear(self, answer: SeatAnswer, by: str) -> Ruling:
        if self._judge is None:
            self._judge = Judge(self._session.store)
        return self._judge.hear(answer, by)


class _Once:
    """A call that is made once, however often it is asked for; or never, once it is withdrawn."""

    def __init__(self, call: Callable[[], Ruling]) -> None:
        self._call, self._lock, self._taken = call, Lock(), False
        self.done = Event()
        self._heard: Ruling | None = None

    def __call__(self) -> None:
        """Make the call, unless it has been made."""
        with self._lock:
            taken, self._taken = self._taken, True
        if not taken:
            self._heard = self._call()
            self.done.set()

    @property
    def heard(self) -> Ruling:
        """What it gave; only once it is `done`."""
        assert self._heard
        return self._heard

    def withdrawn(self) -> bool:
        """Whether it will never be made: it was not made yet."""
        with self._lock:
            taken, self._taken = self._taken, True
        return not taken

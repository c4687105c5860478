"""Taking in as long as a save is written: woken by the kernel, else by a timer."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tui.store.follow.inotify import Place, Waker
from tui.store.follow.watch import RECHECK
from tui.store.lock import network
from tui.store.problems import BadFile, NotSaved
from tui.store.seats.blotter import blotter_path
from tui.store.seats.intake import Collector, Hear, JournalEnd
from tui.store.seats.seat import all_seats
from tui.store.session import Session
from tui.store.table.folder import table_of

AGAIN: Final = 0.5
"""Seconds after which a reply that waits for the disk is tried again."""


def intake(
    session: Session, hear: Hear, tell: Callable[[str], None], wait: Callable[[], None] | None = None
) -> Collector:
    """What takes in for this session. `hear` runs a line on the thread that owns its store."""
    writer = session.writer
    # Never for ever: a disk that does not answer must not keep the program from ending.
    ledger = JournalEnd(lambda: writer.path, wait or (lambda: writer.wait(AGAIN)), lambda: writer.durable)
    return Collector(table_of(writer.path), lambda: session.store.name, ledger, hear, tell)


def serve(path: str, taking: Collector, stop: int, after: Callable[[], None] = lambda: None) -> None:
    """Takes in until the descriptor `stop` can be read. `after` is called whenever something was looked at."""
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
    """Takes in until seats have come or gone; True when it is over."""
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

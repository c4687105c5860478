"""Serve the seats of a save that this process writes, in a thread beside the screen or without a screen."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from threading import Thread
from typing import Final

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, label, members
from tui.core.rules.system import InitiativeSystem, Systems, is_gmless
from tui.core.rules.upkeep import all_owed
from tui.store.players.broadcast import Broadcast
from tui.store.players.folder import open_table_part, players_folder
from tui.store.problems import BadFile, NotSaved
from tui.store.saves import find_save_path
from tui.store.seats.inbox import SeatAnswer
from tui.store.seats.intake import Collector, Hear, JournalEnd, Judge, Ruling
from tui.store.session import Session, open_session
from tui.store.sources import wait_for_next_look
from tui.store.store import Store


def intake(
    session: Session, hear: Hear, tell: Callable[[str], None], wait: Callable[[], None] | None = None
) -> Collector:
    """Return the collector of this session; `hear` runs a line on the thread that owns the store."""
    writer = session.writer
    # A limit: a disk that does not answer must not keep the program from ending.
    ledger = JournalEnd(
        lambda: writer.path, wait or (lambda: writer.wait(REPEAT_SECONDS)), lambda: writer.durable
    )
    # Files that were refused between the opening and the first look are reported as well.
    return Collector(
        players_folder(writer.path), lambda: session.store.name, ledger, hear, tell, since=session.opened_at
    )


REST_RATIO: Final = 4.0
"""How long the thread rests for each second of work, in seconds, so that many lines from seats never slow the
keys of the screen.
"""


def serve(taking: Collector, stop: int, after: Callable[[], None] = lambda: None, rest: float = 0.0) -> None:
    """Collect lines from seats until the descriptor `stop` can be read.

    `after` is called after each look; `rest`: seconds of pause for each second of this thread's work.
    """
    worked = 0.0
    while True:
        if select.select([stop], [], [], rest * worked)[0] or wait_for_next_look([stop]):
            return
        begun = time.thread_time()
        # The folder may be deleted, or its disk be full: the files in it are looked at again later.
        with suppress(OSError, BadFile, NotSaved):
            taking.look()
        after()
        worked = time.thread_time() - begun


REPEAT_SECONDS: Final = 0.5
"""How long to wait before a call that was not made yet is requested again, in seconds."""

Soon = Callable[[Callable[[], None]], None]
"""Calls a function on the thread that owns the store, or never if that thread has not started or has ended.
"""


class SeatInboxThread:
    """Collects the lines of seats in its own thread, for a store that another thread owns.

    Call `close` when the save is no longer written.
    """

    def __init__(
        self,
        session: Session,
        soon: Soon,
        tell: Callable[[str], None],
        wait: Callable[[], None] | None = None,
    ) -> None:
        """Start the thread.

        `tell` is called on the thread that owns the store; `wait` replaces the journal's own.
        """
        self._session, self._soon, self._tell, self._wait = session, soon, tell, wait
        self._path = session.writer.path
        self._judge: Judge | None = None
        self._woken, self._wake = os.pipe()
        self._closed = False
        self._thread = Thread(target=self._run, name="seats", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        table = players_folder(self._path)
        stopped = False
        while not stopped and not _can_open(table.seats):
            stopped = bool(wait_for_next_look([self._woken]))
        if not stopped:
            taking = intake(self._session, self._rule_on, self._say, self._wait)
            serve(taking, self._woken, rest=REST_RATIO)

    def _say(self, text: str) -> None:
        self._soon(lambda: self._tell(text))

    def close(self) -> None:
        """Stop collecting. A line that was not yet run waits in its inbox for the next writer."""
        if self._closed:
            return
        self._closed = True
        os.write(self._wake, b"!")
        self._thread.join()
        for fd in (self._wake, self._woken):
            os.close(fd)

    def _rule_on(self, answer: SeatAnswer, by: str) -> Ruling:
        """Return the ruling on an answer, made on the thread that owns the store.

        Raises OSError if the thread was closed before the call was made.
        """
        call = Future[Ruling]()

        def make() -> None:
            if not call.done() and call.set_running_or_notify_cancel():
                call.set_result(self._hear(answer, by))

        while True:
            self._soon(make)  # queued again, since the first call may have come before the screen existed
            try:
                return call.result(REPEAT_SECONDS)
            except TimeoutError:
                if self._closed and call.cancel():
                    raise InterruptedError("closed") from None

    def _hear(self, answer: SeatAnswer, by: str) -> Ruling:
        if self._judge is None:
            self._judge = Judge(self._session.store)
        return self._judge.hear(answer, by)


def _can_open(path: str) -> bool:
    with suppress(OSError), open_table_part(path):
        return True
    return False


_MOST_LINES = 10_000  # lines in a row; with a die that always ties this would go on for ever


def auto_play(store: Store) -> int:
    """Run the steps that wait for no player; return their number. Raises RuleError, NotSaved."""
    for count in range(_MOST_LINES):
        line = find_forced_line(store.encounter, store.system)
        if not line:
            return count
        store.run(line)
    return _MOST_LINES


def find_forced_line(e: Encounter, system: InitiativeSystem) -> str:
    """Return the line that is due and that no player can send; "" if a player is due, or nothing is."""
    if not is_gmless(system, e):
        return ""
    due = all_owed(e, system)
    rolls = [x for x in due if isinstance(x, RollAsk) and not _is_played(e, x.who)]
    if rolls:
        return f"roll {quote(label(e, rolls[0].who))}"
    # Orders are sealed until all are in (CHA-2): nobody closes the writing before that.
    if not any(isinstance(x, LockAsk) for x in due) or any(
        _is_played(e, x.who) for x in due if isinstance(x, FormAsk)
    ):
        return ""
    return "lock missing=empty" if any(isinstance(x, FormAsk) for x in due) else "lock"


def _is_played(e: Encounter, key: str) -> bool:
    """Return whether a player owns a creature of an entry."""
    return any(c.owner for c in members(e, key))


_ENDS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def host(save: str, saves: str, systems: Systems, dice: Dice, tell: Callable[[str], None]) -> int:
    """Write a save until a signal ends the process; return 128 + the signal.

    `tell` is called with messages for the user of this terminal; they never contain a word of an order.
    Raises Busy, JournalError, NotSaved.
    """
    path = find_save_path(save, saves)
    if bad := players_folder(path).problem:
        raise bad
    with _watch_signals() as (woken, numbers):
        session = open_session(save, saves, systems, dice)
        players = Broadcast(session.path)
        try:
            for remark in session.remarks:
                tell(remark)
            tell(
                f"hosts {session.store.name}, at step {session.store.step}: ctrl+c ends it, and loses nothing"
            )
            taking = intake(session, Judge(session.store).hear, tell)
            serve(taking, woken, partial(_play_on, session.store))
        finally:
            players.close()
            session.close()
    return 128 + numbers[0]


def _play_on(store: Store) -> None:
    # The rules or the disk may refuse: the next line of a player tries it again.
    with suppress(RuleError, NotSaved):
        auto_play(store)


@contextmanager
def _watch_signals() -> Iterator[tuple[int, list[int]]]:
    """Yield a descriptor that becomes readable when a signal ends this process, and the signals so far."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    numbers: list[int] = []
    # Python runs a signal handler between two of its own steps: a signal just before a wait would be noticed
    # only after it. The wake-up descriptor gets its number at once.
    waking = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    # Before the save is open: a signal in between must release the lock like any other.
    before = {number: signal.signal(number, lambda n, _: numbers.append(n)) for number in _ENDS}
    try:
        yield woken, numbers
    finally:
        signal.set_wakeup_fd(waking)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(woken)
        os.close(wake)

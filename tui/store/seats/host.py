"""Write a save without a screen: take in what seats send, publish pages, and play what nobody sits for."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.core.fight.dice import Dice
from tui.core.fight.encounter import Encounter, label, members
from tui.core.rules.system import InitiativeSystem, Systems, without_gm
from tui.core.rules.upkeep import owed
from tui.store.players.broadcast import Broadcast
from tui.store.problems import NotSaved
from tui.store.seats.inbox_thread import intake, serve
from tui.store.seats.intake import Judge
from tui.store.session import open_session
from tui.store.store import Store

_MOST = 10_000  # lines in a row; a die that always ties would roll for ever


def auto_play(store: Store) -> int:
    """Run the steps that wait for no player; return how many. Raises RuleError, NotSaved."""
    for count in range(_MOST):
        line = forced(store.encounter, store.system)
        if not line:
            return count
        store.run(line)
    return _MOST


def forced(e: Encounter, system: InitiativeSystem) -> str:
    """Return the line that is due and that no player can send; "" while a player is due, or nothing is."""
    if not without_gm(system, e):
        return ""
    due = owed(e, system)
    rolls = [x for x in due if isinstance(x, RollAsk) and not _played(e, x.who)]
    if rolls:
        return f"roll {quote(label(e, rolls[0].who))}"
    # Sealed until all are in (CHA-2): the writing is closed by nobody before that.
    if not any(isinstance(x, LockAsk) for x in due) or any(
        _played(e, x.who) for x in due if isinstance(x, FormAsk)
    ):
        return ""
    return "lock missing=empty" if any(isinstance(x, FormAsk) for x in due) else "lock"


def _played(e: Encounter, key: str) -> bool:
    """Whether a player answers for an entry."""
    return any(c.owner for c in members(e, key))


_ENDS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def host(save: str, saves: str, systems: Systems, dice: Dice, tell: Callable[[str], None]) -> int:
    """Write a save until a signal ends it; return 128 + the signal. Raises Busy, JournalError, NotSaved.

    `tell` is called with words for whoever has started it: never with a word of an order.
    """
    with _ended() as (woken, numbers):
        session = open_session(save, saves, systems, dice)
        players = Broadcast(session.path)
        try:
            for remark in session.remarks:
                tell(remark)
            tell(
                f"hosts {session.store.name}, at step {session.store.step}: ctrl+c ends it, and loses nothing"
            )
            taking = intake(session, Judge(session.store).hear, tell)
            serve(session.path, taking, woken, partial(_steward, session.store))
        finally:
            players.close()
            session.checkpoint()
            session.close()
    return 128 + numbers[0]


def _steward(store: Store) -> None:
    # The rules or the disk may say no: then it is tried again when somebody sends something.
    with suppress(RuleError, NotSaved):
        auto_play(store)


@contextmanager
def _ended() -> Iterator[tuple[int, list[int]]]:
    """Return a descriptor that becomes readable when a signal ends us, and the signals that came."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    numbers: list[int] = []
    # Python runs a handler between two of its own steps: one that came just before a wait would be heard
    # after it. The number is written here at once.
    waking = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    # Before the save is open: a signal in between must free the lock as any other does.
    before = {number: signal.signal(number, lambda n, _: numbers.append(n)) for number in _ENDS}
    try:
        yield woken, numbers
    finally:
        signal.set_wakeup_fd(waking)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(woken)
        os.close(wake)

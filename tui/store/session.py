"""A save that this process writes: store, journal and lock together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from msgspec import Struct, field

from tui.core.fight.dice import Dice
from tui.core.fight.events import Event
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.system import Systems
from tui.store.dependencies import StoreEffects
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import How, Writer
from tui.store.library.service import Library
from tui.store.lock import SaveLock, network_kind
from tui.store.opening import load_save
from tui.store.problems import NotSaved
from tui.store.saves import find_save_path, save_name, saves_folder
from tui.store.sources import utc_now
from tui.store.store import Store
from tui.store.validation import draw_table

BETWEEN_NOTES = 0.1
"""How often the last step is written into the lock file while a call runs many lines, in seconds."""


class Session(Struct):
    """A save that this process writes. `opened_at` is the time in UTC."""

    store: Store
    writer: Writer
    lock: SaveLock
    path: str
    opened_at: str = field(default_factory=utc_now)

    @property
    def remarks(self) -> list[str]:
        """Warnings about the file: a torn tail that was cut, a network disk."""
        copy, kind = self.writer.torn_copy, network_kind(self.path)
        cut = (
            f"the last write was cut short: it was removed, and a copy is in {save_name(copy)}"
            if copy
            else ""
        )
        far = f"this save lies on a network disk ({kind}): tocsin promises nothing there" if kind else ""
        return [text for text in (cut, far) if text]

    def close(self) -> None:
        """Release the file and the lock; nothing is lost if this is never called."""
        with suppress(NotSaved):
            self.writer.close()
        self.lock.release()


def open_session(
    save: str,
    saves: str,
    systems: Systems,
    dice: Dice,
    how: How = "thread",
    changed: Callable[[], None] = lambda: None,
) -> Session:
    """Open a save for writing. Raises Busy (with its holder), JournalError, NotSaved.

    `changed` is called from the sync thread after each sync or fault.
    """
    path = find_save_path(save, saves)
    if not os.path.lexists(path):
        read_journal(path, Event)  # says so, before a lock file is left beside a save that does not exist
    # Before the file is read: without the lock, another process could append between reading and writing.
    lock = SaveLock.acquire(path)
    try:
        return _open_locked(path, saves, systems, dice, lock, how, changed)
    except BaseException:
        lock.release()
        raise


def _open_locked(
    path: str, saves: str, systems: Systems, dice: Dice, lock: SaveLock, how: How, changed: Callable[[], None]
) -> Session:

    loaded = load_save(path, systems)
    if how == "thread":
        # A screen would end with the first picture; a call of `do` may still take the step back.
        e, step = loaded.history.encounter, loaded.history.position
        draw_table(e, systems, GAME_MASTER, save_name(path), step)
    writer = Writer.open(path, loaded.journal, how, changed)
    folder = saves_folder(saves)
    library = Library(folder, systems, lambda fight: load_save(fight, systems).history.encounter)
    effects = StoreEffects(writer, dice, utc_now, library)
    store = Store(save_name(path), loaded.history, systems, effects, loaded.journal.end.number)
    lock.note(store.step)
    session = Session(store, writer, lock, path)
    last, between = monotonic(), 0.0 if how == "thread" else BETWEEN_NOTES

    def note(_since: int) -> None:
        nonlocal last
        if (now := monotonic()) - last >= between:
            last = now
            # Looked up each time, because `:saveas` gives the session another lock.
            session.lock.note(store.step)

    store.watch(note)
    return session


@contextmanager
def open_inline(
    save: str, saves: str, systems: Systems, dice: Dice, tell: Callable[[str], None]
) -> Iterator[Session]:
    """Yield the session of a save for one call, synced only on request; close it at the end.

    `tell` is called with warnings about the file. Raises Busy, JournalError, NotSaved.
    """
    # A call runs one line: a thread to sync it would cost more than waiting.
    session = open_session(save, saves, systems, dice, how="inline")
    for remark in session.remarks:
        tell(remark)
    try:
        yield session
    finally:
        session.close()

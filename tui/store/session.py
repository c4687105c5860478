"""A save that this process writes: store, journal and lock together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic

from msgspec import Struct, field

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Plain
from tui.core.fight.dice import Dice
from tui.core.fight.events import Event
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.system import Systems
from tui.store.dependencies import Other, StoreEffects
from tui.store.drawing import draw_table
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import How, Writer
from tui.store.library.service import Library
from tui.store.lock import SaveLock, network_kind
from tui.store.opening import create_empty_save, load_save
from tui.store.ownfolder import remove_file
from tui.store.players.folder import players_folder
from tui.store.problems import BadFile, NotSaved, as_rule_error
from tui.store.saves import find_save_path, save_name, saves_folder
from tui.store.sources import utc_now
from tui.store.store import Store, Watcher

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
        """Warnings about the file: a torn tail that was cut, a network disk, an unfit folder for players."""
        copy, kind = self.writer.torn_copy, network_kind(self.path)
        cut = (
            f"the last write was cut short: it was removed, and a copy is in {save_name(copy)}"
            if copy
            else ""
        )
        far = f"this save lies on a network disk ({kind}): nothing is promised there" if kind else ""
        bad = players_folder(self.path).problem
        alone = f"{bad}; the fight runs without players ({bad.hint})" if bad else ""
        return [text for text in (cut, far, alone) if text]

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
    other = partial(_open_other_save, writer, saves, systems, dice)
    effects = StoreEffects(writer, dice, utc_now, Library(folder, systems), other)
    store = Store(save_name(path), loaded.history, systems, effects, loaded.journal.end.number)
    lock.note(store.step)
    session = Session(store, writer, lock, path)
    store.watch(_make_step_noter(session, 0.0 if how == "thread" else BETWEEN_NOTES))
    return session


def _make_step_noter(session: Session, between: float) -> Watcher:
    """Return a callback that writes the last step into the lock, at most once in `between` seconds.

    The lock is looked up each time, because `:saveas` gives the session another one.
    """
    last = monotonic()

    def note(since: int) -> None:
        del since
        nonlocal last
        if (now := monotonic()) - last >= between:
            last = now
            session.lock.note(session.store.step)

    return note


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


@contextmanager
def _open_other_save(
    mine: Writer,
    saves: str,
    systems: Systems,
    dice: Dice,
    save: str,
    system: str,
    options: Mapping[str, Plain],
) -> Iterator[Other]:
    """Yield another save, opened for writing, and created for a system if it is missing.

    At the end its records are on the disk; a created save that got no record is deleted. Raises RuleError,
    NotSaved.
    """
    path = _path_of_other(mine.path, save, saves)
    made = not os.path.lexists(path) and system != ""
    session = _open_path(path, saves, systems, dice, (system, options) if made else None)

    def settle() -> None:
        mine.wait()
        session.writer.wait()

    try:
        yield Other(
            session.store, settle, partial(_describe_end, mine), partial(_describe_end, session.writer)
        )
        session.writer.wait()
    finally:
        empty = made and session.writer.end.number == 0
        session.close()
        # A save that was made for a step that is refused is deleted, together with its lock file.
        for name in (path, path + ".lock") if empty else ():
            remove_file(name)


def _describe_end(writer: Writer) -> str:
    return f"{writer.end.number} {writer.end.crc:08x}"


def _path_of_other(mine: str, save: str, saves: str) -> str:
    """Return the path of a save other than `mine`. Raises RuleError if it is the same."""
    path = find_save_path(save, saves)
    if os.path.realpath(path) == os.path.realpath(mine):
        raise RuleError(f"{save_name(path)} is this save", "name another one")
    return path


def _open_path(
    path: str, saves: str, systems: Systems, dice: Dice, new: tuple[str, Mapping[str, Plain]] | None
) -> Session:
    """Open another save, made first if `new` gives system and options. Raises RuleError, NotSaved."""
    if new:
        create_empty_save(path, *new)
    try:
        return open_session(path, saves, systems, dice, how="inline")
    except BadFile as error:
        raise as_rule_error(error) from None

"""From a SAVE to a store: made, looked at, or written; the one place where journal, lock and store meet."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from tui import VERSION
from tui.core.fight.encounter import Encounter
from tui.core.fight.errors import RuleError
from tui.core.fight.events import Event
from tui.core.rules.system import Systems
from tui.store.history import History
from tui.store.journal.format import Header, Record
from tui.store.journal.reader import Journal, parse, read, slurp
from tui.store.problems import IMPOSSIBLE, DamagedSave, NotSaved
from tui.store.saves import data_folder, make_folder, name_of, path_of, saves_folder
from tui.store.store import Outlet, Store, replay

if TYPE_CHECKING:
    from tui.core.fight.dice import Dice
    from tui.store.journal.writer import How, Writer
    from tui.store.lock import SaveLock

_WORTH = 200_000  # bytes of a journal from which on a checkpoint is worth a look
_TAIL = 2_000  # records read afresh from which on a checkpoint is worth a write


def moment() -> str:
    """Now, in RFC 3339, UTC, in seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class SaveExists(Exception):  # noqa: N818 - the word of the message
    """The save is already there; `message` says so, `hint` what would work."""

    def __init__(self, name: str) -> None:
        self.message, self.hint = f"{name} is already there", "open it, or choose another name"
        super().__init__(self.message)


def place(save: str, saves: str) -> str:
    """The file that SAVE means. Raises BadName."""
    return path_of(save, saves_folder(saves))


def create(save: str, saves: str, systems: Systems, system: str, options: Mapping[str, str]) -> str:
    """An empty encounter; refuses to overwrite. Its path. Raises RuleError, BadName, SaveExists, NotSaved."""
    from tui.core.language import values
    from tui.store.journal.writer import Writer

    path = place(save, saves)
    known = systems.get(system)
    chosen = {}
    for key, text in options.items():
        field = values.known(key, known.options, known.title)
        chosen[key] = values.read(field, text)
    if os.path.lexists(path):
        raise SaveExists(name_of(path))
    with suppress(OSError):
        make_folder(os.path.dirname(path) or ".")
    Writer.create(path, Header(name_of(path), known.id, moment(), VERSION, chosen), how="inline").close()
    return path


def start_of(header: Header) -> Encounter:
    """The encounter before any line."""
    return Encounter(system=header.system, options=dict(header.options))


class Opened(Struct, frozen=True):
    """A journal and the history it tells; `fresh` records were not in the checkpoint."""

    journal: Journal[Event]
    history: History
    fresh: int


def unfold(path: str) -> Opened:
    """The save at `path`, from its checkpoint as far as that goes. Raises JournalError."""
    from tui.store import sidecar

    data, found = slurp(path)
    inode = (found.st_dev, found.st_ino)
    checkpoint = sidecar.load(path, data, inode) if len(data) > _WORTH else None
    known = History.unpack(checkpoint.payload) if checkpoint else None
    since = checkpoint.mark if checkpoint and known else None
    journal = replace(parse(data, Event, path, since), inode=inode)
    history = played(path, known or History(start_of(journal.header)), journal.steps)
    return Opened(journal, history, len(journal.steps))


def played(path: str, history: History, steps: Sequence[Record[Event]]) -> History:
    """The history further on by a journal's records. JournalError when one of them cannot have happened.

    Seals fit whatever a stranger writes: so the facts are held against the fight, and the fight against its types.
    """
    try:
        replay(history, steps)
        convert(to_builtins(history.here), Encounter)
    except IMPOSSIBLE:
        raise _impossible(path) from None
    return history


class _Looking:
    """A journal that is only looked at."""

    def append(self, step: Record[Event]) -> None:
        """Refuse: nobody writes here."""
        del step
        raise RuleError("this is only a look", "`quit`, open the save again and take it over to write")


class _NoDice:
    """Who only looks rolls nothing."""

    def roll(self, sides: int) -> int:
        """Nobody rolls here."""
        raise RuleError(
            f"this is only a look, no d{sides} is rolled", "`quit`, open the save again and take it over"
        )


def look(save: str, saves: str, systems: Systems) -> Store:
    """The fight as it stands in the file, for reading; a writer may be at work."""
    path = place(save, saves)
    return _looked_at(path, unfold(path), systems)


def _looked_at(path: str, found: Opened, systems: Systems) -> Store:
    """A store to read, whose system can make sense of the fight: a stranger may have written its notes."""
    outlet = Outlet(_Looking(), _NoDice(), moment)
    store = Store(name_of(path), found.history, systems, outlet, found.journal.end.number)
    e, system = store.encounter, store.system
    try:
        if e.running:
            system.due(e), system.offer(e), [row.why for row in system.rows(e)]
    except IMPOSSIBLE:
        raise _impossible(path) from None
    return store


def _impossible(path: str) -> DamagedSave:
    return DamagedSave(path, 0, -1, "a step cannot have happened", f"`tocsin check {name_of(path)}` finds it")


def records(save: str, saves: str) -> tuple[Encounter, list[Record[Event]]]:
    """The encounter before any line, and every record of the journal."""
    path = place(save, saves)
    journal = read(path, Event)
    played(path, History(start_of(journal.header)), journal.steps)
    return start_of(journal.header), journal.steps


@contextmanager
def write(
    save: str, saves: str, systems: Systems, dice: Dice, tell: Callable[[str], None]
) -> Iterator[tuple[Store, Callable[[], None]]]:
    """The store of one call and what brings its records to the disk. Raises Busy, JournalError, NotSaved.

    `tell` hears what the user must be told of the file.
    """
    session = open_session(save, saves, systems, dice, how="inline")
    for remark in session.remarks:
        tell(remark)
    try:
        yield session.store, session.writer.wait
    finally:
        session.close()


class Session(Struct, frozen=True):
    """A save that this process writes: its store, its journal, its lock."""

    store: Store
    writer: Writer
    lock: SaveLock
    path: str
    history: History

    @property
    def remarks(self) -> list[str]:
        """What the user must be told of the file: a torn tail that was cut, a disk that promises nothing."""
        from tui.store.lock import network

        copy, kind = self.writer.torn_copy, network(self.path)
        cut = (
            f"the last write had been cut short: it was taken off, and is kept in {name_of(copy)}"
            if copy
            else ""
        )
        far = f"this save lies on a network disk ({kind}): nothing is promised there" if kind else ""
        return [told for told in (cut, far) if told]

    def checkpoint(self) -> None:
        """Keep the history beside the save, so that the next opening reads only what is newer."""
        from tui.store import sidecar

        writer = self.writer
        if writer.durable == writer.end.number and writer.end.offset > _WORTH:
            with suppress(OSError):  # the file may have been replaced, and its number with it
                found = os.stat(writer.path)
                inode = (found.st_dev, found.st_ino)
                sidecar.keep(writer.path, inode, writer.end, writer.fingerprint(), self.history.pack())

    def close(self) -> None:
        """Give the file and the lock back; nothing depends on it."""
        with suppress(NotSaved):
            self.writer.close()
        self.lock.release()


class DiskListener(Struct, frozen=True):
    """Who hears from the disk: the number of the last record there, and faults."""

    durable: Callable[[int], None] = lambda _: None
    fault: Callable[[NotSaved], None] = lambda _: None


def open_session(
    save: str, saves: str, systems: Systems, dice: Dice, how: How = "thread", ears: DiskListener | None = None
) -> Session:
    """Open a save for writing. Raises Busy (with its holder), JournalError, NotSaved."""
    from tui.store.lock import SaveLock

    path = place(save, saves)
    _journal_there(path)
    lock = SaveLock.acquire(path)
    try:
        return _opened(path, saves, systems, dice, lock, how, ears or DiskListener())
    except BaseException:
        lock.release()
        raise


def _journal_there(path: str) -> None:
    """No lock file is left beside a save that does not exist."""
    if not os.path.lexists(path):
        read(path, Event)


def _opened(
    path: str, saves: str, systems: Systems, dice: Dice, lock: SaveLock, how: How, ears: DiskListener
) -> Session:
    from tui.store.journal.writer import Writer
    from tui.store.party import reader

    found = unfold(path)
    _looked_at(path, found, systems)
    writer = Writer.open(path, found.journal, how, ears.durable, ears.fault)
    outlet = Outlet(writer, dice, moment, reader(saves_folder(saves)))
    store = Store(name_of(path), found.history, systems, outlet, found.journal.end.number)
    lock.note(store.step)
    session = Session(store, writer, lock, path, found.history)
    if found.fresh > _TAIL:
        session.checkpoint()
    return session


def sample(path: str, saves: str) -> str:
    """A copy of a shipped example under a free name in the saves folder; other paths as they are."""
    examples = os.path.realpath(data_folder("examples"))
    if os.path.dirname(os.path.realpath(path)) != examples:
        return path
    folder = saves_folder(saves)
    make_folder(folder)
    content, _ = slurp(path)
    stem = name_of(path)
    for number in range(1, 1000):
        target = os.path.join(folder, f"{stem}{'' if number == 1 else f'-{number}'}.toml")
        try:
            fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(fd, "wb") as copy:
            copy.write(content)
        return target
    raise RuleError(f"there are 999 copies of {stem} already", "remove some")

"""Publish a page for each viewer, with the things that this viewer may know, in a separate process.

So eight viewers cost the writer nothing; preparing their pages takes longer than a key press may. The process
runs while its standard input, a pipe from the writer, is open. It ends with the writer and frees its lock, by
which terminals see whether the save has a writer.
"""

from __future__ import annotations

import fcntl
import gc
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from errno import ENOTDIR
from typing import Final

import msgspec

from tui.core.fight.viewer import Viewer, players, viewer_of
from tui.core.rules.system import Systems
from tui.core.views.player_page import page_for
from tui.store.disk import replace_file
from tui.store.follower import Follower, Sight
from tui.store.opening import load_save, store_for_reading
from tui.store.players.folder import (
    PAGE,
    VIEWER,
    Standing,
    TableFolder,
    WriterNotice,
    open_table_part,
    players_folder,
)
from tui.store.players.viewers import list_viewers
from tui.store.sources import wait_for_next_look
from tui.store.store import Store

MOST_MOMENTS: Final = 60
"""How many moments of the log are published: more than any screen shows."""

_ENCODE = msgspec.json.Encoder()


def make_page(store: Store, viewer: Viewer) -> bytes:
    """Return the viewer's page of the current fight, as JSON."""
    moments = store.heard(viewer, MOST_MOMENTS)
    table, returned = store.table(viewer), store.returned_lines(viewer)
    return _ENCODE.encode(page_for(store.encounter, store.system, viewer, table, moments, returned))


WAIT_SECONDS: Final = 5.0
"""How long to wait until another publisher, whose writer has ended, leaves, in seconds."""

_PAGES = re.compile(rf"{re.escape(PAGE)}|\.{re.escape(PAGE)}\.tmp-[0-9]{{1,10}}")
_PAUSE = 0.02
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class Publisher:
    """The one process that publishes a table; it holds the table's lock until `close` or its end."""

    def __init__(self, table: TableFolder, patience: float = WAIT_SECONDS) -> None:
        """Take the publisher's lock. Raises OSError; BlockingIOError if another publisher does not leave."""
        self._table = table
        self._published: dict[str, tuple[int, int]] = {}
        self._files: dict[str, str] = {}
        if bad := table.problem:
            raise OSError(ENOTDIR, bad.message, bad.path)
        self._lock = _take_lock(table.lock, patience)
        with open_table_part(table.path) as folder:
            self._alive = folder.pipe(os.path.basename(table.alive))
            self._fd = folder.open(os.path.basename(table.writer), _OPEN_FLAGS)
        self._notice: WriterNotice | None = None
        self.tell("written")

    def tell(self, standing: Standing) -> None:
        """Write the state of the save into the notice that all terminals read."""
        if self._notice != WriterNotice(standing):
            self._notice = WriterNotice(standing)
            data = msgspec.json.encode(self._notice)
            os.pwrite(self._fd, data, 0)
            os.ftruncate(self._fd, len(data))

    @property
    def stands(self) -> bool:
        """Whether the notice is still at its path: the folder may have been deleted or exchanged."""
        with suppress(OSError), open_table_part(self._table.path) as folder:
            return folder.lstat(os.path.basename(self._table.writer)).st_ino == os.fstat(self._fd).st_ino
        return False

    def look_around(self) -> tuple[str, ...]:
        """Return the names of the viewers who watch, and delete the pages of others."""
        names = list_viewers(self._table)
        self._files = {name: self._table.view(name) for name in names}
        self._delete_unwatched({os.path.basename(os.path.dirname(path)) for path in self._files.values()})
        # A page that someone deleted is published again.
        kept = (n for n in self._published if n in names and os.path.lexists(self._files[n]))
        self._published = {n: self._published[n] for n in kept}
        return names

    def _delete_unwatched(self, looked_at: set[str]) -> None:
        """Delete the pages of viewers that are not in `looked_at`, and their folders; other files stay."""
        with suppress(OSError), open_table_part(self._table.views) as views:
            for name in views.listdir():
                if re.fullmatch(VIEWER, name) and name not in looked_at:
                    views.clear(name, _PAGES)

    def publish(self, store: Store, hold: float = 0.0) -> int:
        """Write the pages that have changed, `hold` seconds from now at the earliest; return how many.

        Terminals draw as soon as there is a page, and the writer needs the processor first.
        """
        due, written = time.monotonic() + hold, 0
        ready: list[tuple[str, str, bytes]] = []
        for news in self._find_changed(store):
            ready.append(news)
            if time.monotonic() >= due:
                written += self._write_pages(ready)
                ready = []
        if ready:
            time.sleep(max(0.0, due - time.monotonic()))
        return written + self._write_pages(ready)

    def _write_pages(self, pages: Sequence[tuple[str, str, bytes]]) -> int:
        """Write the pages; return how many."""
        written = 0
        for name, path, data in pages:
            # A disk that is full now may take the next page: players wait, and the fight goes on.
            with suppress(OSError):
                self._write_page(path, data)
                self._published[name] = _hash_page(data)
                written += 1
        return written

    def _find_changed(self, store: Store) -> Iterator[tuple[str, str, bytes]]:
        """Yield (viewer, path, page) for each page that has changed.

        An unchanged page is not written: its new time would reveal that something unseen happened.
        """
        store.count(map(viewer_of, self._files))
        for name, path in self._files.items():
            data = make_page(store, viewer_of(name))
            if _hash_page(data) != self._published.get(name):
                yield name, path, data

    def _write_page(self, path: str, data: bytes) -> None:
        with open_table_part(os.path.dirname(path), make=True) as folder:
            # Without `passing` the file system would sync each exchange to the disk at once.
            replace_file(folder, os.path.basename(path), [data], 0o600, passing=True)

    def close(self) -> None:
        """Stop publishing."""
        for fd in (self._alive, self._fd, self._lock):
            os.close(fd)


def _hash_page(data: bytes) -> tuple[int, int]:
    """Return the length and a hash of a page, to recognise a changed one without keeping its bytes."""
    return len(data), hash(data)


def _take_lock(path: str, patience: float) -> int:
    """Return the descriptor of the locked file, after waiting at most `patience` seconds.

    Raises BlockingIOError, OSError.
    """
    with open_table_part(os.path.dirname(path)) as folder:
        fd = folder.open(os.path.basename(path), _OPEN_FLAGS)
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Another process may just be testing whether a publisher runs, or the publisher before this one
            # is ending.
            if time.monotonic() >= end:
                os.close(fd)
                raise
            time.sleep(_PAUSE)
        except OSError:
            os.close(fd)
            raise
        else:
            return fd


def publish_once(path: str, store: Store) -> None:
    """Publish once if there are viewers; errors are ignored."""
    table = players_folder(path)
    # Few saves have a table of players: without one, a call pays no more than a stat.
    if not os.path.lexists(table.watching) or not list_viewers(table):
        return
    with suppress(OSError):
        publisher = Publisher(table, patience=1.0)
        try:
            publisher.look_around()
            publisher.publish(store)
        finally:
            publisher.close()


STAY_WITHOUT_VIEWERS: Final = 30.0
"""How long the process runs without viewers, in seconds, so that a restarted terminal finds it."""

NICENESS: Final = 5
"""By how much the process lowers its priority (`nice`) below the writer's."""

FIRST_PAGE_DELAY: Final = 0.04
"""How long after a step its first page is written, in seconds: meanwhile the writer draws the step."""

REPEAT_SECONDS: Final = 5.0
"""How often deleted pages, and pages that a full disk refused, are written again, in seconds."""


class Server:
    """Follows one save and publishes it."""

    def __init__(self, path: str, systems: Systems) -> None:
        """Open the save for publishing.

        Raises JournalError, OSError; BlockingIOError if another publishes.
        """
        # The lock of the publisher is taken first: the save is read while nobody else may publish.
        self._publisher = Publisher(players_folder(path))
        loaded = load_save(path, systems)
        self._store = store_for_reading(path, loaded, systems)
        self._follower = Follower(path, loaded.journal.end, systems)

    def once(self) -> bool:
        """Publish the fight now; return True if there are viewers."""
        published = bool(self._publisher.look_around())
        self._publisher.publish(self._store)
        return published

    def serve(self, stop_fd: int) -> None:
        """Publish changes until `stop_fd` can be read or closes, or too long without a viewer.

        That is after STAY_WITHOUT_VIEWERS seconds.
        """
        viewers: tuple[str, ...] = ()
        published = watched_at = time.monotonic()
        while True:
            news = self._apply_sight(self._follower.look())
            if not self._publisher.stands:
                return  # the process that started this one starts another
            before, viewers = viewers, self._publisher.look_around()
            now = time.monotonic()
            watched_at = now if viewers else watched_at
            if now >= watched_at + STAY_WITHOUT_VIEWERS:
                return
            if news or viewers != before or now >= published + REPEAT_SECONDS:
                self._publisher.publish(self._store, FIRST_PAGE_DELAY)
                published = now
            if wait_for_next_look([stop_fd]):
                break
        # The last steps of the writer are published too, for players who still watch.
        self._apply_sight(self._follower.look())
        self._publisher.publish(self._store)

    def close(self) -> None:
        """Stop publishing."""
        self._publisher.close()

    def _apply_sight(self, sight: Sight) -> bool:
        """Apply the result of a look to the store; return whether the fight has changed."""
        if sight.new_save:
            self._store.restart(sight.new_save.history, sight.new_save.journal.end.number)
        elif sight.steps and (reason := self._store.absorb(sight.steps)):
            sight = self._follower.refuse(reason)
        self._publisher.tell(_standing_of_sight(sight))
        return bool(sight.new_save or sight.steps)


def publish_save(path: str, systems: Systems, *, once: bool) -> bool:
    """Publish a save once, or until standard input ends; return False when another process does so already.

    Raises JournalError, OSError.
    """
    try:
        server = Server(path, systems)
    except BlockingIOError:
        return False
    try:
        if once:
            server.once()
        else:
            # gc.freeze on the loaded objects saves a tenth of the time of a page.
            gc.freeze()
            with suppress(OSError):
                os.nice(NICENESS)
            server.serve(0)
    finally:
        server.close()
    return True


def list_owners(path: str, systems: Systems) -> str:
    """Return the owners of creatures in a save, hidden ones too, as a JSON list. Raises JournalError."""
    store = store_for_reading(path, load_save(path, systems), systems)
    return _ENCODE.encode(players(store.encounter)).decode()


def _standing_of_sight(sight: Sight) -> Standing:
    match sight.standing:
        case "written" | "unwritten":
            return "written"
        case "gone":
            return "gone"
        case "damaged" | "unreadable":
            return "damaged"

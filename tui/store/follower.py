"""Follow a save that another process writes."""

from __future__ import annotations

import os
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.events import Event
from tui.core.rules.system import Systems
from tui.store.journal.format import Offset, Record
from tui.store.journal.reader import read_news
from tui.store.lock import find_writer, lock_path
from tui.store.opening import Loaded, load_save
from tui.store.problems import JournalError

Standing = Literal["written", "unwritten", "gone", "damaged", "unreadable"]
"""The state of a save: it has a writer, it has none, its file is gone, damaged, or cannot be opened."""


class Sight(Struct, frozen=True):
    """The result of one look at a save."""

    standing: Standing
    steps: tuple[Record[Event], ...] = ()
    """The records after those that were known."""
    new_save: Loaded | None = None
    """The whole save, if the file was exchanged."""
    problem: str = ""
    """The error in a damaged or unreadable file; "" for none."""
    hint: str = ""
    """A suggestion that repairs the file; "" for none."""


class Follower:
    """Reads the file at `path` from `offset` on; it never writes."""

    def __init__(self, path: str, offset: Offset, systems: Systems) -> None:
        self._path, self._offset, self._systems = path, offset, systems
        self._seen: tuple[int, ...] = ()
        self._last = Sight("written")

    def look(self) -> Sight:
        """Return the state of the save, and records added since the last look or the whole changed save."""
        try:
            # lstat: a link in the place of the save is another file, not the save.
            now = _identity_of_file(os.lstat(self._path))
        except OSError:
            self._seen, self._last = (), Sight("gone")
            return self._last
        # One stat instead of a read: while a table thinks for an hour, looking costs nothing.
        if now == self._seen:
            return (
                Sight(self._find_standing())
                if self._following
                else replace(self._last, steps=(), new_save=None)
            )
        self._last = self._read_news(edited=now[2:3] == self._seen[2:3])
        self._seen = now
        return self._last

    def refuse(self, reason: str, hint: str = "") -> Sight:
        """Report the file as damaged from now on, until it changes again."""
        self._last = Sight("damaged", problem=reason, hint=hint)
        return self._last

    @property
    def _following(self) -> bool:
        return self._last.standing in ("written", "unwritten")

    def _read_news(self, *, edited: bool) -> Sight:
        """Return new records. `edited`: the file changed without growing, so that old records may differ."""
        if not self._following or edited:
            return self._try_reload()
        try:
            news = read_news(self._path, self._offset, Event)
        except JournalError:
            return self._try_reload()
        # The offset moves only here: after an error the same records are read again.
        self._offset = news.end
        return Sight(self._find_standing(), tuple(news.steps))

    def _try_reload(self) -> Sight:
        try:
            loaded = load_save(self._path, self._systems)
        except JournalError as error:
            # An error that names neither a line nor a step means that the file could not be opened at all.
            kind: Standing = "damaged" if error.line or error.step >= 0 else "unreadable"
            return Sight(kind, problem=error.summary, hint=error.hint)
        self._offset = loaded.journal.end
        return Sight(self._find_standing(), new_save=loaded)

    def _find_standing(self) -> Standing:
        return "written" if find_writer(lock_path(self._path)) else "unwritten"


def _identity_of_file(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns

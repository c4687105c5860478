"""Read a viewer's page, and whether the fight has a writer.

Only that page and the publisher's notice are read: never the save, its lock, or another viewer's page.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import Final, Literal

import msgspec

from tui.store.disk import READ, read_regular
from tui.store.players.folder import WriterNotice, open_table_part, players_folder
from tui.store.players.viewers import Announcement, TooMany
from tui.store.problems import BadFile

CAP: Final = 8_000_000  # bytes of a page; one of 2,000 creatures takes some 800,000
_NOTICE_CAP = 200

Standing = Literal["waiting", "written", "unwritten", "gone", "damaged", "shut"]
"""The state of a fight for a viewer: no page yet, a writer, no writer, save gone or damaged, folder unfit."""


class PageStatus(msgspec.Struct, frozen=True):
    """The result of one look: the state, and the page if it changed. `why` is the error, or ""."""

    standing: Standing
    page: bytes | None = None
    why: str = ""


class PageReader:
    """Reads one fight as one viewer, and announces it in the table's folder, so that pages are published."""

    def __init__(self, path: str, viewer: str) -> None:
        self._save, self._table, self._viewer = path, players_folder(path), viewer
        self._file = self._table.view(viewer)
        self._seen = (0, 0)
        self._announcement: Announcement | None = None
        self._why = ""

    def has_no_page(self) -> bool:
        """Announce this page and return whether the fight has no writer. Raises TooMany."""
        self._announce()
        return self._find_standing() == "unwritten"

    def look(self) -> PageStatus:
        """Return the current state, with the page if it changed. Never raises."""
        try:
            self._announce()
        except TooMany:
            self._why = "too many terminals of this player are open"
        # The state is read first: a page that is published after this is seen at the next look, for which its
        # publisher wakes this reader.
        standing = self._find_standing()
        page = self._read_page()
        if page is None and not any(self._seen) and standing == "written":
            standing = "waiting"
        return PageStatus(standing, page, self._why)

    def close(self) -> None:
        """Withdraw the announcement."""
        if self._announcement:
            self._announcement.close()
            self._announcement = None

    def _announce(self) -> None:
        """Announce this viewer, again if the folder was deleted meanwhile."""
        if self._announcement and self._announcement.stands:
            return
        self.close()
        if not os.path.lexists(self._save):
            return  # the fight is gone: its folders are not made again
        try:
            self._table.make()
            self._announcement, self._why = Announcement(self._table, self._viewer), ""
        except OSError as error:
            self._why = error.strerror or "the folder cannot be written"

    def _read_page(self) -> bytes | None:
        """Return the page if it differs from that of the last look, else None."""
        # Read and compared: number and times of a replaced file may equal those of the file before it.
        with suppress(BadFile, OSError):
            with open_table_part(os.path.dirname(self._file)) as folder:
                data, _ = read_regular(folder, os.path.basename(self._file), CAP)
            # The size and a hash of 64 bits: the bytes of a large page need not be kept to notice another
            # one.
            if (mark := (len(data), hash(data))) != self._seen:
                self._seen = mark
                return data
        return None

    def _find_standing(self) -> Standing:
        notice = self._read_notice()
        if notice is None:
            # A stat and no more: nothing of the save is read here.
            exists = os.path.lexists(self._save)
            return "shut" if self._why and not self._announcement else "unwritten" if exists else "gone"
        return notice.standing

    def _read_notice(self) -> WriterNotice | None:
        """Return the publisher's notice; None if no publisher runs."""
        if not _has_reader(self._table.alive):
            return None
        try:
            with open_table_part(self._table.path) as folder:
                fd = folder.open(os.path.basename(self._table.writer), READ)
        except OSError:
            return None
        try:
            with suppress(msgspec.MsgspecError):
                return msgspec.json.decode(os.pread(fd, _NOTICE_CAP, 0), type=WriterNotice)
            return WriterNotice()  # the notice is just being written
        except OSError:
            return None
        finally:
            os.close(fd)


def _has_reader(path: str) -> bool:
    """Return whether a process holds a pipe open to read."""
    try:
        with open_table_part(os.path.dirname(path)) as folder:
            fd = folder.peer(os.path.basename(path))
    except OSError:
        return False
    try:
        return stat.S_ISFIFO(os.fstat(fd).st_mode)
    finally:
        os.close(fd)

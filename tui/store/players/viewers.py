"""Announce viewers: each terminal that watches locks a small file of its own in the table's folder.

The kernel frees the lock with the process, however it dies.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec

from tui.core.base.text import clean_name
from tui.store.disk import READ, discard
from tui.store.ownfolder import OwnFolder
from tui.store.players.folder import TableFolder, open_table_part

MOST_VIEWERS: Final = 64
"""The most viewers that have pages."""

MOST_EACH: Final = 4
"""The most terminals of one player at a time."""

_MOST_LOOKED_AT = 512  # files of a folder
_MOST_SKIPPED = 100_000  # entries of a folder
_NEVER_OPENED = (errno.ELOOP, errno.ENXIO)  # a link, a socket
_CAP = 1_000  # bytes of an announcement
_NEW_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class TooMany(Exception):  # noqa: N818 - what it is, not what went wrong
    """A player already has as many open terminals as are allowed."""


class _Announced(msgspec.Struct, frozen=True):
    viewer: str
    format: int = 1


_NAMES = re.compile(r"[1-9][0-9]{0,9}-[0-9a-f]{8}")
"""The pattern of names of announcements: a process number and random digits.

Files of other names are never looked at or deleted.
"""


class Announcement:
    """The announcement that this process watches as a viewer, until `close` or the end of the process."""

    def __init__(self, table: TableFolder, viewer: str) -> None:
        """Write the announcement into the table's folder. Raises OSError; TooMany."""
        self._folder, self._name = table.watching, f"{os.getpid()}-{os.urandom(4).hex()}"
        hidden = f".{self._name}"
        with open_table_part(self._folder) as folder:
            self._fd = folder.open(hidden, _NEW_FLAGS)
            try:
                # Locked before it gets its name: nobody can find it without a lock and take this viewer for
                # dead.
                fcntl.flock(self._fd, fcntl.LOCK_EX)
                os.write(self._fd, msgspec.json.encode(_Announced(viewer)))
                folder.replace(hidden, self._name)
                # After it has its name: of several viewers that come at once none is overlooked.
                self._require_room(folder, viewer)
            except BaseException:
                os.close(self._fd)
                discard(folder, hidden)
                raise

    @property
    def path(self) -> str:
        """The path of the announcement."""
        return os.path.join(self._folder, self._name)

    def _require_room(self, folder: OwnFolder, viewer: str) -> None:
        if viewer and sum(x.lower() == viewer.lower() for x in _list_living(folder)) > MOST_EACH:
            folder.unlink(self._name)
            raise TooMany

    def close(self) -> None:
        """Delete the announcement."""
        with suppress(OSError), open_table_part(self._folder) as folder:
            folder.unlink(self._name)
        os.close(self._fd)

    @property
    def stands(self) -> bool:
        """Whether the announcement is still at its path: the folder may have been deleted or exchanged."""
        with suppress(OSError), open_table_part(self._folder) as folder:
            return folder.lstat(self._name).st_ino == os.fstat(self._fd).st_ino
        return False


def list_viewers(table: TableFolder) -> tuple[str, ...]:
    """Return the names of the viewers who watch; "" is the viewer without a name.

    Announcements of ended processes are deleted. A link or another account's folder is not searched.
    """
    names = dict[str, str]()
    with suppress(OSError), open_table_part(table.watching) as folder:
        for viewer in _list_living(folder):
            names.setdefault(viewer.lower(), viewer)
    return tuple(names[key] for key in sorted(names)[:MOST_VIEWERS])


def _list_living(folder: OwnFolder) -> Iterator[str]:
    """Yield the viewers' names of the announcements whose processes run."""
    found = (name for name in islice(folder.listdir(), _MOST_SKIPPED) if _NAMES.fullmatch(name))
    for name in sorted(islice(found, _MOST_LOOKED_AT)):
        if (viewer := _read_announcement(folder, name)) is not None:
            yield viewer


def _read_announcement(folder: OwnFolder, name: str) -> str | None:
    """Return the viewer's name of an announcement; None if its process has ended or it is unreadable."""
    if (fd := _open_held(folder, name)) is None:
        return None
    try:
        return clean_name(msgspec.json.decode(os.pread(fd, _CAP, 0), type=_Announced).viewer)
    except (OSError, msgspec.MsgspecError):
        return None
    finally:
        os.close(fd)


def _open_held(folder: OwnFolder, name: str) -> int | None:
    """Return the descriptor of a file that a living process has locked; any other is deleted."""
    try:
        fd = folder.open(name, READ)
    except OSError as error:
        if error.errno in _NEVER_OPENED:
            discard(folder, name)
        return None
    try:
        if _is_locked(fd):
            return fd
        folder.unlink(name)
    except OSError:  # the file system may know no locks
        pass
    os.close(fd)
    return None


def _is_locked(fd: int) -> bool:
    """Return whether a process holds the lock of an open file."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False

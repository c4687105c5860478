"""Who looks: a small file for each terminal, locked by it.

The kernel frees the lock with the process, however it dies.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec

from tui.core.base.text import clean_name
from tui.store.disk import READ
from tui.store.players.folder import TableFolder

MOST: Final = 64
"""Viewers for whom something is published; more than sit around any table."""

MOST_EACH: Final = 4
"""Terminals of one player at a time."""

_LOOKED_AT = 512  # files of a folder
_PASSED_OVER = 100_000  # entries of a folder
_NEVER_OPENED = (errno.ELOOP, errno.ENXIO)  # a link, a socket
_CAP = 1_000  # bytes of an announcement
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class TooMany(Exception):  # noqa: N818 - what it is, not what went wrong
    """A player has as many terminals open as may be."""


class _Announced(msgspec.Struct, frozen=True):
    viewer: str
    format: int = 1


class Announcement:
    """That this process looks, as a viewer, until `close` or its end."""

    def __init__(self, table: TableFolder, viewer: str) -> None:
        """Announce it in the table's folder. Raises OSError where it cannot be written; TooMany."""
        folder = table.watching
        name = f"{os.getpid()}-{os.urandom(4).hex()}"
        self.path = os.path.join(folder, name)
        hidden = os.path.join(folder, f".{name}")
        self._fd = os.open(hidden, _NEW, 0o600)
        try:
            # Locked before it has its name: no one finds it without its lock and takes us for dead.
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            os.write(self._fd, msgspec.json.encode(_Announced(viewer)))
            os.rename(hidden, self.path)
            # After it has its name: of several that come at once none is overlooked.
            self._must_have_room(folder, viewer)
        except BaseException:
            os.close(self._fd)
            with suppress(OSError):
                os.unlink(hidden)
            raise

    def _must_have_room(self, folder: str, viewer: str) -> None:
        if viewer and sum(x.lower() == viewer.lower() for x in _live(folder)) > MOST_EACH:
            os.unlink(self.path)
            raise TooMany

    def close(self) -> None:
        """Stop looking."""
        with suppress(OSError):
            os.unlink(self.path)
        os.close(self._fd)

    @property
    def stands(self) -> bool:
        """Whether it is still there: the folder may have been taken away or exchanged."""
        try:
            return os.stat(self.path).st_ino == os.fstat(self._fd).st_ino
        except OSError:
            return False


def watched(table: TableFolder) -> tuple[str, ...]:
    """Return the names of the viewers, "" for one without a name.

    Announcements of dead processes are deleted. A folder of another account is not searched.
    """
    if not table.ours:
        return ()
    names = dict[str, str]()
    for viewer in _live(table.watching):
        names.setdefault(viewer.lower(), viewer)
    return tuple(names[key] for key in sorted(names)[:MOST])


def _live(folder: str) -> Iterator[str]:
    """Return the names in a folder's announcements whose processes live."""
    for path in sorted(_files(folder)):
        if (viewer := _announced(path)) is not None:
            yield viewer


def _files(folder: str) -> list[str]:
    """Return the paths of what may be announcements; folders among them are rubbish, and not counted."""
    try:
        with os.scandir(folder) as entries:
            few = islice(entries, _PASSED_OVER)
            files = (x.path for x in few if x.name[0] != "." and not x.is_dir(follow_symlinks=False))
            return list(islice(files, _LOOKED_AT))
    except OSError:
        return []


def _announced(path: str) -> str | None:
    """Return who looks, by one announcement; None for a dead one, and for what is none."""
    if (fd := _held(path)) is None:
        return None
    try:
        return clean_name(msgspec.json.decode(os.pread(fd, _CAP, 0), type=_Announced).viewer)
    except (OSError, msgspec.MsgspecError):
        return None
    finally:
        os.close(fd)


def _held(path: str) -> int | None:
    """Return the descriptor of a file that a living process has locked; any other is deleted."""
    try:
        fd = os.open(path, READ | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in _NEVER_OPENED:
            with suppress(OSError):
                os.unlink(path)
        return None
    try:
        if _locked(fd):
            return fd
        os.unlink(path)
    except OSError:  # the file system may know no locks
        pass
    os.close(fd)
    return None


def _locked(fd: int) -> bool:
    """Return whether someone holds the lock of an open file."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False

"""Who looks: a small file for each terminal, locked by it. The kernel frees the lock with the process, however it dies."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from typing import Final

import msgspec

from tui.core.fight.text import clean_name
from tui.store.disk import READ
from tui.store.table.folder import TableFolder

MOST: Final = 64
"""Terminals that are counted; more than sit around any table."""

_CAP = 1_000  # bytes of an announcement
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _Announced(msgspec.Struct, frozen=True):
    viewer: str
    format: int = 1


class Announcement:
    """That this process looks, as a viewer, until `close` or its end."""

    def __init__(self, table: TableFolder, viewer: str) -> None:
        """Raises OSError where the folder cannot be written."""
        name = f"{os.getpid()}-{os.urandom(4).hex()}"
        self.path = os.path.join(table.watching, name)
        hidden = os.path.join(table.watching, f".{name}")
        self._fd = os.open(hidden, _NEW, 0o600)
        try:
            # Locked before it has its name: nobody finds it without its lock and takes us for dead.
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            os.fchmod(self._fd, table.mode)
            os.write(self._fd, msgspec.json.encode(_Announced(viewer)))
            os.rename(hidden, self.path)
        except BaseException:
            os.close(self._fd)
            with suppress(OSError):
                os.unlink(hidden)
            raise

    def close(self) -> None:
        """Looks no more."""
        with suppress(OSError):
            os.unlink(self.path)
        os.close(self._fd)

    @property
    def stands(self) -> bool:
        """Whether it can be found: the folder may have been taken away or exchanged."""
        try:
            return os.stat(self.path).st_ino == os.fstat(self._fd).st_ino
        except OSError:
            return False


def watched(table: TableFolder) -> tuple[str, ...]:
    """The names of those who look, "" among them for who gave none; the announcements of the dead are taken away."""
    try:
        found = sorted(name for name in os.listdir(table.watching) if name[0] != ".")[:MOST]
    except OSError:
        return ()
    names = dict[str, str]()
    for name in found:
        if (viewer := _announced(os.path.join(table.watching, name))) is not None:
            names.setdefault(viewer.lower(), viewer)
    return tuple(names[key] for key in sorted(names))


def _announced(path: str) -> str | None:
    """Who looks, by one announcement; None for a dead one, and for what is none."""
    try:
        fd = os.open(path, READ | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if _locked(fd):
            return clean_name(msgspec.json.decode(os.pread(fd, _CAP, 0), type=_Announced).viewer)
        os.unlink(path)
    except (OSError, msgspec.MsgspecError):
        return None
    finally:
        os.close(fd)
    return None


def _locked(fd: int) -> bool:
    """Whether somebody holds the lock of an open file."""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(fd, fcntl.LOCK_UN)
    return False

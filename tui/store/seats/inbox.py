"""Keep a seat's inbox of small files with unguessable names, and the seat's own side of it."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec import Struct

from tui.core.fight.standpoint import Standpoint
from tui.store.disk import NEW, READ, Disk, discard, read_open, write_all
from tui.store.inotify import Place
from tui.store.seats.letters import CAP, MOST_NUMBER, Reply, Unfit, read_reply, write_answer
from tui.store.seats.seat import PlayerSeat

MOST: Final = 256
"""Files that are looked at in one go; the rest waits for the next."""

STALE: Final = 60.0
"""Seconds after which a file that nobody has finished writing is litter."""

_NAME = re.compile(r"([1-9][0-9]{0,15})-[0-9a-f]{16}\.json")
_HIDDEN = ".tmp-"


class Letter(Struct, frozen=True):
    """A file in an inbox: the `number` that its name says, 0 for a name that no answer has."""

    path: str
    number: int


def drop(folder: str, number: int, data: bytes, *, shared: bool) -> None:
    """Put an answer into an inbox, whole or not at all; `shared`: for a writer of another account.

    Raises OSError.
    """
    disk, name = Disk(), f"{number}-{os.urandom(8).hex()}.json"
    hidden, path = os.path.join(folder, _HIDDEN + name), os.path.join(folder, name)
    fd = disk.open(hidden, NEW)
    try:
        if shared:
            disk.fchmod(fd, 0o640)
        write_all(disk, fd, data)
        disk.fsync(fd)
        disk.replace(hidden, path)
    except OSError:
        discard(disk, hidden)
        raise
    finally:
        disk.close(fd)


def letters(folder: str) -> list[Letter]:
    """Return the letters in an inbox, by number, litter first; unfinished files are left alone."""
    found: list[Letter] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if len(found) >= MOST:
                break
            if not _young(entry):
                matched = _NAME.fullmatch(entry.name)
                found.append(Letter(entry.path, int(matched[1]) if matched else 0))
    return sorted(found, key=lambda letter: (letter.number, letter.path))


def _young(entry: os.DirEntry[str]) -> bool:
    """Whether a file may still be written to."""
    if not entry.name.startswith(_HIDDEN):
        return False
    try:
        return time.time() - entry.stat(follow_symlinks=False).st_mtime < STALE
    except OSError:  # it has just been given its name
        return True


def read_letter(letter: Letter, owner: int | None) -> bytes:
    """Return the bytes of a letter; `owner`: the only user whose files count, None for any.

    Raises Unfit alone.
    """
    if not letter.number:
        raise Unfit("a file under a name that no answer has")
    try:
        fd = os.open(letter.path, READ | os.O_CLOEXEC)
    except (OSError, ValueError):
        # A link, a device without a driver, or rights that were taken away.
        raise Unfit("a file that cannot be opened") from None
    try:
        _must_be_plain(os.fstat(fd), owner)
        return read_open(Disk(), fd, 0, CAP + 1)
    except OSError:
        raise Unfit("a file that cannot be read") from None
    finally:
        os.close(fd)


def _must_be_plain(found: os.stat_result, owner: int | None) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unfit("not a plain file")
    if found.st_nlink > 1:
        raise Unfit("a file with a second name")
    if owner is not None and found.st_uid != owner:
        raise Unfit("somebody else's file")
    if found.st_size > CAP:
        raise Unfit("too large")


def throw_away(letter: Letter) -> bool:
    """Delete a letter, or an empty folder in its place; return True if it is gone."""
    with suppress(OSError):
        os.unlink(letter.path)
    with suppress(OSError):
        os.rmdir(letter.path)
    return not os.path.lexists(letter.path)


def boxes(folder: str) -> Iterator[str]:
    """Return the names of the inboxes."""
    with suppress(OSError):
        yield from sorted(os.listdir(folder))


_THOUSAND: Final = 1_000


class Link:
    """The letters of one seat, there and back."""

    def __init__(self, seat: PlayerSeat, save: str, *, shared: bool) -> None:
        """`save` is the save's name; `shared`: the one who writes has another account."""
        self.seat, self._save, self._shared = seat, save, shared
        self.sent = 0
        """The number of the latest line that was sent from here."""

    @property
    def place(self) -> Place:
        """Where a reply comes."""
        return Place(os.path.dirname(self.seat.reply), frozenset({os.path.basename(self.seat.reply)}))

    def send(self, line: str, saw: Standpoint) -> int:
        """Send a line; return the number under which it is answered. Raises OSError."""
        # Above all that was ever answered; begun from the clock, so that what was sent and not answered
        # before this process began has another number. The order comes from the numbers alone.
        last = max(self.sent, read_reply(self.seat.reply).number)
        number = min(MOST_NUMBER, max(last + 1, int(time.time() * _THOUSAND)))
        try:
            data = write_answer(self.seat.key, self._save, self.seat.name, number, saw, line)
        except ValueError as error:
            raise OSError(errno.EMSGSIZE, str(error)) from None
        drop(self.seat.inbox, number, data, shared=self._shared)
        self.sent = number
        return number

    @property
    def stands(self) -> bool:
        """Whether the seat is still there."""
        return self.seat.stands

    def reply(self) -> Reply:
        """Return the latest reply."""
        return read_reply(self.seat.reply)

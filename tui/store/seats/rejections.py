"""The GM's list of what came in and could not be a player's answer: when, to which seat, why.

Never what it said.

The writer adds to it, and so does a seat whose key asked for more: whoever writes reads on, and tells the GM.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Final

from tui.store.disk import READ, Disk, read_open, write_all
from tui.store.players.folder import TableFolder
from tui.store.problems import plain
from tui.store.sources import utc_now

_CAP: Final = 64_000  # bytes; older lines then go to a second file
_LINE: Final = re.compile(r"^\S+ (.{1,65}?): (.+)$")
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK


def blotter_path(table: TableFolder) -> str:
    """Where the list lies."""
    return os.path.join(table.path, "refused.log")


def note(table: TableFolder, seat: str, why: str) -> None:
    """Add a line. Ignored if the disk refuses it."""
    path, disk = blotter_path(table), Disk()
    with suppress(OSError):
        fd = disk.open(path, _FLAGS)
        try:
            write_all(disk, fd, f"{utc_now()} {plain(seat, 64)}: {plain(why)}\n".encode(errors="replace"))
            full = disk.fstat(fd).st_size > _CAP
        finally:
            disk.close(fd)
        if full:
            disk.replace(path, path + ".1")


class RejectionLog:
    """The list as one process adds to it and reads on in it, from its end."""

    def __init__(self, table: TableFolder) -> None:
        self._table = table
        self._at = self._size()

    def note(self, seat: str, why: str) -> None:
        """Add a line of our own, which is no news."""
        note(self._table, seat, why)
        self._at = self._size()

    def news(self) -> list[tuple[str, str]]:
        """Return the seat and the reason of every line that others have added since."""
        at, self._at = self._at, self._size()
        if self._at == at:
            return []
        with suppress(OSError):
            fd = os.open(blotter_path(self._table), READ | os.O_CLOEXEC)
            try:
                # Shorter than it was: it is a new file.
                data = read_open(Disk(), fd, at if at < self._at else 0, _CAP * 2)
            finally:
                os.close(fd)
            return [
                (plain(seat, 64), plain(why))
                for line in data.decode(errors="replace").split("\n")
                for seat, why in _LINE.findall(line)
            ]
        return []

    def _size(self) -> int:
        with suppress(OSError):
            return os.stat(blotter_path(self._table), follow_symlinks=False).st_size
        return 0

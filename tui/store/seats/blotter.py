"""The GM's list of what came in and could not be a player's answer: when, to which seat, why; never what it said."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from tui.store.clock import utc_now
from tui.store.disk import Disk, write_all
from tui.store.problems import plain
from tui.store.table.folder import TableFolder

_CAP: Final = 64_000  # bytes; older lines then go to a second file
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK


def blotter_path(table: TableFolder) -> str:
    """Where the list lies."""
    return os.path.join(table.path, "refused.log")


def note(table: TableFolder, seat: str, why: str) -> None:
    """Adds a line. A disk that refuses it is no fault."""
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

"""Disks that fail on request, and one that remembers what a power cut may take back."""

from __future__ import annotations

import os
from collections.abc import Callable

from tui.store.disk import Disk

CALLS = (
    "open",
    "close",
    "read",
    "write",
    "fdatasync",
    "fsync",
    "ftruncate",
    "fstat",
    "lstat",
    "listdir",
    "fchmod",
    "link",
    "replace",
    "unlink",
)


class FaultyDisk(Disk):
    """Counts the calls named in `only`, and fails them while `broken(name, count)` gives an errno.

    With `half`, a failing write has taken half of its bytes first. `log` holds the names of all calls.
    """

    def __init__(
        self,
        broken: Callable[[str, int], int] = lambda _name, _count: 0,
        only: tuple[str, ...] = CALLS,
        *,
        half: bool = False,
    ) -> None:
        self.broken, self.only, self.half = broken, only, half
        self.count = 0
        self.log: list[str] = []

    def _gate(self, name: str) -> None:
        self.log.append(name)
        if name not in self.only:
            return
        self.count += 1
        if code := self.broken(name, self.count):
            raise OSError(code, os.strerror(code))

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        self._gate("open")
        return super().open(path, flags, mode)

    def close(self, fd: int) -> None:
        super().close(fd)  # a failing close gives the number back all the same
        self._gate("close")

    def read(self, fd: int, size: int, offset: int) -> bytes:
        self._gate("read")
        return super().read(fd, size, offset)

    def write(self, fd: int, data: memoryview) -> int:
        try:
            self._gate("write")
        except OSError:
            if self.half:
                super().write(fd, data[: len(data) // 2])
            raise
        return super().write(fd, data)

    def fdatasync(self, fd: int) -> None:
        self._gate("fdatasync")
        super().fdatasync(fd)

    def fsync(self, fd: int) -> None:
        self._gate("fsync")
        super().fsync(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        self._gate("ftruncate")
        super().ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        self._gate("fstat")
        return super().fstat(fd)

    def lstat(self, path: str) -> os.stat_result:
        self._gate("lstat")
        return super().lstat(path)

    def listdir(self, path: str) -> list[str]:
        self._gate("listdir")
        return super().listdir(path)

    def fchmod(self, fd: int, mode: int) -> None:
        self._gate("fchmod")
        super().fchmod(fd, mode)

    def link(self, old: str, new: str) -> None:
        self._gate("link")
        super().link(old, new)

    def replace(self, old: str, new: str) -> None:
        self._gate("replace")
        super().replace(old, new)

    def unlink(self, path: str) -> None:
        self._gate("unlink")
        super().unlink(path)


class ShortDisk(Disk):
    """Takes at most `most` bytes a write and gives at most so many a read."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, fd: int, data: memoryview) -> int:
        return super().write(fd, data[: self.most])

    def read(self, fd: int, size: int, offset: int) -> bytes:
        return super().read(fd, min(size, self.most), offset)

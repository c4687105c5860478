"""Disks that fail or end the process on request, and disks that know what a power cut would leave."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from itertools import pairwise

from tui.store.disk import Disk

SECTOR = 512

CALLS = (
    "open", "close", "read", "write", "fdatasync", "fsync", "ftruncate", "fstat", "lstat", "listdir",
    "fchmod", "link", "replace", "unlink",
)  # fmt: skip


class Died(BaseException):
    """Ends a test at the moment when the process would have been killed."""


class FaultyDisk(Disk):
    """A disk that fails calls on request.

    Calls named in `only` are counted, and fail if `broken(name, count)` returns an errno. With `half`, a
    failing write has written half of its bytes. `log` holds the names of all calls.
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
        except BaseException:
            if self.half:
                self.take(fd, data[: len(data) // 2])
            raise
        return self.take(fd, data)

    def take(self, fd: int, data: memoryview) -> int:
        """Write bytes without counting the call; return how many were written."""
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
    """A disk that writes and reads at most `most` bytes in one call."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, fd: int, data: memoryview) -> int:
        return super().write(fd, data[: self.most])

    def read(self, fd: int, size: int, offset: int) -> bytes:
        return super().read(fd, min(size, self.most), offset)


class Inode:
    """A file: its bytes now, its bytes at the last sync, and the pieces written since then."""

    def __init__(self, content: bytes = b"") -> None:
        self.now = bytearray(content)
        self.safe = content
        self.written: list[tuple[int, int]] = []

    def left(self, rng: random.Random) -> bytes:
        """Return bytes that the file may have after a power cut."""
        kept = min(len(self.safe), len(self.now))
        size = rng.choice([kept, len(self.now), rng.randint(kept, len(self.now))])
        if len(self.now) < len(self.safe) and rng.random() < 0.5:
            return self.safe  # the cut did not arrive
        left = bytearray(self.safe[:kept]) + bytes(size - kept)
        share = rng.random()
        for start, stop in self.written:
            if rng.random() < share:
                left[start:stop] = self.now[start:stop]
        return bytes(left[:size])


class LoggedDisk(FaultyDisk):
    """A disk that knows what a power cut at this moment could leave, for ordinary files in one folder.

    Synced bytes stay. Any other piece of up to 512 bytes of a write is there or reads as zeros. The size is
    anything between that of the last sync and the present one. The folder's names are those of its last sync
    or of any later change.
    """

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.inodes: dict[int, Inode] = {}
        self.numbers: dict[int, int] = {}  # descriptor to inode number
        self.names: dict[str, int] = {}
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            self.names[name] = number = os.stat(path).st_ino
            with open(path, "rb") as file:
                self.inodes[number] = Inode(file.read())
        self.safe_names = dict(self.names)
        self.changes: list[dict[str, int]] = []  # the folder after each change since its last sync

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        fd = super().open(path, flags, mode)
        self.numbers[fd] = os.fstat(fd).st_ino
        if flags & os.O_CREAT:
            self.inodes[self.numbers[fd]] = Inode()
            self._named(path, self.numbers[fd])
        return fd

    def take(self, fd: int, data: memoryview) -> int:
        taken = super().take(fd, data)
        inode = self.inodes[self.numbers[fd]]
        start = len(inode.now)
        inode.now += data
        edges = [start, *range(start - start % SECTOR + SECTOR, len(inode.now), SECTOR), len(inode.now)]
        inode.written += pairwise(edges)
        return taken

    def ftruncate(self, fd: int, size: int) -> None:
        super().ftruncate(fd, size)
        inode = self.inodes[self.numbers[fd]]
        del inode.now[size:]
        inode.written = [(a, min(b, size)) for a, b in inode.written if a < size]

    def fdatasync(self, fd: int) -> None:
        super().fdatasync(fd)
        self._synced(fd)

    def fsync(self, fd: int) -> None:
        super().fsync(fd)
        if self.numbers[fd] in self.inodes:
            self._synced(fd)
        else:
            self.safe_names, self.changes = dict(self.names), []

    def link(self, old: str, new: str) -> None:
        super().link(old, new)
        self._named(new, self.names[os.path.basename(old)])

    def replace(self, old: str, new: str) -> None:
        super().replace(old, new)
        self.names[os.path.basename(new)] = self.names.pop(os.path.basename(old))
        self.changes.append(dict(self.names))

    def unlink(self, path: str) -> None:
        super().unlink(path)
        del self.names[os.path.basename(path)]
        self.changes.append(dict(self.names))

    def _named(self, path: str, number: int) -> None:
        self.names[os.path.basename(path)] = number
        self.changes.append(dict(self.names))

    def _synced(self, fd: int) -> None:
        inode = self.inodes[self.numbers[fd]]
        inode.safe, inode.written = bytes(inode.now), []

    def after_cut(self, rng: random.Random) -> dict[str, bytes]:
        """Return one possible state after a power cut: the bytes of each file by name."""
        names = rng.choice([self.safe_names, *self.changes])
        return {name: self.inodes[number].left(rng) for name, number in names.items()}

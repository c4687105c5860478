"""Power cuts: after any of them the journal opens at a state that was, at or after the last one acknowledged.

`LoggedDisk` remembers every change of a file and of the folder; `after_cut` gives one legal state of the
disk: a synced byte is there; any other 512-byte piece of any write is there or reads as zeros; the size is
anything between the synced one and the last; a name is as it was at the last sync of the folder, or newer in
order.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.store.journals import HEADER, Event, step
from tui.store.disk import Disk
from tui.store.journal.format import Record
from tui.store.journal.reader import read
from tui.store.journal.writer import Writer

SECTOR = 512


class Inode:
    """A file's bytes now and as last synced, with the pieces written since."""

    def __init__(self) -> None:
        self.now = bytearray()
        self.safe = b""
        self.written: list[tuple[int, int]] = []


class LoggedDisk(Disk):
    """A disk that can say what a power cut at this moment may leave. Ordinary files in one folder only."""

    def __init__(self) -> None:
        self.inodes: dict[int, Inode] = {}
        self.numbers: dict[int, int] = {}  # descriptor to inode number
        self.names: dict[str, int] = {}
        self.safe_names: dict[str, int] = {}
        self.changes: list[dict[str, int]] = []  # the folder after each change since its last sync

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        fd = super().open(path, flags, mode)
        found = os.fstat(fd)
        self.numbers[fd] = found.st_ino
        if flags & os.O_CREAT:
            self.inodes[found.st_ino] = Inode()
            self._named(path, found.st_ino)
        return fd

    def write(self, fd: int, data: memoryview) -> int:
        inode = self.inodes[self.numbers[fd]]
        start = len(inode.now)
        inode.now += data
        edges = [start, *range(start - start % SECTOR + SECTOR, len(inode.now), SECTOR), len(inode.now)]
        inode.written += pairwise(edges)
        return super().write(fd, data)

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
        """The files of one state that a power cut may leave."""
        names = rng.choice([self.safe_names, *self.changes])
        return {name: self._left(self.inodes[number], rng) for name, number in names.items()}

    def _left(self, inode: Inode, rng: random.Random) -> bytes:
        kept = min(len(inode.safe), len(inode.now))
        size = rng.choice([kept, len(inode.now), rng.randint(kept, len(inode.now))])
        if len(inode.now) < len(inode.safe) and rng.random() < 0.5:
            return inode.safe  # the cut did not arrive
        left = bytearray(inode.safe[:kept]) + bytes(size - kept)
        share = rng.random()
        for start, stop in inode.written:
            if rng.random() < share:
                left[start:stop] = inode.now[start:stop]
        return bytes(left[:size])


def record(number: int) -> Record[Any]:
    """Every third one is spread over several sectors."""
    return step(number, 1500 if number % 3 == 0 else 0)


def states(disk: LoggedDisk, folder: Path, rng: random.Random, count: int) -> Iterator[Path]:
    """Folders as power cuts at this moment may leave them."""
    for i in range(count):
        after = folder / f"cut{i}"
        after.mkdir(parents=True)
        for name, data in disk.after_cut(rng).items():
            (after / name).write_bytes(data)
        yield after / "mill.toml"


def opens_as_it_was(path: Path, acknowledged: int, written: int) -> None:
    """Promise 2, for one state of the disk."""
    found = read(str(path), Event)
    assert acknowledged <= found.end.number <= written
    assert found.steps == [record(n) for n in range(1, found.end.number + 1)]
    before = path.read_bytes()
    writer = Writer.open(str(path), found, "inline")
    # A line feed that is all that was lost behind a seal is written anew.
    assert path.read_bytes() == (before + b"\n" * found.lacking)[: found.end.offset]
    if found.torn:
        assert Path(writer.torn_copy).read_bytes() == before[found.end.offset :]
    again = read(str(path), Event)
    assert (again.steps, again.torn) == (found.steps, None)
    writer.append(record(found.end.number + 1))
    writer.wait()
    writer.close()
    assert read(str(path), Event).steps == [record(n) for n in range(1, found.end.number + 2)]


def evening(folder: Path, seed: int, cuts: int) -> int:
    """A short play with syncs now and then, cut at every step in several ways.

    How many states were opened.
    """
    rng = random.Random(seed)
    disk = LoggedDisk()
    play = folder / "play"
    play.mkdir(parents=True)
    path = str(play / "mill.toml")
    writer = Writer.create(path, HEADER, "inline", disk=disk)
    opened = 0
    for number in range(1, 9):
        writer.append(record(number))
        if rng.random() < 0.3:
            writer.wait()
        if rng.random() < 0.2:  # the process dies, and the save is opened anew
            writer = Writer.open(path, read(path, Event), "inline", disk=disk)
        for state in states(disk, folder / f"{number}", rng, cuts):
            opens_as_it_was(state, writer.durable, number)
            opened += 1
    return opened


@pytest.mark.parametrize("seed", range(4))
def test_every_power_cut_opens_at_a_state_that_was(tmp_path: Path, seed: int) -> None:
    assert evening(tmp_path, seed, cuts=20) == 160


def test_power_cuts_while_the_journal_is_written_anew(tmp_path: Path) -> None:
    class Failing(LoggedDisk):
        bad = False

        def fdatasync(self, fd: int) -> None:
            if self.bad:
                self.bad = False
                raise OSError(5, "")
            super().fdatasync(fd)

        def _gate(self) -> None:
            for i, state in enumerate(states(self, tmp_path / f"at{len(moments)}", rng, 4)):
                moments.append(i)
                opens_as_it_was(state, 2, 4)

        def replace(self, old: str, new: str) -> None:
            self._gate()
            super().replace(old, new)
            self._gate()

        def fsync(self, fd: int) -> None:
            if hasattr(self, "watched"):
                self._gate()
            super().fsync(fd)

    rng, moments = random.Random(7), list[int]()
    disk = Failing()
    (tmp_path / "play").mkdir()
    writer = Writer.create(str(tmp_path / "play" / "mill.toml"), HEADER, "inline", disk=disk)
    for number in (1, 2):
        writer.append(record(number))
    writer.wait()
    for number in (3, 4):
        writer.append(record(number))
    disk.bad = True
    disk.watched = True  # type: ignore[attr-defined]
    writer.wait()
    assert len(moments) == 16
    for state in states(disk, tmp_path / "end", rng, 20):
        opens_as_it_was(state, 4, 4)


@pytest.mark.hours
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_power_cuts(tmp_path: Path, seed: int) -> None:
    assert evening(tmp_path, seed, cuts=60) == 480

"""The writer of a journal and its thread: when it works and rests, how long one waits for it."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.disks import FaultyDisk
from tests.kit.journals import HEADER, Event, step
from tui.store.disk import Disk
from tui.store.journal.file import MOST_UNSYNCED
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import Writer
from tui.store.problems import NotSaved

SOON = 0.05
"""Seconds that everything waits here which would wait for seconds."""


class Held(Disk):
    """A disk whose syncs and renames wait while they are held, and whose syncs fail so many times."""

    def __init__(self) -> None:
        self.free, self.named = threading.Event(), threading.Event()
        self.free.set()
        self.named.set()
        self.failing = 0
        self.broken = False
        self.syncs = self.rewrites = 0

    def fdatasync(self, fd: int) -> None:
        self.syncs += 1
        self.free.wait(5)
        if self.failing:
            self.failing -= 1
            raise OSError(errno.EIO, "")
        super().fdatasync(fd)

    def replace(self, old: str, new: str) -> None:
        self.rewrites += 1
        self.named.wait(5)
        if self.broken:
            raise OSError(errno.ENOSPC, "")
        super().replace(old, new)


class Kept:
    """A new save that is written behind the caller."""

    def __init__(self, folder: Path) -> None:
        self.path, self.disk = folder / "mill.toml", Held()
        self.reports: list[tuple[int, str]] = []
        self.writer = Writer.create(str(self.path), HEADER, "thread", self.report, disk=self.disk)

    def report(self) -> None:
        fault = self.writer.fault
        self.reports.append((self.writer.durable, fault.message if fault else ""))

    def threads(self) -> list[threading.Thread]:
        return [x for x in threading.enumerate() if x.name == "journal-sync"]

    def broke(self) -> None:
        """It has one step that cannot be brought to the disk."""
        self.disk.failing, self.disk.broken = 1, True
        self.writer.append(step(1))
        until(lambda: self.reports[:1] == [(0, "the disk is full")])


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    for name in ("APPEND_SECONDS", "MOVE_SECONDS"):
        monkeypatch.setattr(f"tui.store.journal.file.{name}", SOON)
    monkeypatch.setattr("tui.store.journal.file.RETRY_SECONDS", 60)
    return Kept(tmp_path)


def test_a_sync_that_takes_long_keeps_no_append_and_no_caller_for_ever(kept: Kept) -> None:
    kept.disk.free.clear()
    kept.writer.append(step(1))
    until(lambda: kept.disk.syncs == 1)
    kept.writer.append(step(2))
    waits: list[Callable[[], None]] = [
        lambda: kept.writer.wait(SOON),
        lambda: kept.writer.save_as(str(kept.path.with_name("hall.toml"))),
    ]
    for waiting in waits:
        with pytest.raises(NotSaved) as refused:
            waiting()
        assert (refused.value.message, refused.value.hint) == ("the disk does not answer", "try again")
    assert kept.writer.path == str(kept.path)
    threading.Timer(SOON, kept.disk.free.set).start()
    kept.writer.wait(9)
    assert (kept.writer.durable, kept.disk.syncs) == (2, 2)
    kept.writer.close()


def test_closing_waits_for_the_disk_and_ends_the_thread(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.MOVE_SECONDS", 5)
    kept.disk.free.clear()
    kept.writer.append(step(1))
    threading.Timer(SOON, kept.disk.free.set).start()
    kept.writer.close()
    assert (kept.writer.durable, kept.threads()) == (1, [])


def test_closing_does_not_wait_for_ever(kept: Kept) -> None:
    kept.disk.free.clear()
    kept.writer.append(step(1))
    kept.writer.close()
    (thread,) = kept.threads()
    kept.disk.free.set()
    thread.join(5)
    assert not thread.is_alive()


def test_closing_with_a_fault_does_not_try_for_ever(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.MOVE_SECONDS", 5)
    kept.broke()
    kept.writer.close()
    assert (kept.threads(), kept.disk.rewrites) == ([], 1)


def test_another_file_ends_a_fault_and_a_file_written_anew_keeps_its_rights(kept: Kept) -> None:
    kept.broke()
    kept.writer.save_as(str(kept.path.with_name("hall.toml")))
    assert kept.reports[-1] == (1, "")
    kept.path.with_name("hall.toml").chmod(0o640)
    kept.disk.failing, kept.disk.broken = 1, False
    kept.writer.append(step(2))
    until(lambda: kept.reports[-1] == (2, ""))
    kept.writer.close()
    assert kept.path.with_name("hall.toml").stat().st_mode & 0o777 == 0o640


# --- the writer


def test_closing_brings_the_rest_to_the_disk_in_the_calling_thread(tmp_path: Path) -> None:
    disk = FaultyDisk()
    writer = Writer.create(str(tmp_path / "mill.toml"), HEADER, "inline", disk=disk)
    writer.append(step(1))
    disk.log.clear()
    writer.close()
    assert (disk.log, writer.durable) == (["fdatasync", "close"], 1)
    disk.broken = lambda *_: errno.EIO
    writer.close()


def test_what_may_wait_for_the_disk_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.APPEND_SECONDS", 0.2)
    path, disk = tmp_path / "mill.toml", Held()
    disk.free.clear()
    writer = Writer.create(str(path), HEADER, "thread", disk=disk)
    with pytest.raises(NotSaved) as caught:
        fill(writer, 99)
    assert "slow" in caught.value.message
    assert MOST_UNSYNCED - 2000 < writer.end.offset < MOST_UNSYNCED + 400
    number = writer.end.number
    disk.free.set()
    writer.wait(5)
    writer.append(step(number + 1, size=900_000))  # waits alone
    writer.append(step(number + 2))
    writer.close()
    assert read_journal(str(path), Event).end.number == number + 2


def fill(writer: Writer, count: int) -> None:
    for number in range(1, count + 1):
        writer.append(step(number, size=1000))


@pytest.mark.parametrize("count", [3, 60])
def test_opening_behind_a_screen_does_not_wait_for_the_disk(tmp_path: Path, count: int) -> None:
    path, disk = tmp_path / "mill.toml", Held()
    disk.free.clear()
    first = Writer.create(str(path), HEADER, "inline")
    fill(first, count)
    first.close()
    told: list[int] = []
    writer = Writer.open(
        str(path), read_journal(str(path), Event), "thread", lambda: told.append(writer.durable), disk=disk
    )
    until(lambda: disk.syncs == 1)
    assert (writer.end.number, writer.durable, told) == (count, 0, [])
    if writer.end.offset > MOST_UNSYNCED:
        # So much may not wait: whoever writes now must wait for it.
        with pytest.raises(NotSaved, match="too slow"):
            writer.append(step(count + 1))
    else:
        writer.append(step(count + 1))
        assert f"# pending {count}\n".encode() in path.read_bytes()
    disk.free.set()
    writer.wait(5)
    assert writer.durable == writer.end.number
    until(lambda: told != [] and told[-1] == writer.end.number)
    writer.close()


def test_nothing_is_left_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    path = tmp_path / "mill.toml"
    for how in ("thread", "inline"):
        writer = Writer.create(str(path), HEADER, "thread" if how == "thread" else "inline")
        writer.append(step(1))
        writer.save_as(str(tmp_path / "other.toml"))
        writer.close()
        read_journal(str(path), Event)
        (tmp_path / "other.toml").unlink()
        path.unlink()
    assert len(os.listdir("/proc/self/fd")) == before

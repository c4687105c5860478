from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.journals import HEADER, Event, step
from tui.store.disk import Disk
from tui.store.journal.file import MOST_UNSYNCED
from tui.store.journal.reader import read_journal
from tui.store.journal.writer import Writer
from tui.store.problems import NotSaved


class GatedDisk(Disk):
    """A disk whose syncs wait for `gate`; `syncs` counts those that were begun."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.syncs = 0
        self.error = 0

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        if self.error:
            raise OSError(errno.EACCES, "")
        return super().open(path, flags, mode)

    def fdatasync(self, fd: int) -> None:
        self.syncs += 1
        self.gate.wait(5)
        if self.error:
            raise OSError(self.error, "")
        super().fdatasync(fd)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_what_may_wait_for_the_disk_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.APPEND_SECONDS", 0.2)
    path, disk = tmp_path / "mill.toml", GatedDisk()
    writer = Writer.create(str(path), HEADER, "thread", disk=disk)
    with pytest.raises(NotSaved) as caught:
        fill(writer, 99)
    assert "slow" in caught.value.message
    assert MOST_UNSYNCED - 2000 < writer.end.offset < MOST_UNSYNCED + 400
    number = writer.end.number
    disk.gate.set()
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
    path, disk = tmp_path / "mill.toml", GatedDisk()
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
    disk.gate.set()
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

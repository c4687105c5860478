from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.disks import FaultyDisk
from tests.store.journals import HEADER, HOUSE, Event, fight, step
from tui.store.disk import Disk
from tui.store.journal.file import WINDOW
from tui.store.journal.reader import parse, read
from tui.store.journal.records import pending
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


def test_an_append_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    path, disk = tmp_path / "mill.toml", GatedDisk()
    told: list[int] = []
    writer = Writer.create(str(path), HEADER, "thread", lambda: told.append(writer.durable), disk=disk)
    for one in fight(20):
        writer.append(one)
    assert writer.durable == 0
    assert read(str(path), Event).steps == fight(20)
    disk.gate.set()
    writer.wait(5)
    assert writer.durable == 20
    until(lambda: told != [] and told[-1] == 20)
    assert told == sorted(told)
    assert disk.syncs <= 3  # what queued up behind the slow one went in one call
    writer.close()


def test_a_record_written_ahead_of_the_disk_says_so(tmp_path: Path) -> None:
    path, disk = tmp_path / "mill.toml", GatedDisk()
    writer = Writer.create(str(path), HEADER, "thread", disk=disk)
    for one in fight(3):
        writer.append(one)
    disk.gate.set()
    writer.wait(5)
    writer.append(step(4))
    writer.close()
    found = read(str(path), Event)
    assert [pending(found.data[start:stop]) for start, stop in found.spans] == [0, 1, 2, 0]


def test_what_may_wait_for_the_disk_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.journal.file.PATIENCE", 0.2)
    path, disk = tmp_path / "mill.toml", GatedDisk()
    writer = Writer.create(str(path), HEADER, "thread", disk=disk)
    with pytest.raises(NotSaved) as caught:
        fill(writer, 99)
    assert "slow" in caught.value.message
    assert WINDOW - 2000 < writer.end.offset < WINDOW + 400
    number = writer.end.number
    disk.gate.set()
    writer.wait(5)
    writer.append(step(number + 1, size=900_000))  # waits alone
    writer.append(step(number + 2))
    writer.close()
    assert read(str(path), Event).end.number == number + 2


def fill(writer: Writer, count: int) -> None:
    for number in range(1, count + 1):
        writer.append(step(number, size=1000))


def test_inline_the_window_is_synced_on_the_way(tmp_path: Path) -> None:
    disk = FaultyDisk()
    writer = Writer.create(str(tmp_path / "mill.toml"), HEADER, "inline", disk=disk)
    fill(writer, 200)
    assert 6 <= disk.log.count("fdatasync") <= 8
    assert writer.end.number - writer.durable <= 32
    before = threading.active_count()
    writer.wait()
    assert threading.active_count() == before
    assert writer.durable == 200


def test_a_fault_of_the_worker_is_told_and_heals(tmp_path: Path) -> None:
    path, disk = tmp_path / "mill.toml", GatedDisk()
    faults: list[NotSaved] = []
    told: list[int] = []

    def heard() -> None:
        if writer.fault:
            faults.append(writer.fault)
        else:
            told.append(writer.durable)

    writer = Writer.create(str(path), HEADER, "thread", heard, disk=disk)
    writer.append(step(1))
    disk.error = errno.EIO
    disk.gate.set()
    until(lambda: bool(faults))
    assert writer.fault is not None
    with pytest.raises(NotSaved):
        writer.append(step(2))
    with pytest.raises(NotSaved):
        writer.wait(5)
    assert (writer.end.number, writer.durable) == (1, 0)
    disk.error = 0
    writer.append(step(2))
    writer.wait(5)
    assert writer.fault is None
    until(lambda: told != [] and told[-1] == 2)
    writer.close()
    assert read(str(path), Event).steps == fight(2)


def test_a_worker_outlives_a_screen_that_is_gone(tmp_path: Path) -> None:
    def gone() -> None:
        raise RuntimeError("loop is closed")

    path = tmp_path / "mill.toml"
    writer = Writer.create(str(path), HEADER, "thread", gone)
    for one in fight(3):
        writer.append(one)
        writer.wait(5)
    assert writer.durable == 3


@pytest.mark.parametrize("how", ["thread", "inline"])
def test_a_file_that_changed_under_us_is_left_alone(tmp_path: Path, how: str) -> None:
    path, aside = tmp_path / "mill.toml", tmp_path / "aside.toml"

    def replaced() -> None:
        path.rename(aside)
        path.write_bytes(aside.read_bytes())

    def deleted() -> None:
        path.unlink()

    def moved() -> None:
        path.rename(aside)

    def grown() -> None:
        with path.open("ab") as file:
            file.write(b"# a remark\n")

    def cut() -> None:
        os.truncate(path, 100)

    for change in (replaced, deleted, moved, grown, cut):
        for old in tmp_path.iterdir():
            old.unlink()
        writer = Writer.create(str(path), HEADER, "thread" if how == "thread" else "inline")
        writer.append(step(1))
        writer.wait(5)
        change()
        left = {name.name: name.read_bytes() for name in tmp_path.iterdir()}
        for _ in range(2):
            with pytest.raises(NotSaved) as caught:
                writer.append(step(2))
            assert "outside" in caught.value.message
            assert "saveas" in caught.value.hint
        assert {name.name: name.read_bytes() for name in tmp_path.iterdir()} == left
        writer.save_as(str(tmp_path / "new.toml"))
        writer.append(step(2))
        writer.close()
        assert read(str(tmp_path / "new.toml"), Event).steps == fight(2)


def test_a_file_that_comes_back_is_written_again(tmp_path: Path) -> None:
    path, aside = tmp_path / "mill.toml", tmp_path / "aside.toml"
    writer = Writer.create(str(path), HEADER, "inline")
    path.rename(aside)
    with pytest.raises(NotSaved):
        writer.append(step(1))
    aside.rename(path)
    writer.append(step(1))
    writer.wait()
    assert read(str(path), Event).steps == fight(1)


def test_save_as_goes_on_elsewhere_under_the_new_name(tmp_path: Path) -> None:
    path, other = tmp_path / "mill.toml", tmp_path / "hut.toml"
    for how in ("thread", "inline"):
        writer = Writer.create(str(path), HOUSE, "thread" if how == "thread" else "inline")
        for one in fight(5):
            writer.append(one)
        with pytest.raises(NotSaved) as caught:
            writer.save_as(str(path))
        assert "exists" in caught.value.message
        writer.save_as(str(other))
        assert (writer.path, writer.header.save, writer.durable) == (str(other), "hut", 5)
        writer.append(step(6))
        writer.close()
        assert read(str(path), Event).steps == fight(5)
        found = read(str(other), Event)
        assert (found.steps, found.header.save, found.header.options) == (fight(6), "hut", HOUSE.options)
        path.unlink()
        other.unlink()


def test_a_new_save_never_takes_the_place_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    path.write_bytes(b"mine")
    for disk in (Disk(), NoLinks()):
        with pytest.raises(NotSaved):
            Writer.create(str(path), HEADER, "inline", disk=disk)
        assert [name.name for name in tmp_path.iterdir()] == ["mill.toml"]
        assert path.read_bytes() == b"mine"
    path.unlink()
    Writer.create(str(path), HEADER, "inline", disk=NoLinks()).close()
    assert [name.name for name in tmp_path.iterdir()] == ["mill.toml"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_nlink == 1


class NoLinks(Disk):
    """A file system without hard links."""

    def link(self, old: str, new: str) -> None:
        raise OSError(errno.EPERM, "")


def test_numbers_follow_one_another(tmp_path: Path) -> None:
    writer = Writer.create(str(tmp_path / "mill.toml"), HEADER, "inline")
    for wrong in (0, 2, 7):
        with pytest.raises(ValueError):
            writer.append(step(wrong))
    writer.append(step(1))
    with pytest.raises(ValueError):
        writer.append(step(1))


@pytest.mark.parametrize("count", [3, 60])
def test_opening_behind_a_screen_does_not_wait_for_the_disk(tmp_path: Path, count: int) -> None:
    path, disk = tmp_path / "mill.toml", GatedDisk()
    first = Writer.create(str(path), HEADER, "inline")
    fill(first, count)
    first.close()
    told: list[int] = []
    writer = Writer.open(
        str(path), read(str(path), Event), "thread", lambda: told.append(writer.durable), disk=disk
    )
    until(lambda: disk.syncs == 1)
    assert (writer.end.number, writer.durable, told) == (count, 0, [])
    if writer.end.offset > WINDOW:
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


def test_a_disk_that_fails_at_the_opening_is_told_and_heals(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    disk = FaultyDisk(lambda name, _: errno.EIO if name in {"fdatasync", "replace"} else 0)
    Writer.create(str(path), HEADER, "inline").close()
    faults: list[bool] = []
    writer = Writer.open(
        str(path), read(str(path), Event), "thread", changed=lambda: faults.append(True), disk=disk
    )
    until(lambda: bool(faults))
    with pytest.raises(NotSaved):
        writer.append(step(1))
    assert read(str(path), Event).steps == []
    disk.broken = lambda *_: 0
    writer.append(step(1))
    writer.wait(5)
    assert (writer.fault, writer.durable) == (None, 1)
    writer.close()
    assert read(str(path), Event).steps == fight(1)


def test_opening_for_writing_takes_only_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    writer = Writer.create(str(path), HEADER, "inline")
    writer.append(step(1))
    journal = read(str(path), Event)
    writer.append(step(2))
    with pytest.raises(NotSaved):
        Writer.open(str(path), journal, "inline")
    writer.close()
    journal = read(str(path), Event)
    path.write_bytes(journal.data.replace(b"Orc", b"Elf"))
    damaged = read(str(path), Event, lenient=True)
    assert damaged.problem is not None
    with pytest.raises(type(damaged.problem)):
        Writer.open(str(path), damaged, "inline")


def test_what_a_dead_process_left_is_swept_when_the_save_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    Writer.create(str(path), HEADER, "inline").close()
    (tmp_path / ".mill.toml.tmp-1").write_bytes(b"half")
    (tmp_path / ".milly.toml.tmp-1").write_bytes(b"another's")
    (tmp_path / f".mill.toml.tmp-{os.getpid()}").write_bytes(b"mine of old")
    writer = Writer.open(str(path), read(str(path), Event), "inline")
    assert sorted(os.listdir(tmp_path)) == [".milly.toml.tmp-1", "mill.toml"]
    assert parse(writer.content(), Event).header == HEADER


def test_nothing_is_left_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    path = tmp_path / "mill.toml"
    for how in ("thread", "inline"):
        writer = Writer.create(str(path), HEADER, "thread" if how == "thread" else "inline")
        writer.append(step(1))
        writer.save_as(str(tmp_path / "other.toml"))
        writer.close()
        read(str(path), Event)
        (tmp_path / "other.toml").unlink()
        path.unlink()
    assert len(os.listdir("/proc/self/fd")) == before


def begun(path: Path) -> Writer:
    """A new save with one record."""
    writer = Writer.create(str(path), HEADER, "inline")
    writer.append(step(1))
    return writer


def test_an_edit_in_place_of_the_same_size_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    w = begun(path)
    data = path.read_bytes()
    time.sleep(0.02)  # the clock of a file system is coarse
    with path.open("r+b") as file:
        file.write(data[:90] + b"~" + data[91:])
    with pytest.raises(NotSaved, match="edited in place"):
        w.append(step(2))
    with path.open("r+b") as file:
        file.write(data)
    w.append(step(2))
    w.close()
    assert [s.number for s in read(str(path), Event).steps] == [1, 2]


def test_new_times_and_rights_alone_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    w = begun(path)
    os.utime(path, (1, 1))
    w.append(step(2))
    path.chmod(0o640)
    w.append(step(3))
    w.close()
    assert len(read(str(path), Event).steps) == 3

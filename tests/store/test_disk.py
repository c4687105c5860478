"""Files, locks and processes, one by one: what is refused in which words, and that nothing is left behind."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.store.disks import FaultyDisk, ShortDisk
from tui.store import lock
from tui.store import lock as holder
from tui.store.disk import (
    MOST_COMPLETED,
    READ,
    Disk,
    flush,
    flush_data,
    give_name,
    numbered,
    open_regular,
    paths_beginning,
    publish,
    put,
    read_open,
    read_regular,
    stage,
    sync_folder,
    temporary_of,
    write_all,
)
from tui.store.lock import Busy, Holder, SaveLock, network, request_takeover
from tui.store.problems import BadFile, NotSaved


@pytest.mark.parametrize(
    ("name", "why"),
    [("missing", "there is no such file"), ("link", "this is a link; links are not followed"),
     ("file/below", "a folder on the way is not a folder"), ("a\0b", "this cannot be a file's name")],
)  # fmt: skip
def test_a_file_that_cannot_be_opened_says_why_and_names_no_line(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(BadFile) as refused:
        read_regular(Disk(), f"{tmp_path}/{name}", 10)
    assert (refused.value.line, refused.value.message) == (0, why)


class NoFolders(Disk):
    """A disk that loses names: its folders cannot be synced."""

    def fsync(self, fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EIO, "lost")
        super().fsync(fd)


def test_a_file_whose_name_is_not_on_the_disk_is_not_there_at_all(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="lost"):
        publish(NoFolders(), str(tmp_path / "mill.toml"), [b"x"])
    assert os.listdir(tmp_path) == []


def test_a_name_that_is_taken_is_left_alone_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        publish(Disk(), str(tmp_path / "mill.toml"), [b"x"])
    assert {x.name: x.read_bytes() for x in tmp_path.iterdir()} == {"mill.toml": b"mine"}


def test_a_new_file_has_its_rights_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        fd, temporary, _ = stage(Disk(), str(tmp_path / "page"), [b"x"], 0o640)
        os.close(fd)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(temporary).st_mode) == 0o640


def test_a_path_is_completed_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "monsters").mkdir()
    for name in ("monk.md", "orc.md", ".hidden"):
        (tmp_path / name).touch()
    assert paths_beginning(f"{tmp_path}/mon") == [f"{tmp_path}/monk.md", f"{tmp_path}/monsters/"]
    assert len(paths_beginning(f"{tmp_path}/")) == 3
    assert paths_beginning(f"{tmp_path}/.h") == [f"{tmp_path}/.hidden"]
    assert paths_beginning(f"{tmp_path}/none/x") == []
    monkeypatch.setenv("HOME", str(tmp_path))
    assert paths_beginning("~/or") == ["~/orc.md"]
    monkeypatch.chdir(tmp_path)
    assert paths_beginning("or") == ["orc.md"]


def test_bytes_are_brought_to_the_disk_without_their_times_where_that_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(os, "fdatasync", lambda _: calls.append("data"), raising=False)
    monkeypatch.setattr(os, "fsync", lambda _: calls.append("all"))
    monkeypatch.delattr(fcntl, "F_FULLFSYNC", raising=False)
    with (tmp_path / "x").open("wb") as file:
        flush_data(file.fileno())
        monkeypatch.delattr(os, "fdatasync")
        flush_data(file.fileno())
    assert calls == ["data", "all"]


def test_a_step_that_was_not_saved_says_so_first() -> None:
    assert str(NotSaved("the disk is full", "free some space")) == "not saved: the disk is full"


@pytest.mark.parametrize(
    ("answer", "alive"), [(None, True), (PermissionError(), True), (ProcessLookupError(), False)]
)
def test_a_process_that_is_not_ours_is_alive_all_the_same(
    monkeypatch: pytest.MonkeyPatch, answer: OSError | None, alive: bool
) -> None:
    def kill(pid: int, signal: int) -> None:
        assert (pid, signal) == (77, 0)
        if answer:
            raise answer

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(holder, "started", lambda _: 0)
    assert holder._alive(Holder(pid=77)) is alive


def test_a_disk_without_locks_is_refused_and_nothing_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(fd: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(BadFile) as refused:
        SaveLock.acquire(str(tmp_path / "mill.toml"))
    assert str(refused.value) == "mill.toml.lock: this disk has no locks (no locks)"
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_a_holder_who_was_asked_and_stays_is_waited_for_no_longer_than_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "mill.toml")
    held = SaveLock.acquire(path)
    monkeypatch.setattr(lock, "_signal", lambda *_: True)
    with pytest.raises(Busy):
        request_takeover(path, timeout=0)
    held.release()


@pytest.mark.parametrize(("kind", "told"), [("nfs4", "nfs4"), ("ext4", "")])
def test_a_save_on_another_machine_is_known_by_its_mount(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, told: str
) -> None:
    mounts = f"36 35 98:0 / / rw - ext4 /dev/sda rw\n37 36 0:1 / {tmp_path} rw - {kind} there:/x rw\n"

    def opened(*_: Any, **__: Any) -> io.StringIO:
        return io.StringIO(mounts)

    monkeypatch.setattr(lock, "open", opened, raising=False)
    assert network(str(tmp_path / "mill.toml")) == told


# --- reading


def opened() -> int:
    """How many descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (errno.EACCES, "you may not read it"),
        (errno.ENXIO, "this is not a regular file"),
        (errno.EIO, os.strerror(errno.EIO)),
        (None, "it cannot be read"),
    ],
)
@pytest.mark.parametrize("call", ["open", "read"])
def test_a_file_that_the_disk_refuses_says_why_in_our_words(
    tmp_path: Path, call: str, code: int | None, why: str
) -> None:
    def broken(*_: object) -> int:
        raise OSError(code, "x") if code else OSError("x")

    (tmp_path / "file").write_bytes(b"x")
    before = opened()
    with pytest.raises(BadFile) as refused:
        read_regular(FaultyDisk(broken, (call,)), f"{tmp_path}/file", 10)
    assert (refused.value.line, refused.value.message) == (0, why)
    assert opened() == before


def test_a_file_is_read_up_to_its_bound_and_nothing_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 2_000_001)
    before = opened()
    data, status = read_regular(Disk(), str(path), 2_000_001)
    assert (len(data), status.st_size) == (2_000_001, 2_000_001)
    with pytest.raises(BadFile) as refused:
        read_regular(Disk(), str(path), 2_000_000)
    assert (refused.value.line, refused.value.message) == (0, "the file is larger than 2 MB")
    with pytest.raises(BadFile) as refused:
        open_regular(Disk(), str(tmp_path), 10**9)
    assert (refused.value.line, refused.value.message) == (0, "this is not a regular file")
    assert opened() == before
    fd, status = open_regular(Disk(), str(path), 2_000_001)
    assert status.st_ino == os.fstat(fd).st_ino
    os.close(fd)


@pytest.mark.parametrize("grown", [10, 11])
def test_a_file_that_grows_while_it_is_read_is_taken_up_to_its_bound(tmp_path: Path, grown: int) -> None:
    class Growing(Disk):
        def fstat(self, fd: int) -> os.stat_result:
            status = super().fstat(fd)
            (tmp_path / "file").write_bytes(b"x" * grown)
            return status

    (tmp_path / "file").write_bytes(b"x")
    if grown == 10:
        assert read_regular(Growing(), f"{tmp_path}/file", 10)[0] == b"x" * 10
        return
    with pytest.raises(BadFile) as refused:
        read_regular(Growing(), f"{tmp_path}/file", 10)
    assert (refused.value.line, refused.value.message) == (0, "the file is larger than 0 MB")


def test_a_part_of_a_file_is_read_in_as_few_calls_as_the_disk_allows(tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []

    class Endless(Disk):
        def read(self, fd: int, size: int, offset: int) -> bytes:
            asked.append((size, offset))
            return bytes(size)

    assert len(read_open(Endless(), 0, 5, 10 + 2**24)) == 5 + 2**24
    assert asked == [(2**24, 5), (5, 5 + 2**24)]
    assert read_open(Endless(), 0, 5, 5) == b""
    assert len(asked) == 2
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    fd = Disk().open(str(path), READ)
    for disk in (Disk(), ShortDisk(1), ShortDisk(3)):
        assert read_open(disk, fd, 2, 7) == b"23456"
        assert read_open(disk, fd, 8, 99) == b"89"
    os.close(fd)


# --- writing


def test_a_file_is_cut_where_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    with path.open("r+b") as file:
        Disk().ftruncate(file.fileno(), 4)
    assert path.read_bytes() == b"0123"


def test_all_bytes_are_written_however_few_are_taken_and_none_taken_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for disk in (Disk(), ShortDisk(1), ShortDisk(3)):
        with path.open("wb") as file:
            write_all(disk, file.fileno(), b"0123456789")
        assert path.read_bytes() == b"0123456789"
    with path.open("wb") as file, pytest.raises(OSError, match="the disk takes no bytes") as refused:
        write_all(ShortDisk(0), file.fileno(), b"x")
    assert refused.value.errno == errno.EIO


MAKING: dict[str, Callable[[Disk, str], object]] = {
    "put": lambda disk, path: put(disk, path, [b"n", b"ew"]),
    "wide": lambda disk, path: put(disk, path, [b"new"], 0o640),
    "durable": lambda disk, path: put(disk, path, [b"new"], durable=True),
    "passing": lambda disk, path: put(disk, path, [b"new"], passing=True),
    "publish": lambda disk, path: os.close(publish(disk, path, [b"n", b"ew"])[0]),
}
"""Each way to write a whole file."""


@pytest.mark.parametrize(
    ("how", "calls"),
    [
        ("put", "open write fstat close replace"),
        ("wide", "open write fchmod fstat close replace"),
        ("durable", "open write fsync fstat close replace open fsync close"),
        ("passing", "open write fstat close unlink replace"),
        ("publish", "open write fsync fstat link unlink open fsync close"),
    ],
)
def test_bytes_are_on_the_disk_before_their_name_and_the_name_before_it_is_said(
    tmp_path: Path, how: str, calls: str
) -> None:
    disk, path = FaultyDisk(), tmp_path / "page"
    MAKING[how](disk, str(path))
    assert " ".join(disk.log) == calls
    assert {x.name: x.read_bytes() for x in tmp_path.iterdir()} == {"page": b"new"}
    assert stat.S_IMODE(path.stat().st_mode) == (0o640 if how == "wide" else 0o600)
    assert path.stat().st_nlink == 1


@pytest.mark.parametrize("how", MAKING)
def test_a_file_is_written_whole_or_not_at_all_whichever_call_fails(tmp_path: Path, how: str) -> None:
    path, before, failed = tmp_path / "page", opened(), 0
    whole = FaultyDisk()
    MAKING[how](whole, str(path))
    for failing, call in enumerate(whole.log, 1):
        if call == "unlink":  # a name that cannot be deleted is litter, and no error
            continue
        path.unlink(missing_ok=True)
        if how in ("put", "wide", "durable"):
            path.write_bytes(b"old")
        disk = FaultyDisk(lambda _, count, failing=failing: errno.EIO * (count == failing))  # type: ignore[misc]
        try:
            MAKING[how](disk, str(path))
        except OSError:
            failed += 1
            left = {x.name: x.read_bytes() for x in tmp_path.iterdir()}
            old_or_new = [{"page": b"old"}, {"page": b"new"}]
            after: list[dict[str, bytes]] = [{}] if how in ("passing", "publish") else old_or_new
            assert left in after, (call, left)
        assert opened() == before, call
    assert failed >= len([x for x in whole.log if x not in ("unlink", "link")])


def test_a_name_is_given_without_hard_links_as_well_and_never_over_a_file(tmp_path: Path) -> None:
    new, path = tmp_path / "new", tmp_path / "page"
    for name in ("new", "page"):
        (tmp_path / name).write_text(name)
    disk = FaultyDisk(lambda *_: errno.EPERM, ("link",))
    with pytest.raises(FileExistsError) as refused:
        give_name(disk, str(new), str(path))
    assert (refused.value.errno, refused.value.filename) == (errno.EEXIST, str(path))
    assert (new.read_text(), path.read_text()) == ("new", "page")
    path.unlink()
    with pytest.raises(PermissionError):
        give_name(FaultyDisk(lambda *_: errno.EPERM, ("link", "lstat")), str(new), str(path))
    give_name(disk, str(new), str(path))
    assert {x.name: x.read_text() for x in tmp_path.iterdir()} == {"page": "new"}


def test_what_a_dead_process_of_our_number_left_is_exchanged(tmp_path: Path) -> None:
    path = str(tmp_path / "page")
    assert temporary_of(path) == f"{tmp_path}/.page.tmp-{os.getpid()}"
    assert temporary_of("page") == f"./.page.tmp-{os.getpid()}"
    Path(temporary_of(path)).write_bytes(b"half of it")
    fd, temporary, status = stage(Disk(), path, [b"x"])
    assert (temporary, status.st_size) == (temporary_of(path), 1)
    os.write(fd, b"y")
    os.close(fd)
    assert Path(temporary).read_bytes() == b"xy"


def test_a_file_system_that_syncs_no_folders_is_no_error_and_every_other_error_is(tmp_path: Path) -> None:
    before = opened()
    sync_folder(FaultyDisk(lambda *_: errno.EINVAL, ("fsync",)), str(tmp_path / "page"))
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        sync_folder(FaultyDisk(lambda *_: errno.EIO, ("fsync",)), str(tmp_path / "page"))
    assert opened() == before


def test_the_drives_own_memory_is_emptied_where_that_can_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    answer: list[OSError] = []

    def full(_: int, what: int) -> None:
        calls.append(what)
        if answer:
            raise answer[0]

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full)
    monkeypatch.setattr(os, "fsync", lambda _: calls.append("all"))
    monkeypatch.setattr(os, "fdatasync", lambda _: calls.append("data"), raising=False)
    Disk().fsync(0)
    Disk().fdatasync(0)
    assert calls == [51, 51]
    answer.append(OSError(errno.ENOTSUP, "x"))
    flush(0)
    assert calls[2:] == [51, "all"]
    for code in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
        answer[0] = OSError(code, "x")
        with pytest.raises(OSError, match="x"):
            flush(0)
    assert calls[4:] == [51, 51, 51]


def test_copies_are_numbered_from_the_second_and_completion_has_a_bound(tmp_path: Path) -> None:
    assert [numbered("mill", n) for n in (1, 2, 3)] == ["mill.toml", "mill-2.toml", "mill-3.toml"]
    for number in range(MOST_COMPLETED + 3):
        (tmp_path / f"orc{number:03}").touch()
    found = paths_beginning(f"{tmp_path}/")
    assert found == [f"{tmp_path}/orc{number:03}" for number in range(40)]

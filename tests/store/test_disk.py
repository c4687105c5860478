"""Files, locks and processes, one by one: what is refused in which words, and that nothing is left behind."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tui.store import lock
from tui.store import lock as holder
from tui.store.disk import Disk, flush_data, paths_beginning, publish, read_regular, stage
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
    with pytest.raises(BadFile, match="this disk has no locks"):
        SaveLock.acquire(str(tmp_path / "mill.toml"))
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

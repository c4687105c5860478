"""Systems without /proc, pidfd or fdatasync: each is taken away, and what remains is said."""

from __future__ import annotations

import builtins
import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import HOLD
from tests.kit.program import Program
from tui.store import disk, lock
from tui.store import lock as holder
from tui.store.lock import Busy, SaveLock, find_writer, lock_path, network_kind, request_takeover


@pytest.fixture
def no_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS and the BSDs, and in some containers."""
    real_open, real_list = builtins.open, os.listdir

    def refused(path: Any, *rest: Any, **more: Any) -> Any:
        if str(path).startswith("/proc"):
            raise FileNotFoundError(errno.ENOENT, "no /proc here", str(path))
        return real_open(path, *rest, **more)

    def unlisted(path: Any = ".") -> list[str]:
        if str(path).startswith("/proc"):
            raise FileNotFoundError(errno.ENOENT, "no /proc here", str(path))
        return real_list(path)

    monkeypatch.setattr(builtins, "open", refused)
    monkeypatch.setattr(os, "listdir", unlisted)


def held(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    return process


def let_go(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def refused_takeover(path: Path) -> None:
    """The lock holds and nobody is signalled; once the holder is gone the lock is free at once."""
    process = held(path)
    with pytest.raises(Busy) as caught:
        request_takeover(str(path), timeout=1.5)
    assert "end that process yourself" in caught.value.hint
    assert process.poll() is None
    let_go(process)
    SaveLock.acquire(str(path)).release()


@pytest.mark.usefixtures("no_proc")
def test_without_proc_a_take_over_asks_for_a_hand(tmp_path: Path) -> None:
    refused_takeover(tmp_path / "mill.toml")


@pytest.mark.usefixtures("no_proc")
def test_without_proc_play_goes_on_and_the_network_is_unknown(tmp_path: Path) -> None:
    program = Program(tmp_path)
    assert program.call("new", "--system", "classic").code == 0
    assert program.do("add Ana", "begin", "roll").code == 0
    assert network_kind(str(tmp_path)) == ""
    assert holder.start_time(os.getpid()) == 0


@pytest.mark.usefixtures("no_proc")
def test_without_proc_a_writer_is_known_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process = held(path)
    assert find_writer(lock_path(str(path)))
    let_go(process)
    assert find_writer(lock_path(str(path))) is None


def test_without_pidfd_a_take_over_asks_for_a_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    refused_takeover(tmp_path / "mill.toml")


def test_without_fdatasync_fsync_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.delattr(os, "fdatasync")
    monkeypatch.setattr(os, "fsync", synced.append)
    disk.Disk().fdatasync(7)
    assert synced == [7]
    program = Program(tmp_path)
    assert program.call("new", "--system", "classic").code == 0
    assert program.do("add Ana").code == 0
    assert len(synced) > 3


@pytest.mark.parametrize("code", [0, errno.ENOTSUP, errno.EINVAL, errno.EIO, errno.ENOSPC])
def test_where_the_drive_keeps_bytes_to_itself_they_are_flushed(
    monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """F_FULLFSYNC of macOS.

    A file system that has none is synced as everywhere, and a sick one is reported.
    """
    asked: list[tuple[int, int]] = []
    synced: list[int] = []

    def control(fd: int, what: int) -> None:
        asked.append((fd, what))
        if code:
            raise OSError(code, "")

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", synced.append)
    for sync in (disk.Disk().fdatasync, disk.Disk().fsync):
        if code in (errno.EIO, errno.ENOSPC):
            with pytest.raises(OSError) as caught:
                sync(7)
            assert caught.value.errno == code
        else:
            sync(7)
    assert asked == [(7, 51), (7, 51)]
    assert synced == ([7, 7] if code in (errno.ENOTSUP, errno.EINVAL) else [])


def test_a_file_system_without_locks_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_fd: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock.fcntl, "flock", flock)  # type: ignore[attr-defined]
    program = Program(tmp_path)
    assert program.call("new", "--system", "classic").code == 0
    ended = program.do("add Ana")
    assert (ended.code, "no locks" in ended.err) == (3, True)
    assert program.call("show").code == 0

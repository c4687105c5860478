"""Systems without /proc, pidfd or fdatasync: each is taken away, and what remains is said."""

from __future__ import annotations

import builtins
import errno
import fcntl
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.kit.program import Program
from tui.store import disk, lock, session
from tui.store.journal.writer import How
from tui.store.lock import (
    Busy,
    Holder,
    SaveLock,
    find_writer,
    lock_path,
    network_kind,
    read_holder,
    request_takeover,
    start_time,
    this_process,
)
from tui.store.lock import write_holder as write_message
from tui.store.opening import create_save
from tui.store.problems import BadFile
from tui.store.sources import SeededDice
from tui.systems import Registry

TOP = Path(__file__).parents[2]

HOLD = """
    import signal, sys, time
    from tui.store.lock import Busy, SaveLock
    {before}
    try:
        lock = SaveLock.acquire(sys.argv[1], 41)
    except Busy as busy:
        print("busy", busy.holder.pid, flush=True)
    else:
        print("held", flush=True)
        sys.stdin.read()
"""
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def start(path: Path, before: str = "") -> subprocess.Popen[str]:
    code = textwrap.dedent(HOLD.format(before=before))
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=TOP, stdin=pipe, stdout=pipe, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def end(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        process.kill()
        process.communicate()


def test_one_writer_of_ten(tmp_path: Path) -> None:
    processes = [start(tmp_path / "mill.toml") for _ in range(10)]
    answers = [said(process) for process in processes]
    holder = [process.pid for process, answer in zip(processes, answers, strict=True) if answer == "held"]
    assert len(holder) == 1
    assert set(answers) - {"held"} <= {f"busy {holder[0]}", "busy 0"}  # 0: it had not told yet
    end(*processes)


def test_a_kill_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process = start(path)
    assert said(process) == "held"
    with pytest.raises(Busy) as caught:
        SaveLock.acquire(str(path))
    holder = caught.value.holder
    assert (holder.pid, holder.step, holder.host) == (process.pid, 41, os.uname().nodename)
    assert holder.started > 0
    assert f"at step {holder.step}" in caught.value.message
    process.send_signal(signal.SIGKILL)
    process.communicate()
    lock = SaveLock.acquire(str(path))
    lock.release()


def test_a_takeover_asks_and_the_holder_leaves(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process = start(path)
    assert said(process) == "held"
    lock = request_takeover(str(path))
    assert process.wait(5) == -signal.SIGTERM
    with pytest.raises(Busy):
        SaveLock.acquire(str(path))
    lock.release()
    end(process)


def test_a_takeover_ends_a_frozen_holder_by_force(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    frozen = start(path, DEAF)
    assert said(frozen) == "held"
    request_takeover(str(path), timeout=1.5).release()
    assert frozen.wait(5) == -signal.SIGKILL
    end(frozen)


def test_a_lock_file_that_names_somebody_else_gets_nobody_killed(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process, bystander = start(path), start(tmp_path / "other.toml")
    assert said(process) == said(bystander) == "held"
    me = this_process()
    lies = [
        Holder(me.host, "ana", "", bystander.pid, 0),
        Holder(me.host, "ana", "", bystander.pid, me.started),
        Holder(me.host, "ana", "", bystander.pid, start_time(bystander.pid)),
        Holder("elsewhere", "ana", "", process.pid, start_time(process.pid)),
        Holder(me.host, "ana", "", 1, start_time(1)),
        Holder(me.host, "ana", "", -1, 5),
        Holder(me.host, "ana", "", 2**40, 5),
    ]
    for lie in lies:
        tell(path, lie)
        with pytest.raises(Busy) as caught:
            request_takeover(str(path), timeout=0.05)
        assert caught.value.hint
    assert process.poll() is None
    assert bystander.poll() is None
    end(process, bystander)


def tell(path: Path, holder: Holder) -> None:
    words = (
        f'host = "{holder.host}"\nuser = "{holder.user}"\npid = {holder.pid}\nstarted = {holder.started}\n'
    )
    Path(lock_path(str(path))).write_text(words)


def test_a_lock_file_of_garbage_is_held_and_told_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    lock = SaveLock.acquire(str(path))
    for garbage in (b"", b"\xff\0", b"pid = 'x'", b"[" * 4000, b'user = "\\u001b]52;c;x\\u0007"\npid = 7\n'):
        Path(lock_path(str(path))).write_bytes(garbage)
        with pytest.raises(Busy) as caught:
            SaveLock.acquire(str(path))
        assert caught.value.message.isprintable()
    lock.release()
    SaveLock.acquire(str(path)).release()


def test_the_file_stays_private_and_tells_the_step(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    lock = SaveLock.acquire(str(path), 3)
    place = Path(lock_path(str(path)))
    assert place.stat().st_mode & 0o777 == 0o600
    for number in (4, 1234, 5):
        lock.note(number)
        assert f"\nstep = {number}\n" in place.read_text()
    lock.release()
    lock.release()
    assert place.exists()


def test_a_lock_is_not_inherited_by_programs_that_are_started(tmp_path: Path) -> None:
    lock = SaveLock.acquire(str(tmp_path / "mill.toml"))
    sleeper = subprocess.Popen(["sleep", "30"], close_fds=False)
    lock.release()
    SaveLock.acquire(str(tmp_path / "mill.toml")).release()
    sleeper.kill()
    sleeper.wait()


def test_places_where_no_lock_can_be_made_are_named(tmp_path: Path) -> None:
    (tmp_path / "link.toml.lock").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "pipe.toml.lock")
    (tmp_path / "folder.toml.lock").mkdir()
    for name in ("link.toml", "pipe.toml", "folder.toml", "no/such/folder.toml", "null\0.toml"):
        with pytest.raises(BadFile) as refused:
            SaveLock.acquire(str(tmp_path / name))
        assert refused.value.line == 0  # no line of the save is to blame
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("how", ["thread", "inline"])
def test_a_second_writer_is_told_the_last_step(
    tmp_path: Path, how: How, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "BETWEEN_NOTES", 0.0)
    path = create_save("mill", str(tmp_path), Registry(), "classic", {})
    first = session.open_session(path, "", Registry(), SeededDice(5), how=how)
    for line, step in (("add Ana", 1), ("note x", 2), ("undo", 1)):
        first.store.run(line)
        with pytest.raises(Busy, match=f"at step {step};|at step {step}$"):
            SaveLock.acquire(path)
    first.close()


def test_a_message_is_written_read_again_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml.lock"
    ana = Holder("mill-pc", "a\nb", "x" * 120, 7, 5, "now", 41)
    with path.open("w+b") as file:
        for holder in (Holder(user="x" * 50, step=1_000_000), ana):
            write_message(file.fileno(), holder)
        assert path.read_text(encoding="utf-8") == (
            f'host = "mill-pc"\nuser = "a\ufffdb"\nterminal = "{"x" * 100}…"\npid = 7\nstarted = 5\n'
            'since = "now"\nstep = 41\n'
        )
        assert (
            read_holder(file.fileno()).words() == f"a\ufffdb on mill-pc, {'x' * 100}…, since now, at step 41"
        )
        write_message(file.fileno(), None)
        assert path.read_bytes() == b""
        assert read_holder(file.fileno()) == Holder()
    write_message(-1, ana)
    assert read_holder(-1) == Holder()


def test_who_is_at_work_is_believed_of_others_and_looked_up_here(tmp_path: Path) -> None:
    path, me, before = tmp_path / "mill.toml.lock", this_process(4), len(os.listdir("/proc/self/fd"))
    assert find_writer(str(path)) is None
    assert find_writer("a\0b") is None

    def told(**changes: object) -> Holder | None:
        keys = {"host": me.host, "pid": me.pid, "started": me.started} | changes
        path.write_text("".join(f"{k} = {v!r}\n" for k, v in keys.items()))
        return find_writer(str(path))

    assert told() == Holder(me.host, pid=me.pid, started=me.started)
    assert told(started=0) == Holder(me.host, pid=me.pid)
    assert told(started=me.started + 1) is None
    assert told(pid=0) is None
    assert told(pid=2**40) is None
    assert told(host="elsewhere", started=1) == Holder("elsewhere", pid=me.pid, started=1)
    assert len(os.listdir("/proc/self/fd")) == before


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


def refused_takeover(path: Path) -> None:
    """The lock holds and nobody is signalled; once the holder is gone the lock is free at once."""
    process = start(path)
    assert said(process) == "held"
    with pytest.raises(Busy) as caught:
        request_takeover(str(path), timeout=1.5)
    assert "end that process yourself" in caught.value.hint
    assert process.poll() is None
    end(process)
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
    assert start_time(os.getpid()) == 0


@pytest.mark.usefixtures("no_proc")
def test_without_proc_a_writer_is_known_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process = start(path)
    assert said(process) == "held"
    assert find_writer(lock_path(str(path)))
    end(process)
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

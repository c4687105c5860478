from __future__ import annotations

import fcntl
import io
import os
import pwd
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tui.store import lock as locks
from tui.store import session
from tui.store.journal.writer import How
from tui.store.lock import (
    Busy,
    Holder,
    ReadOnly,
    SaveLock,
    at_work,
    holder_of,
    lock_path,
    myself,
    network,
    request_takeover,
)
from tui.store.lock import started as began
from tui.store.lock import tell as write_message
from tui.store.opening import create
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


def test_a_stopped_holder_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    stopped = start(path)
    assert said(stopped) == "held"
    stopped.send_signal(signal.SIGSTOP)
    request_takeover(str(path)).release()
    end(stopped)


def test_a_lock_file_that_names_somebody_else_gets_nobody_killed(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    process, bystander = start(path), start(tmp_path / "other.toml")
    assert said(process) == said(bystander) == "held"
    me = myself()
    lies = [
        Holder(me.host, "ana", "", bystander.pid, 0),
        Holder(me.host, "ana", "", bystander.pid, me.started),
        Holder(me.host, "ana", "", bystander.pid, started_of(bystander.pid)),
        Holder("elsewhere", "ana", "", process.pid, started_of(process.pid)),
        Holder(me.host, "ana", "", 1, started_of(1)),
        Holder(me.host, "ana", "", -1, 5),
        Holder(me.host, "ana", "", 2**40, 5),
    ]
    for lie in lies:
        tell(path, lie)
        with pytest.raises(Busy) as caught:
            request_takeover(str(path), timeout=0.2)
        assert caught.value.hint
    assert process.poll() is None
    assert bystander.poll() is None
    end(process, bystander)


def started_of(pid: int) -> int:
    from tui.store.lock import started

    return started(pid)


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


def test_a_deleted_lock_file_keeps_nobody_out_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "mill.toml"
    first = SaveLock.acquire(str(path))
    Path(lock_path(str(path))).unlink()
    second = SaveLock.acquire(str(path))
    with pytest.raises(Busy):
        SaveLock.acquire(str(path))
    first.release()
    second.release()


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


def test_a_local_disk_is_no_network(tmp_path: Path) -> None:
    assert network(str(tmp_path / "mill.toml")) == ""


@pytest.mark.parametrize("how", ["thread", "inline"])
def test_a_second_writer_is_told_the_last_step(
    tmp_path: Path, how: How, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "BETWEEN_NOTES", 0.0)
    path = create("mill", str(tmp_path), Registry(), "classic", {})
    first = session.open_session(path, "", Registry(), SeededDice(5), how=how)
    for line, step in (("add Ana", 1), ("note x", 2), ("undo", 1)):
        first.store.run(line)
        with pytest.raises(Busy, match=f"at step {step};|at step {step}$"):
            SaveLock.acquire(path)
    first.close()


def test_a_call_of_many_lines_notes_its_step_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    path = create("mill", str(tmp_path), Registry(), "classic", {})
    monkeypatch.setattr(SaveLock, "note", lambda _self, step: told.append(step))
    first = session.open_session(path, "", Registry(), SeededDice(5), how="inline")
    for number in range(20):
        first.store.run(f"note {number}")
    first.close()
    assert len(told) < 20


# --- what a holder says about itself


def test_a_holder_in_words_leaves_out_what_it_has_not_told() -> None:
    ana = Holder("mill-pc", "ana", "/dev/pts/3", 7, 5, "2026-11-20T20:44:33Z", 41)
    assert ana.author() == "ana on mill-pc"
    assert ana.words() == "ana on mill-pc, /dev/pts/3, since 2026-11-20T20:44:33Z, at step 41"
    assert Holder().words() == "somebody on some machine, at step 0"
    assert len(Holder("x" * 200).author()) == 101
    assert len(Holder("x" * 99, "y" * 99, "z" * 99, since="w" * 99).words()) == 201


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
        assert holder_of(file.fileno()).words() == f"a\ufffdb on mill-pc, {'x' * 100}…, since now, at step 41"
        write_message(file.fileno(), None)
        assert path.read_bytes() == b""
        assert holder_of(file.fileno()) == Holder()
    write_message(-1, ana)
    assert holder_of(-1) == Holder()


def test_who_is_at_work_is_believed_of_others_and_looked_up_here(tmp_path: Path) -> None:
    path, me, before = tmp_path / "mill.toml.lock", myself(4), len(os.listdir("/proc/self/fd"))
    assert at_work(str(path)) is None
    assert at_work("a\0b") is None

    def told(**changes: object) -> Holder | None:
        keys = {"host": me.host, "pid": me.pid, "started": me.started} | changes
        path.write_text("".join(f"{k} = {v!r}\n" for k, v in keys.items()))
        return at_work(str(path))

    assert told() == Holder(me.host, pid=me.pid, started=me.started)
    assert told(started=0) == Holder(me.host, pid=me.pid)
    assert told(started=me.started + 1) is None
    assert told(pid=0) is None
    assert told(pid=2**40) is None
    assert told(host="elsewhere", started=1) == Holder("elsewhere", pid=me.pid, started=1)
    assert len(os.listdir("/proc/self/fd")) == before


def test_this_process_is_known_by_machine_user_number_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "ana")
    monkeypatch.setenv("LOGNAME", "bo")
    monkeypatch.setattr(os, "ttyname", lambda fd: f"/dev/pts/{fd}")
    me = myself()
    assert (me.host, me.user, me.terminal) == (os.uname().nodename, "ana", "/dev/pts/2")
    assert (me.pid, me.started, me.step) == (os.getpid(), began(os.getpid()), 0)
    assert len(me.since) == len("2026-11-20T20:44:33Z")
    monkeypatch.delenv("USER")
    assert myself().user == "bo"
    monkeypatch.delenv("LOGNAME")
    assert myself().user == pwd.getpwuid(os.getuid()).pw_name

    def no_entry(_: int) -> None:
        raise KeyError

    def no_terminal(_: int) -> None:
        raise OSError

    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    monkeypatch.setattr(os, "ttyname", no_terminal)
    assert (myself().user, myself().terminal) == (f"user {os.getuid()}", "")


def test_when_a_process_began_is_the_kernels_twenty_second_field(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(path: str, *_: object) -> io.BytesIO:
        assert path == "/proc/77/stat"
        return io.BytesIO(stat)

    monkeypatch.setattr(locks, "open", opened, raising=False)
    stat = b"77 (a) b) S " + b" ".join(b"%d" % n for n in range(4, 53))
    assert began(77) == 22
    for stat in (b"", b"77 (a) S 4", b"77 (a) " + b"x " * 40):  # noqa: B007 read by `opened`
        assert began(77) == 0


# --- taking a lock


def test_what_refuses_a_lock_is_said_and_nothing_stays_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(ReadOnly) as refused:
        SaveLock.acquire(str(tmp_path / "no" / "mill.toml"))
    assert refused.value.line == 0
    assert refused.value.message == (
        "it cannot be written here, for no lock can be made beside it (No such file or directory)"
    )
    assert refused.value.hint == "`tocsin show` and `tocsin log` read it"
    with pytest.raises(ReadOnly, match="embedded null"):
        SaveLock.acquire("a\0b")
    os.mkfifo(tmp_path / "pipe.toml.lock")
    with pytest.raises(BadFile) as odd:
        SaveLock.acquire(str(tmp_path / "pipe.toml"))
    assert (odd.value.line, odd.value.message) == (0, "the lock is not a regular file")
    other = tmp_path / "letter.txt"
    other.write_text("precious")
    os.link(other, tmp_path / "twice.toml.lock")
    with pytest.raises(BadFile, match="the lock has a second name"):
        SaveLock.acquire(str(tmp_path / "twice.toml"))
    assert other.read_text() == "precious"
    assert odd.value.path == str(tmp_path / "pipe.toml.lock")
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_held_lock_is_refused_in_one_line_and_free_again_after_one_release(tmp_path: Path) -> None:
    path, before = str(tmp_path / "mill.toml"), len(os.listdir("/proc/self/fd"))
    held = SaveLock.acquire(path)
    assert "\nstep = 0\n" in Path(lock_path(path)).read_text()
    with pytest.raises(Busy) as busy:
        SaveLock.acquire(path)
    assert busy.value.holder.pid == os.getpid()
    assert busy.value.message == f"mill.toml is being written by {busy.value.holder.words()}"
    assert busy.value.hint == "look on without writing, or take it over"
    held.release()
    assert Path(lock_path(path)).read_bytes() == b""
    SaveLock.acquire(path).release()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_lock_file_that_is_exchanged_while_it_is_taken_is_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, before, real = str(tmp_path / "mill.toml"), len(os.listdir("/proc/self/fd")), fcntl.flock
    done = list[str]()

    def flock(fd: int, how: int) -> None:
        real(fd, how)
        if len(done) < 2:
            os.unlink(lock_path(path))
            if not done:
                Path(lock_path(path)).touch()
            done.append("gone")

    monkeypatch.setattr(fcntl, "flock", flock)
    held = SaveLock.acquire(path)
    assert len(done) == 2
    with pytest.raises(Busy):
        SaveLock.acquire(path)
    held.release()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_lock_is_closed_once_whatever_number_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    closed, told = list[int](), list[Holder | None]()
    monkeypatch.setattr(os, "close", closed.append)
    monkeypatch.setattr(locks, "tell", lambda _, holder: told.append(holder))
    lock = SaveLock(0, Holder(step=3))
    lock.note(4)
    lock.release()
    lock.release()
    monkeypatch.undo()
    assert (closed, told) == ([0], [Holder(step=3), Holder(step=4), None])


# --- taking over, by a clock of its own


class Clock:
    """A clock that goes on by sleeping alone."""

    def __init__(self) -> None:
        self.ticks = 0

    def monotonic(self) -> float:
        """Return 7 and as many twentieths of a second as were slept."""
        return 7 + self.ticks / 20

    def sleep(self, seconds: float) -> None:
        """Sleep between two tries."""
        assert seconds == 0.05
        self.ticks += 1


class Held:
    """A save that a process holds, and the signals that were sent to it, each with its tick."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *, deaf: tuple[str, ...] = (), free: int = 10**6
    ) -> None:
        self.clock, self.deaf, self.free = Clock(), deaf, free
        self.sent: list[tuple[int, int, str]] = []
        self.holders = {0: Holder("here", pid=8, started=5)}
        monkeypatch.setattr(locks, "time", self.clock)
        monkeypatch.setattr(locks, "_signal", self.signal)
        monkeypatch.setattr(SaveLock, "acquire", self.acquire)

    def acquire(self, path: str) -> str:
        """Free from a moment on."""
        if self.clock.ticks < self.free:
            raise Busy(path, [x for at, x in self.holders.items() if at <= self.clock.ticks][-1])
        return "the lock"

    def signal(self, _path: str, holder: Holder, name: str) -> bool:
        """Heard, unless it is deaf to it."""
        self.sent.append((self.clock.ticks, holder.pid, name))
        return name not in self.deaf

    def taken(self, **given: float) -> Any:
        """Take it over."""
        return request_takeover("mill.toml", **given)


def test_a_holder_that_leaves_was_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch, free=7)
    assert held.taken() == "the lock"
    assert (held.clock.ticks, held.sent) == (7, [(0, 8, "SIGTERM")])


@pytest.mark.parametrize(("given", "force", "end"), [({}, 60, 100), ({"timeout": 1.5}, 18, 30)])
def test_a_holder_that_stays_is_ended_by_force_once_and_waited_for_until_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, float], force: int, end: int
) -> None:
    held = Held(monkeypatch)
    with pytest.raises(Busy) as busy:
        held.taken(**given)
    assert held.clock.ticks == end
    assert held.sent == [(0, 8, "SIGTERM"), (force, 8, "SIGKILL")]
    assert busy.value.hint == "look on without writing, or take it over"


def test_force_that_did_not_arrive_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch, deaf=("SIGKILL",), free=63)
    assert held.taken() == "the lock"
    assert held.sent[1:] == [(60, 8, "SIGKILL"), (61, 8, "SIGKILL"), (62, 8, "SIGKILL")]


def test_a_holder_that_cannot_be_asked_has_a_second_to_tell_who_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = Held(monkeypatch, deaf=("SIGTERM",))
    held.holders[0] = Holder()
    with pytest.raises(Busy) as busy:
        held.taken()
    assert (held.clock.ticks, len(held.sent)) == (20, 21)
    assert busy.value.hint == "end that process yourself, or look on without writing"
    held = Held(monkeypatch, deaf=("SIGTERM",))
    with pytest.raises(Busy) as busy:
        held.taken()
    assert busy.value.hint == "it runs on here: end it there, or look on without writing"
    held.holders[0] = Holder(os.uname().nodename, pid=8)
    with pytest.raises(Busy) as busy:
        held.taken()
    assert busy.value.hint == "end that process yourself, or look on without writing"


@pytest.mark.parametrize(
    ("other", "end"),
    [(Holder(pid=9, started=5), 4), (Holder(pid=8, started=6), 4), (Holder(), 100)],
)
def test_another_process_that_was_faster_is_not_ended(
    monkeypatch: pytest.MonkeyPatch, other: Holder, end: int
) -> None:
    held = Held(monkeypatch)
    held.holders[4] = other
    with pytest.raises(Busy) as busy:
        held.taken()
    assert busy.value.holder == other
    assert held.clock.ticks == end
    assert {pid for _, pid, _ in held.sent} == {8}


# --- whom a signal may reach


def test_a_signal_reaches_only_another_process_of_this_machine_with_the_lock_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, opens, before = list[signal.Signals](), [True], len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(os, "pidfd_open", lambda _: os.open("/dev/null", os.O_RDONLY))
    monkeypatch.setattr(signal, "pidfd_send_signal", lambda _, name: sent.append(name))
    monkeypatch.setattr(locks, "_has_open", lambda *_: opens[0])
    here = os.uname().nodename

    def reached(host: str, pid: int) -> bool:
        return locks._signal(str(tmp_path / "mill.toml"), Holder(host, pid=pid), "SIGTERM")

    assert reached(here, 2)
    assert sent == [signal.SIGTERM]
    assert [reached("elsewhere", 2), reached(here, 1), reached(here, 0), reached(here, os.getpid())] == [
        False
    ] * 4
    opens[0] = False
    assert not reached(here, 2)
    assert sent == [signal.SIGTERM]

    def gone(*_: object) -> None:
        raise ProcessLookupError

    opens[0] = True
    monkeypatch.setattr(signal, "pidfd_send_signal", gone)
    assert not reached(here, 2)
    monkeypatch.setattr(os, "pidfd_open", gone)
    assert not reached(here, 2)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_process_has_a_file_open_while_it_has_and_is_known_by_its_start(tmp_path: Path) -> None:
    path, me = tmp_path / "mill.toml.lock", myself()
    with path.open("wb"):
        assert locks._has_open(me, str(path))
        assert not locks._has_open(Holder(pid=me.pid, started=me.started + 1), str(path))
        assert not locks._has_open(Holder(pid=me.pid), str(path))
        assert not locks._has_open(Holder(pid=2**30), str(path))
    assert not locks._has_open(me, str(path))


def test_a_descriptor_that_is_closed_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "mill.toml.lock").open("wb") as file:
        monkeypatch.setattr(os, "listdir", lambda _: ["999999", str(file.fileno())])
        assert locks._has_open(myself(), file.name)


def test_where_a_holder_is_that_cannot_be_reached_is_one_short_line() -> None:
    assert locks._unreachable(Holder("x" * 61)) == (
        f"it runs on {'x' * 60}…: end it there, or look on without writing"
    )
    assert locks._unreachable(Holder("x" * 60)).startswith(f"it runs on {'x' * 60}: ")


@pytest.mark.parametrize(
    ("mounts", "kind"),
    [
        ("1 0 0:1 / / rw - nfs there:/ rw\n", "nfs"),
        ("1 0 0:1 / / rw - ext4 /dev/sda rw\n2 1 0:2 / {0} rw - cifs there rw\n", "cifs"),
        ("2 1 0:2 / {0} rw - cifs there rw\n1 0 0:1 / / rw - ext4 /dev/sda rw\n", "cifs"),
        ("2 1 0:2 / {0} rw - nfs a rw\n3 1 0:2 / {0} rw - ext4 b rw\n", ""),
        ("2 1 0:2 / {0} rw - ext4 a rw\n3 1 0:2 / {0} rw - 9p b rw\n", "9p"),
        ("2 1 0:2 / {0}x rw - nfs a rw\n", ""),
        ("2 1 0:2 / {0} rw - nfs a rw\nbroken\n", ""),
        ("", ""),
    ],
)
def test_the_last_mount_of_the_longest_point_holds_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, kind: str
) -> None:
    def opened(*_: object, **__: object) -> io.StringIO:
        return io.StringIO(mounts.format(tmp_path))

    monkeypatch.setattr(locks, "open", opened, raising=False)
    assert network(str(tmp_path / "mill.toml")) == kind

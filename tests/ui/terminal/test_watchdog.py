"""Promises 7 and 10: nothing that holds the interpreter keeps a signal from ending the program within 3 s."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.scripted_play import drain, free, shell, steps, until
from tests.terminal import Terminal, tocsin
from tui.ui.terminal import watchdog
from tui.ui.terminal.guardian import Guardian, guarding
from tui.ui.terminal.watchdog import DEADLY, Watchdog, watched

CALLS = {
    "pattern": 're.fullmatch("(a|aa)+$", "a" * 99 + "b")',
    "number": "pow(7, 10**8)",
}
"""One call of C each, which keeps the interpreter for minutes."""

PLUG_IN = """
import re
from tui.systems.classic import Classic

class Stuck(Classic):
    id = "stuck"
    title = "Stuck"

    def due(self, e):
        if any(c.note == "now" for c in e.combatants.values()):
            open({mark!r}, "w").close()
            {call}
        return super().due(e)
"""
LINES = ["add Ana hp=5", "begin", "roll"]


def stuck(folder: Path, call: str) -> Terminal:
    """The program on the screen, with its main thread in one long call."""
    systems = folder / "systems"
    systems.mkdir()
    (systems / "stuck.py").write_text(PLUG_IN.format(call=call, mark=str(mark(folder))))
    environ = {"TOCSIN_SYSTEMS": str(systems)}
    assert shell(folder, "new", "mill", "--system", "stuck", **environ).returncode == 0
    assert shell(folder, "do", "mill", *LINES, **environ).returncode == 0
    t = tocsin(folder, "mill", **environ)  # type: ignore[arg-type]
    t.wait("saved")
    t.press(":", ":")
    t.press("set Ana note=now", "note=now")
    t.type("\r")
    return t


def mark(folder: Path) -> Path:
    """What is there as soon as the long call begins."""
    return folder / "stuck"


def worked(pid: int) -> float:
    """Seconds of work of a process."""
    told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", sorted(DEADLY))
def test_one_long_call_does_not_keep_it(tmp_path: Path, call: str, number: signal.Signals) -> None:
    t = stuck(tmp_path, CALLS[call])
    until(mark(tmp_path).exists, 20)
    before = worked(t.pid)
    until(lambda: worked(t.pid) > before + 0.1, 20)
    start = time.monotonic()
    os.kill(t.pid, number)
    assert t.end() == 128 + signal.SIGKILL
    assert time.monotonic() - start < 3
    assert free(tmp_path / "mill.toml")
    assert steps(tmp_path / "mill.toml")[:3] == LINES
    drain(t, 0.5)
    assert b"\x1b[?1049l" in t.raw
    assert t.foreign() == b"\x18"  # cancels what was cut off in the middle


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("number", sorted(DEADLY))
def test_nor_does_a_call_that_begins_after_the_signal(
    tmp_path: Path, call: str, number: signal.Signals
) -> None:
    t = stuck(tmp_path, CALLS[call])
    os.kill(t.pid, number)
    assert t.end() in {128 + number, 128 + signal.SIGKILL}
    assert free(tmp_path / "mill.toml")


@pytest.mark.long
@pytest.mark.parametrize("round_", range(25))
def test_a_hundred_of_a_hundred(tmp_path: Path, round_: int) -> None:
    for number in sorted(DEADLY):
        for call in CALLS:
            folder = tmp_path / f"{number}-{call}-{round_}"
            folder.mkdir()
            test_one_long_call_does_not_keep_it(folder, call, number)


def test_it_goes_with_the_program(tmp_path: Path) -> None:
    assert shell(tmp_path, "new", "mill", "--system", "classic").returncode == 0
    t = tocsin(tmp_path, "mill")
    t.wait("saved")
    (dog,) = Path(f"/proc/{t.pid}/task/{t.pid}/children").read_text().split()
    held = {os.readlink(f"/proc/{dog}/fd/{n}") for n in os.listdir(f"/proc/{dog}/fd")}
    assert not [name for name in held if name.startswith(str(tmp_path))]
    assert len(held) <= 4
    idle = worked(int(dog))
    time.sleep(0.5)
    assert worked(int(dog)) == idle
    t.type("q")
    assert t.end() == 0
    until(lambda: not Path(f"/proc/{dog}").exists(), 2)


def test_a_kill_takes_it_along_too(tmp_path: Path) -> None:
    assert shell(tmp_path, "new", "mill", "--system", "classic").returncode == 0
    t = tocsin(tmp_path, "mill")
    t.wait("saved")
    (dog,) = Path(f"/proc/{t.pid}/task/{t.pid}/children").read_text().split()
    t.kill()
    until(lambda: not Path(f"/proc/{dog}").exists(), 2)


Line = tuple[socket.socket, socket.socket, int, int]


def soon(heard: socket.socket, collar: int) -> bool:
    """What the watchdog decides; fails where it waits for what nobody will send."""
    with ThreadPoolExecutor() as pool:
        try:
            return pool.submit(watchdog._must_end, heard, collar).result(5)
        finally:
            heard.shutdown(socket.SHUT_RDWR)  # whoever waits there wakes


@pytest.fixture
def line() -> Iterator[Line]:
    heard, told = socket.socketpair()
    collar, leash = os.pipe()
    with heard, told:
        yield heard, told, collar, leash
    for fd in (collar, leash):
        with suppress(OSError):
            os.close(fd)


def test_a_deadly_number_that_nobody_reads_sets_the_deadline(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "GRACE", 0.1)
    heard, told, collar, _ = line
    told.send(bytes([signal.SIGTERM]))
    assert watchdog._must_end(heard, collar)
    assert heard.recv(9) == bytes([signal.SIGTERM])


def test_a_number_that_was_read_too_soon_is_told(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "GRACE", 0.1)
    heard, _told, collar, leash = line
    os.write(leash, b"!")
    assert watchdog._must_end(heard, collar)


def test_a_number_read_between_its_two_looks_does_not_keep_it(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "GRACE", 0.1)
    heard, told, collar, leash = line
    guardian = Guardian(lambda _: None, lambda _: True, lambda: None, Watchdog(heard, told, leash))
    look = select.select

    def and_somebody_reads(*asked: Any) -> Any:
        ready = look(*asked)
        if heard.fileno() in ready[0]:
            assert guardian._read() == bytes([signal.SIGTERM])
        return ready

    monkeypatch.setattr(select, "select", and_somebody_reads)
    told.send(bytes([signal.SIGTERM]))
    assert soon(heard, collar)


def test_the_guardian_reads_no_more_than_it_has_told_of(line: Line) -> None:
    heard, told, _collar, leash = line

    class Late:
        """A line on which a deadly number comes right after a look."""

        fileno = heard.fileno

        def recv(self, size: int, flags: int) -> bytes:
            seen = heard.recv(size, flags)
            told.send(bytes([signal.SIGHUP]))
            return seen

    guardian = Guardian(lambda _: None, lambda _: True, lambda: None, Watchdog(Late(), told, leash))  # type: ignore[arg-type]
    told.send(bytes([signal.SIGWINCH]))
    assert guardian._read() == bytes([signal.SIGWINCH])
    assert heard.recv(9, socket.MSG_PEEK) == bytes([signal.SIGHUP])


def test_a_signal_that_ends_nothing_wakes_the_main_thread() -> None:
    """The system may give it to another thread, and Python runs its handler in the main one alone."""
    stirred = threading.Event()
    left: list[int] = []

    class Program:
        """Notes what it is asked for."""

        leave_with = left.append
        heeds = staticmethod(lambda _: True)
        silence = staticmethod(lambda: None)
        stir = stirred.set

    before = signal.signal(signal.SIGCONT, lambda *_: None)
    try:
        with guarding(Program()):
            os.kill(os.getpid(), signal.SIGCONT)
            assert stirred.wait(5)
        assert left == []
    finally:
        signal.signal(signal.SIGCONT, before)


def test_other_signals_set_none(line: Line) -> None:
    heard, told, collar, leash = line
    told.send(bytes([signal.SIGWINCH, signal.SIGINT, signal.SIGCONT]))
    os.close(leash)
    assert not watchdog._must_end(heard, collar)


def test_without_another_process_there_is_still_a_guardian(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    with watched() as dog:
        dog.arm()
        dog.told.send(b"x")
        assert dog.heard.recv(1) == b"x"


def test_it_costs_little() -> None:
    """A fork of the small process that we are before Textual is imported."""
    code = (
        "import time\nimport tui.__main__, tui.cli, tui.ui.launch.start\n"
        "from tui.ui.terminal.watchdog import watched\n"
        "start = time.perf_counter()\nwith watched():\n    print(time.perf_counter() - start)\n"
    )
    import subprocess

    from tests.reliability.scripted_play import TOP

    costs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=TOP).stdout)
        for _ in range(5)
    ]
    assert sorted(costs)[2] < 0.02

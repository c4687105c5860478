"""Promises 5 and 7: a line that drops, also while nothing reads the output: gone soon, nothing lost."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.kit.ptyrun import Pty
from tests.kit.scripted_play import fight, free, steps, stop, until
from tests.kit.terminal import logged, tocsin
from tui.ui.terminal.terminal import RESTORE

DRAFT = "note half writ"


def opened(folder: Path) -> Pty:
    """The program on a line whose other end we keep, a line half-typed."""
    words = [sys.executable, "-m", "tui", "mill", "--saves", str(folder)]
    one = Pty(words, environ={"TOCSIN_CONFIG": str(folder / "config"), "LANG": "C.UTF-8"})
    one.sees("saved")
    one.send("n")
    one.sees("Ana acts, then")
    for key in ":" + DRAFT:
        one.send(key)
        one.pump(0.03)
    one.sees(":" + DRAFT)
    until((folder / "mill.toml.drafts").exists)
    return one


def came_back(folder: Path, records: list[str]) -> None:
    """The next start stands where the last one was, the half-typed line at hand."""
    t = tocsin(folder, "mill")
    t.wait(logged(len(records)), "saved")
    t.press(":", ":")
    t.press("\x1b[A", ":" + DRAFT)
    assert steps(folder / "mill.toml") == records
    stop(t)


def drops(folder: Path, *, stalled: bool, signalled: bool) -> None:
    """One dropped line: a hang-up signal while the terminal still exists, or the terminal gone."""
    fight(folder)
    path = folder / "mill.toml"
    with opened(folder) as one:
        records = steps(path)
        if stalled:
            stall(one)
        if signalled:
            os.kill(one.process.pid, signal.SIGHUP)
        else:
            os.close(one.master)
        until(one.gone)
        assert one.process.returncode == 128 + signal.SIGHUP
        assert free(path)
        if signalled:
            assert one.attributes() == one.before
            assert one.rest().endswith(RESTORE.encode()) or one.given_back()
    assert steps(path) == records
    came_back(folder, records)


def stall(one: Pty) -> None:
    """The screen is drawn anew until the line is full; nobody reads."""
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        if select.select([], [one.master], [], 0)[1]:
            os.write(one.master, b"\x0c")
        time.sleep(0.01)


@pytest.mark.parametrize("signalled", [True, False], ids=["signal", "closed"])
@pytest.mark.parametrize("stalled", [True, False], ids=["stalled", "idle"])
def test_a_line_that_drops(tmp_path: Path, stalled: bool, signalled: bool) -> None:
    for number in range(1 + signalled):
        folder = tmp_path / str(number)
        folder.mkdir()
        drops(folder, stalled=stalled, signalled=signalled)


@pytest.mark.hours
@pytest.mark.parametrize("number", range(100))
def test_a_hundred_idle_lines(tmp_path: Path, number: int) -> None:
    drops(tmp_path, stalled=False, signalled=number % 2 == 0)


@pytest.mark.hours
@pytest.mark.parametrize("number", range(200))
def test_two_hundred_stalled_lines(tmp_path: Path, number: int) -> None:
    drops(tmp_path, stalled=True, signalled=number % 2 == 0)


def test_the_selected_order_form_comes_back(tmp_path: Path) -> None:
    from tests.kit.program import Program

    program = Program(tmp_path, "gate")
    program.call("new", "--system", "chaos")
    program.do("add Ana owner=Mia hp=18", "add 2 Orc hp=7", "begin")
    t = tocsin(tmp_path, "gate")
    t.wait("saved")
    t.type("o")
    t.press("west", "west")
    until((tmp_path / "gate.toml.drafts").exists)
    os.kill(t.pid, signal.SIGHUP)
    assert t.end() == 129
    again = tocsin(tmp_path, "gate")
    again.wait("saved")
    again.press("o", "west")
    stop(again)
    assert t.foreign() == b""

"""The first picture and the first keys, while Textual is still being loaded: everything is as it is afterwards."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import Program
from tests.ui.terminal.shell import STOPPED
from tests.ui.terminal.test_signals import SHELL, ended, job
from tests.ui.wire.ptyrun import DEADLINE, SAMPLE, Pty
from tui.ui.terminal.modes import START


def slow(seconds: float = 1.5) -> Pty:
    """The sample with a Textual that takes so long to load."""
    return Pty(SAMPLE, environ={"SAMPLE_SLOW": str(seconds)})


def alone(one: Pty) -> Pty:
    """Until its first picture stands, and it says that Textual is not there yet."""
    one.sees("READY")
    one.press("l")
    one.until(lambda: one.shows("ALONE") or one.shows("HOSTED"))
    assert one.shows("ALONE")
    return one


def typed(one: Pty, name: str) -> None:
    """A key, and a moment that fingers need."""
    one.press(name)
    end = time.monotonic() + 0.06
    while (left := end - time.monotonic()) > 0:
        one.pump(left)


def hosted(one: Pty) -> None:
    """Until Textual's loop is the one that runs."""
    end = time.monotonic() + DEADLINE
    while not one.shows("HOSTED"):
        assert time.monotonic() < end
        typed(one, "l")
    one.quiet()


def test_keys_are_answered_before_textual_is_there_and_none_is_lost_when_it_comes() -> None:
    with slow() as one:
        alone(one)
        keys, end = 0, time.monotonic() + DEADLINE
        while not one.shows("HOSTED"):
            assert time.monotonic() < end
            for name in ("n", "down", "l"):
                typed(one, name)
            keys += 2
        typed(one, "n")
        one.until(lambda: one.shows(f"HOSTED {keys + 1}"))
        one.press("q")
        ended(one, 0)


def test_the_hand_over_changes_no_cell_and_sends_nothing_at_all() -> None:
    with slow() as one:
        alone(one).quiet()
        before, sent = one.terminal.cells(), len(one.raw)
        one.pump(3.0)
        assert (one.terminal.cells(), len(one.raw)) == (before, sent)
        hosted(one)
        assert one.raw.count(START.encode()) == one.raw.count(b"\x1b[>q") == 1
        one.press("q")
        ended(one, 0)


def test_a_resize_in_between() -> None:
    with slow() as one:
        alone(one).resize(60, 20)
        one.until(lambda: one.shows("Now:") and not one.shows("??"))
        one.press("l")
        one.sees("ALONE")
        before = one.terminal.cells()
        hosted(one)
        assert one.terminal.cells()[:-1] == before[:-1]
        one.resize(80, 24)
        one.until(lambda: one.shows("Now:") and not one.shows("??"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_in_between_ends_it_in_order(number: signal.Signals) -> None:
    with slow(10.0) as one:
        os.kill(alone(one).process.pid, number)
        ended(one, 128 + number)


def test_leaving_and_failing_in_between() -> None:
    with slow(10.0) as one:
        alone(one).press("q")
        ended(one, 0)
    with slow(10.0) as one:
        alone(one).press("x")
        one.until(one.gone)
        one.pump(0.1)
        assert one.given_back()
        assert one.process.returncode == 5


@pytest.mark.parametrize("controlling", [True, False])
def test_a_line_that_drops_in_between(controlling: bool) -> None:
    with Pty(SAMPLE, controlling=controlling, environ={"SAMPLE_SLOW": "10"}) as one:
        alone(one)
        os.close(one.master)
        assert one.ends() == 129


@pytest.mark.parametrize("how", ["key", "signal", "outside"])
def test_being_stopped_in_between_and_coming_back(how: str) -> None:
    with Pty([*SHELL, *SAMPLE], environ={"SAMPLE_SLOW": "4"}) as one:
        alone(one).quiet()
        before = one.terminal.cells()
        stop: dict[str, Callable[[], None]] = {
            "key": lambda: one.press("ctrl+z"),
            "signal": lambda: os.kill(job(one), signal.SIGTSTP),
            "outside": lambda: os.kill(job(one), signal.SIGSTOP),
        }
        stop[how]()
        one.until(lambda: STOPPED.encode() in one.raw)
        one.quiet(0.05)
        if how == "outside":
            one.cook()
        else:
            assert one.given_back()
        one.terminal.scribble("$")
        one.send("fg\n")
        one.until(lambda: one.terminal.cells() == before)
        hosted(one)
        one.press("q")
        ended(one, 0)


def test_a_paste_in_between_is_no_typing() -> None:
    with slow() as one:
        alone(one).send("\x1b[200~qqq\x1b[201~")
        one.sees("paste: 3")
        hosted(one)


@pytest.mark.parametrize("save", ["mill", ""])
def test_the_real_program_takes_the_terminal_once_and_draws_once(tmp_path: Path, save: str) -> None:
    assert Program(tmp_path, "mill").call("new").code == 0
    command = [sys.executable, "-m", "tui", *([save] if save else []), "--saves", str(tmp_path)]
    with Pty(command, environ={"TOCSIN_CONFIG": str(tmp_path / "config"), "LANG": "C.UTF-8"}) as one:
        one.sees("mill")
        one.pump(1.0)
        one.quiet(1.0)
        assert one.raw.count(START.encode()) == 1
        assert one.raw.count(b"\x1b[J") == 1
        one.press("q")
        ended(one, 0)

"""Promise 5, through the whole program: one writer, lookers that follow, a take-over that loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.kit.scripted_play import TOP, fight, free, shell, steps, stop, until
from tests.kit.terminal import Terminal, logged, tocsin


def writer(folder: Path) -> Terminal:
    t = tocsin(folder, "mill")
    t.wait("saved")
    return t


def test_a_second_terminal_is_told_who_writes_and_may_leave(tmp_path: Path) -> None:
    fight(tmp_path)
    one = writer(tmp_path)
    two = tocsin(tmp_path, "mill")
    shown = " ".join(two.wait("is being written by", "t take over", "Esc back").split())
    assert os.uname().nodename in shown
    assert "/dev/pts/" in shown
    assert "at step 6" in shown
    two.type("\x1bq")
    assert two.end() == 0
    one.press("n", logged(7))
    stop(one)


def test_a_looker_follows_and_changes_nothing(tmp_path: Path) -> None:
    fight(tmp_path)
    one = writer(tmp_path)
    two = tocsin(tmp_path, "mill")
    two.wait("l open read-only")
    two.press("l", logged(6), "nothing here changes", "read-only")
    one.press("n", logged(7))
    two.wait(logged(7))
    one.press("u", logged(6), silent=(logged(7),))
    two.wait(logged(6), silent=(logged(7),))
    one.press(":note ", ":note")
    one.press("seen\r", "  7 seen", silent=(":note",))
    two.wait("  7 seen")
    records = steps(tmp_path / "mill.toml")
    two.press("n", "read-only here", silent=("NOT SAVED",))
    two.press("5", "5")
    two.type("q")
    assert two.end() == 0
    assert steps(tmp_path / "mill.toml") == records
    assert two.foreign() == b""
    stop(one)


def test_who_looks_on_takes_over_without_leaving_the_screen(tmp_path: Path) -> None:
    fight(tmp_path)
    one = writer(tmp_path)
    two = tocsin(tmp_path, "mill")
    two.wait("l open read-only")
    two.press("l", logged(6), "read-only")
    two.press("t", ":take", "asks its writer to leave")
    two.press("\x1b", silent=(":take",))
    one.press("n", logged(7))
    two.wait(logged(7))
    two.press("t", ":take")
    two.press("\r", "saved", silent=("read-only",))
    assert one.end() == 128 + signal.SIGTERM
    two.press("n", logged(8))
    stop(two)


def test_a_take_over_loses_nothing(tmp_path: Path) -> None:
    fight(tmp_path)
    path = tmp_path / "mill.toml"
    one = writer(tmp_path)
    one.press("n", logged(7))
    one.press(":", ":")
    one.press("note half", ":note half")
    until((tmp_path / "mill.toml.drafts").exists)
    records = steps(path)
    two = tocsin(tmp_path, "mill")
    two.wait("t take over")
    two.type("t")
    assert one.end() == 128 + signal.SIGTERM
    two.wait(logged(7), "saved")
    assert steps(path) == records
    two.press(":", ":")
    two.press("\x1b[A", ":note half")
    two.press("\r", "  8 half", silent=(":note",))
    assert steps(path) == [*records, "note half"]
    stop(two)
    until(lambda: free(path))


def ten(folder: Path) -> list[int]:
    """Ten calls of `tocsin do` at once; their exit codes."""
    code = [sys.executable, "-m", "tui", "do", "mill", "--saves", str(folder), "note once"]
    calls = [
        subprocess.Popen(code, cwd=TOP, stderr=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(10)
    ]
    return [(call.communicate(), call.returncode)[1] for call in calls]


def test_ten_calls_while_a_screen_writes_are_all_refused(tmp_path: Path) -> None:
    fight(tmp_path)
    one = writer(tmp_path)
    assert ten(tmp_path) == [4] * 10
    refused = shell(tmp_path, "do", "mill", "next").stderr.decode()
    assert "mill.toml is being written by" in refused
    assert len(steps(tmp_path / "mill.toml")) == 6
    stop(one)


def test_a_save_that_may_not_be_written_is_looked_at(tmp_path: Path) -> None:
    program = fight(tmp_path)
    (tmp_path / "mill.toml.lock").unlink()
    (tmp_path / "mill.toml.lock").mkdir()  # for rights mean nothing to root
    refused = program.call("do", "next")
    assert refused.code == 3
    assert "cannot be written here" in refused.err
    assert "`tocsin show`" in refused.err
    t = tocsin(tmp_path, "mill")
    t.wait("cannot be written here", "l open read-only", silent=("take over",))
    t.press("l", logged(6), " acts")
    t.press("n", "read-only here", silent=("NOT SAVED",))
    t.type("q")
    assert t.end() == 0
    again = tocsin(tmp_path, "mill")
    again.wait("l open read-only")
    again.type("\x1bq")
    assert again.end() == 0

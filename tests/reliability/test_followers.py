"""Promise 11 through the whole program: the screen of who looks on says so, and what becomes of the save."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import Terminal, logged, tocsin


def looking(folder: Path) -> Terminal:
    t = tocsin(folder, "mill")
    t.wait("l open read-only")
    t.press("l", logged(6), "read-only")
    return t


def test_the_screen_tells_of_the_writer_the_move_the_copy_and_the_damage(tmp_path: Path) -> None:
    fight(tmp_path)
    path = tmp_path / "mill.toml"
    kept = path.read_bytes()
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    two = looking(tmp_path)
    writer.press("n", logged(7))
    two.wait(logged(7), "read-only")
    stop(writer)
    two.wait("this fight is not running now")
    path.rename(tmp_path / "away")
    two.wait("save is gone", "moved or deleted")
    path.write_bytes(kept)
    two.wait(logged(6), "was replaced: step 7 has become step 6")
    two.press("\t", "not running", silent=("was replaced",))
    path.write_bytes(kept[:400] + b"?" + kept[401:])
    two.wait("save damaged")
    shutil.move(tmp_path / "away", path)
    two.wait(logged(7), "not running", silent=("damaged",))
    again = tocsin(tmp_path, "mill")
    again.press("n", logged(8))
    two.wait(logged(8), "read-only")
    two.type("q")
    assert two.end() == 0
    assert two.foreign() == b""
    stop(again)


NOBODY = "this fight is not running now"


def viewing(folder: Path, *words: str) -> Terminal:
    """Start `tocsin view mill` in a terminal."""
    return tocsin(folder, "view", "mill", *words)


def test_a_view_follows_the_writer_through_its_crash_its_restart_and_a_take_over(tmp_path: Path) -> None:
    fight(tmp_path)
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    view = viewing(tmp_path, "--as", "Mia")
    view.wait("acts", "as Mia", silent=(NOBODY,))
    writer.press(":damage Ana 4\r", "14/18")
    view.wait("14/18", silent=(NOBODY,))
    writer.kill()
    view.wait(NOBODY)
    again = tocsin(tmp_path, "mill")
    view.wait("acts", silent=(NOBODY,))
    again.press("u", "redo")
    view.wait("18/18")
    other = tocsin(tmp_path, "mill")
    other.wait("t take over")
    other.press("t", "saved")
    other.press(":damage Ana 5\r", "13/18")
    view.wait("13/18", silent=(NOBODY,))
    again.end()
    stop(other)
    view.wait(NOBODY)
    view.type("q")
    assert view.end() == 0
    assert view.foreign().strip(b"\a") == b""


def test_a_view_says_that_the_save_is_gone(tmp_path: Path) -> None:
    fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    (tmp_path / "mill.toml").rename(tmp_path / "away.toml")
    view.wait("moved or deleted")
    (tmp_path / "away.toml").rename(tmp_path / "mill.toml")
    view.wait("acts", silent=("moved",))
    stop(view)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_view_ends_by_a_signal_and_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    os.kill(view.pid, number)
    assert view.end() == 128 + number
    assert b"\x1b[?1049l" in view.raw


def test_sizes(tmp_path: Path) -> None:
    fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    for size in ((120, 40), (40, 12), (1, 1), (80, 24)):
        view.resize(*size)
    view.press("z", "acts")
    stop(view)


def test_the_bell_rings_when_ones_turn_comes(tmp_path: Path) -> None:
    program = fight(tmp_path)
    hers = ("--as", "Mia")
    views = {name: viewing(tmp_path, "--bell", *words) for name, words in (("Mia", hers), ("", ()))}
    for view in views.values():
        view.wait("acts", NOBODY)
    rung = turns = 0
    for _ in range(6):
        assert program.call("do", "next").code == 0
        acting = program.state()[0]["acting"]
        for view in views.values():
            view.wait(f"▶ {acting} acts")
        rung += acting == "Ana"
        turns += 1
    assert rung >= 1
    assert views["Mia"].raw.count(b"\a") == rung
    assert views[""].raw.count(b"\a") == turns
    for view in views.values():
        stop(view)

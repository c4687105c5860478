"""Players' terminals through the whole program: they live with the writer and survive its end."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.kit.players import viewing
from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import logged, tocsin

NOBODY = "this fight is not running now"


def test_a_view_follows_the_writer_through_its_crash_its_restart_and_a_take_over(tmp_path: Path) -> None:
    fight(tmp_path)
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    view = viewing(tmp_path, "--as", "Mia")
    view.wait("acts", "as Mia", silent=("nobody",))
    writer.press("n", logged(7))
    view.wait("  7  ", silent=("nobody",))
    writer.kill()
    view.wait(NOBODY)
    again = tocsin(tmp_path, "mill")
    view.wait("acts", silent=(NOBODY,))
    again.press("u", "redo")
    view.wait("  6  ", silent=("  7  ",))
    other = tocsin(tmp_path, "mill")
    other.wait("t take over")
    other.press("t", "saved")
    other.press("n", logged(7))
    view.wait("  7  ", silent=(NOBODY,))
    again.end()
    stop(other)
    view.wait(NOBODY)
    view.type("q")
    assert view.end() == 0
    assert view.foreign().strip(b"\a") == b""


def test_a_view_says_that_the_save_is_gone_and_lives_without_its_folder(tmp_path: Path) -> None:
    fight(tmp_path)
    writer = tocsin(tmp_path, "mill")
    writer.wait("saved")
    view = viewing(tmp_path)
    view.wait("acts", silent=("nobody",))
    (tmp_path / "mill.toml").rename(tmp_path / "away.toml")
    view.wait("moved or deleted")
    (tmp_path / "away.toml").rename(tmp_path / "mill.toml")
    view.wait("acts", silent=("moved",))
    (tmp_path / "mill.table").rename(tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "elsewhere")
    writer.press("n", logged(7))
    view.wait("  7  ", silent=("nobody",))
    stop(writer)
    view.wait(NOBODY)
    stop(view)


def test_a_view_of_a_fight_that_nobody_writes_shows_it_all_the_same(tmp_path: Path) -> None:
    program = fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    assert program.call("do", "next").code == 0
    view.wait("  7  ", NOBODY)
    view.type("\x03")
    assert view.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_view_ends_by_a_signal_and_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    os.kill(view.pid, number)
    assert view.end() == 128 + number
    shown, _, why = view.raw.partition(b"ended by SIGTERM")
    assert shown.endswith(b"\x1b[?1049l\x1b[?25h")
    assert bool(why) == (number == signal.SIGTERM)


def test_sizes_colours_and_help(tmp_path: Path) -> None:
    fight(tmp_path)
    view = viewing(tmp_path)
    view.wait("acts", NOBODY)
    view.resize(120, 40)
    view.resize(40, 12)
    view.resize(1, 1)
    view.resize(80, 24)
    view.press("?", "How hurt")
    view.press("?", "acts", silent=("How hurt",))
    before = view.raw
    view.press("t", "acts")
    assert len(view.raw) > len(before) + 200
    stop(view)


def test_the_bell_rings_when_ones_turn_comes(tmp_path: Path) -> None:
    program = fight(tmp_path)
    views = {name: viewing(tmp_path, *words) for name, words in (("Mia", ("--as", "Mia")), ("", ()))}
    for view in views.values():
        view.wait("acts", NOBODY)
    rung = 0
    for _ in range(6):
        assert program.call("do", "next").code == 0
        acting = program.state()[0]["acting"]
        for view in views.values():
            view.wait(f"▶ {acting} acts")
        rung += acting == "Ana"
    assert rung >= 1
    assert views["Mia"].raw.count(b"\a") == rung
    assert views[""].raw.count(b"\a") == 0
    for view in views.values():
        stop(view)

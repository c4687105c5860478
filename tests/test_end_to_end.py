"""A whole fight in a real terminal, 80 by 24, by keyboard alone: played, killed, resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import logged, tocsin

pytestmark = pytest.mark.long


def test_a_fight_by_keyboard_survives_a_pulled_plug(tmp_path: Path) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new", "--system", "classic").code == 0
    t = tocsin(tmp_path, "mill", "--seed", "4")
    t.wait("mill", "No creatures yet")
    t.press("a", ":add")
    t.press("5 Orc hp=7\r", "Orc 5", "7/7")
    t.press("\r", "Ready", silent=("Add:",))
    t.press(":", ":")
    t.press("add Ana kind=pc hp=18 mod=3\r", "Ana joins")
    t.press("b", "Still to roll")
    t.press(":", ":")
    t.press("roll\r", "is next in the order", "round 1")
    t.press("n", " acts, then ")
    t.press("12d", "12")
    state = program.state()[0]
    assert state["acting"] != ""
    assert len(state["combatants"]) == 6
    t.press("u", "took back: ")
    t.press("\x12", "did again: ")
    t.wait("saved")
    step = program.state()[0]["step"]
    t.kill()
    again = tocsin(tmp_path, "mill")
    again.wait("mill", logged(step), "acts")
    before = program.state()[0]
    assert before["step"] == step
    again.press("n", logged(step + 1))
    again.type("q")
    assert again.end() == 0
    assert again.foreign() == b""
    assert t.foreign() == b""
    assert program.call("check").code == 0


def test_from_the_start_screen_to_a_new_fight_and_back_and_in_again(tmp_path: Path) -> None:
    """One program: the lock of the fight that is left is free, and what was typed is in its file."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("quit_to_start = true\n")
    t = tocsin(tmp_path)
    t.wait("No fight yet", "[Enter] begins a new Classic fight")
    t.press("\r", "A new fight (Classic)")
    t.press("hollow\r", "hollow", "No creatures yet")
    t.press("a", ":add")
    t.press("3 Orc hp=7\r", "Orc 3", "7/7")
    t.press("\r", "Ready", silent=("Add:",))
    program = Program(tmp_path, "hollow")
    assert program.do("note no").code == 4  # the screen writes it
    t.press("q", "1 fight in", "[Enter] opens hollow", "Orc 1 to 3")
    assert program.do("add Ana").code == 0
    t.press("\r", "Ana joins", "Orc 3")
    t.press(":", ":")
    t.press("new mire\r", "Which system for mire?")
    t.press("dynamic\r", "mire", "No creatures yet", "Dynamic")
    t.press(":", ":")
    t.press("open hollow\r", "hollow", "Ana", "Orc 3")
    t.press(":", ":")
    t.press("open nowhere\r", "there is no fight nowhere")
    t.press("\x1b", "Ready", silent=(":open",))
    t.press("q", "2 fights in")
    t.type("q")
    assert t.end() == 0
    assert t.foreign() == b""
    assert program.call("check").code == 0


def test_who_looks_on_goes_on_writing_when_nobody_else_does(tmp_path: Path) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    one, two = tocsin(tmp_path, "mill"), tocsin(tmp_path)
    one.wait("mill", "saved")
    two.wait("[Enter] opens mill")
    two.press("\r", "being written by", "t take over")
    two.press("l", "read-only while")
    two.press(":", ":")
    two.press("open mill\r", "is being written by")
    two.press("\x1b", "read-only", silent=(":open",))
    one.type("q")
    assert one.end() == 0
    two.wait("not running")
    two.press(":", ":")
    two.press("open mill\r", "saved", silent=("not running",))
    two.press(":note mine now\r", "mine now", silent=(":note",))
    two.type("q")
    assert two.end() == 0
    assert program.state()[0]["step"] == 1

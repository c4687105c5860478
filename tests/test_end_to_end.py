"""A whole fight in a real terminal, 80 by 24, by keyboard alone: played, killed, resumed."""

from __future__ import annotations

from pathlib import Path

from tests.program import Program
from tests.terminal import tocsin


def test_a_fight_by_keyboard_survives_a_pulled_plug(tmp_path: Path) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new", "--system", "classic").code == 0
    t = tocsin(tmp_path, "mill", "--seed", "4")
    t.wait("mill", "Nobody is here yet")
    t.press("a", ":add")
    t.press("5 Orc hp=7\r", "Orc 5", "7/7")
    t.press(":", ":")
    t.press("add Ana kind=pc hp=18 mod=3\r", "Ana joins")
    t.press("b", "for a place")
    t.press("r", "is next in the order", "round 1")
    t.press("n", "acting")
    t.press("12d", "12")
    state = program.state()[0]
    assert state["acting"] != ""
    assert len(state["combatants"]) == 6
    t.press("u", "step")
    t.press("\x12", "forward at step")
    t.wait("saved")
    step = program.state()[0]["step"]
    t.kill()
    again = tocsin(tmp_path, "mill")
    again.wait("mill", f"step {step}", "acts")
    before = program.state()[0]
    assert before["step"] == step
    again.press("n", f"step {step + 1}")
    again.type("q")
    assert again.end() == 0
    assert again.foreign() == b""
    assert t.foreign() == b""
    assert program.call("check").code == 0


def test_keys_typed_before_the_screen_is_up_count(tmp_path: Path) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new", "--system", "classic").code == 0
    t = tocsin(tmp_path, "mill")
    t.type("Nearly\r")
    t.wait("note early", silent=(":note",))
    t.kill()
    assert [line for line in (tmp_path / "mill.toml").read_text().splitlines() if "early" in line]

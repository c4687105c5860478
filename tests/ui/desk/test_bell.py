"""One BEL when a turn begins, if it was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tests.kit.terminal import tocsin
from tui.ui.desk.ports import Services
from tui.ui.state.settings import Settings


def ringing(*, bell: bool = True) -> tuple[Player, list[str]]:
    rung: list[str] = []
    outside = Services(bell=lambda: rung.append("ding"))
    return Player(lines=FIGHT, settings=Settings(bell=bell), services=outside), rung


def test_the_bell_rings_once_when_a_turn_begins_and_at_nothing_else() -> None:
    p, rung = ringing()
    p.press("n")
    assert rung == ["ding"]
    p.press("tab", "3", "d", "j", "?", "escape", *lines("end"))
    assert rung == ["ding"]
    p.press("n")
    assert rung == ["ding", "ding"]


def test_going_back_and_forth_rings_nothing() -> None:
    p, rung = ringing()
    p.press("n", "u", "ctrl+r", "u")
    assert rung == ["ding"]


def test_without_asking_nothing_rings() -> None:
    p, rung = ringing(bell=False)
    p.press("n", "n", "n", "n")
    assert rung == []


@pytest.mark.long
def test_the_real_program_rings(tmp_path: Path) -> None:
    t = tocsin(tmp_path, "fight", "--bell", "--seed", "1")
    t.wait("Which system for fight")
    t.press("\r", "No creatures yet")
    t.press(":add Ana\r", "Ana joins")
    assert b"\x07" not in t.raw
    t.press("br", "saved")
    t.press("n", "next when done")
    assert t.raw.count(b"\x07") == 1
    t.type("q")
    assert t.end() == 0
    t.raw = t.raw.replace(b"\x07", b"", 1)
    assert t.foreign() == b""

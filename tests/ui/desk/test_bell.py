"""One BEL when a turn begins, if it was asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tests.kit.terminal import tocsin
from tui.ui.desk.ports import Services
from tui.ui.state.settings import Settings


@pytest.mark.parametrize(
    ("keys", "rings"),
    [
        (("n",), 1),
        (("n", "tab", "3", "d", "j", "?", "escape", *lines("end")), 1),
        (("n", *lines("end"), "n"), 2),
        (("n", "u", "ctrl+r", "u"), 1),
    ],
)
def test_the_bell_rings_once_when_a_turn_begins_if_it_was_asked_for(
    keys: tuple[str, ...], rings: int
) -> None:
    for bell in (True, False):
        rung: list[str] = []
        services = Services(bell=partial(rung.append, "ding"))
        Player(lines=FIGHT, settings=Settings(bell=bell), services=services).press(*keys)
        assert len(rung) == rings * bell


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

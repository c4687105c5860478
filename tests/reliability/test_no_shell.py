"""Promise 7: where no shell would continue a stopped program, ctrl+z says so, and nothing stops."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import tocsin

WAYS = {
    "fight": (("mill",), "saved"),
    "start screen": ((), "mill"),
    "view": (("view", "mill"), "quit"),
}


@pytest.mark.parametrize(("words", "says"), WAYS.values(), ids=WAYS)
def test_ctrl_z_says_that_there_is_no_shell(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    fight(tmp_path)
    t = tocsin(tmp_path, *words)
    t.wait(says)
    t.press("\x1a", "no shell to return to")
    t.type("q")
    assert t.end() == 0
    stop(t)

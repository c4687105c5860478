"""A fight of every system, played on the real program.

The wire's screen equals stock output's after each key.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.kit.ptyrun import Pty
from tests.ui.wire.agreeing import agree

EXAMPLES = sorted((Path(__file__).parents[3] / "saves" / "examples").glob("*.toml"))
KEYS = ["n", "n", "down", "n", "d", "4", "enter", "n", "u", "n", "r", "n", "up", "n", "c", "escape", "o",
    "escape",
        ":", "n", "o", "t", "e", " ", "x", "enter", "?", "escape", "n", "ctrl+l", "n"]  # fmt: skip


@pytest.mark.hours
@pytest.mark.parametrize("save", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_a_fight_looks_the_same(save: Path, tmp_path: Path) -> None:
    commands = []
    for name in ("frugal", "stock"):
        (tmp_path / name).mkdir()
        shutil.copy(save, tmp_path / name)
        commands.append(
            [sys.executable, "-m", "tui", save.stem, "--saves", str(tmp_path / name), "--seed", "7"]
        )
    with Pty(commands[0]) as frugal, Pty([*commands[1], "--stock-output"]) as stock:
        for one in (frugal, stock):
            one.until(lambda one=one: one.terminal.modes == {"1049", "2004"})  # type: ignore[misc]
        agree(frugal, stock, lambda one: any(line.strip() for line in one.terminal.lines_of_text()))
        for key in KEYS:
            for one in (frugal, stock):
                one.press(key)
                one.pump(0.5)
            for one in (frugal, stock):
                one.quiet(0.15)
            agree(frugal, stock, lambda _one: True)
        assert len(frugal.raw) < len(stock.raw) / 3

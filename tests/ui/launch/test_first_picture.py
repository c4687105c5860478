"""What is loaded before the first picture: what it is drawn with, and nothing that only later keys and lines need."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.program import Program
from tests.ui.wire.ptyrun import Pty

NOT_YET = (
    "textual", "rich", "asyncio", "tomllib", "decimal", "uuid", "inspect", "socket", "ctypes", "ast",
    "tui.core.language.actions", "tui.core.language.select", "tui.core.rules.decide", "tui.core.rules.upkeep.counters",
    "tui.core.odds.race", "tui.core.views.seen", "tui.exchange", "tui.store.follow", "tui.ui.keys.board",
    "tui.ui.panes.form", "tui.ui.panes.over", "tui.ui.state.adding", "tui.ui.state.filling", "tui.ui.textual",
)  # fmt: skip

SCRIPT = """
import os, sys
import tui.__main__
sys.argv = ["tocsin", {save!r}, "--saves", {folder!r}]
def drawn(frame, event, arg):
    # Loading begins when the first picture is drawn.
    if event == "call" and frame.f_code.co_qualname == "Behind.start":
        with open({told!r}, "w") as file:
            file.write(" ".join(sys.modules))
        os._exit(0)
sys.setprofile(drawn)
tui.__main__.main()
"""


def test_the_first_picture_loads_what_it_is_drawn_with(tmp_path: Path) -> None:
    p = Program(tmp_path)
    p.call("new", "--system", "classic")
    p.call("do", "add 3 Orc hp=9 mod=1", "begin", "roll")
    told = tmp_path / "told"
    script = SCRIPT.format(told=str(told), save="fight", folder=str(tmp_path))
    with Pty([sys.executable, "-c", script], environ={"TOCSIN_CONFIG": str(tmp_path)}) as one:
        one.until(told.exists)
        one.process.wait()
    loaded = told.read_text().split()
    assert "tui.ui.panes.track" in loaded
    assert [m for m in loaded if any(m == name or m.startswith(f"{name}.") for name in NOT_YET)] == []

"""Little to load: what must not be in memory when the first screen is drawn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("ssl", "_ssl", "textual.command", "textual.widgets._markdown", "textual.widgets._text_area", "tree_sitter", "attr",
         "attrs", "pygments", "markdown_it", "textual.widgets._tree", "textual.widgets._option_list", "rich.syntax",
         "rich.markdown")  # fmt: skip


def loaded(script: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_first_screen_loads_nothing_heavy(tmp_path: Path) -> None:
    script = f"""
import os, sys
from tui.ui.terminal.environment import prepare_environment
prepare_environment(os.environ)
from tui.ui.textual.slim import slim
with slim():
    from tests.ui.textual.opened import FightApp
from tui.ui.launch.shell import themes
from tui.store.making import create
from tui.store.session import open_session
from tui.store.dice import FairDice
from tui.systems import Registry
path = create("x", {str(tmp_path)!r}, Registry(), "classic", {{}})
session = open_session(path, "", Registry(), FairDice())
app = FightApp(session.store, palette=themes().loaded["dark"])
app.call_later(lambda: app.call_after_refresh(app.exit))
app.run(headless=True)
print(" ".join(sys.modules))
"""
    assert not set(loaded(script)) & set(HEAVY)


def test_a_textual_that_asks_for_more_gets_the_real_modules() -> None:
    script = """
import sys
from tui.ui.textual import slim
slim.UNUSED = dict.fromkeys(slim.UNUSED, ())
with slim.slim():
    import textual.app
print(sys.modules["textual.app"].CommandPalette.__module__, sys.modules["rich.table"].Table.__module__)
"""
    assert loaded(script) == ["textual.command", "rich.table"]


def test_the_pinned_textual_does_with_the_stand_ins() -> None:
    script = """
import sys
from tui.ui.textual import slim
with slim.slim():
    import textual.app
print(*[name for name in slim.UNUSED if name in sys.modules])
"""
    assert loaded(script) == []


def test_all_is_there_again_afterwards() -> None:
    script = """
from tui.ui.textual.slim import slim
with slim():
    import textual.app
import ssl, difflib, typing_extensions, asyncio.sslproto, urllib.parse
from rich.table import Table
print(ssl.__name__, *difflib.get_close_matches("a", ["a"]), typing_extensions.__name__, Table.__module__)
"""
    assert loaded(script) == ["ssl", "a", "typing_extensions", "rich.table"]

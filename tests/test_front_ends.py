"""What each front end loads: no Textual on the command line, no rules for players."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.ptyrun import Pty
from tui.store.opening import create_save
from tui.systems import Registry

ASYNCHRONOUS = {"textual", "asyncio"}

RUN = """
import sys
from tui.__main__ import main
code = main()
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""

WATCH = """
import os, sys, time
class Watch:
    def find_spec(self, name, *_):
        if name in ("asyncio", "textual.app"):
            with open({path!r} + "new", "w") as file:
                print(*(name for name, module in sys.modules.items() if module), file=file)
            os.rename({path!r} + "new", {path!r} + name)
            while not os.path.exists({path!r} + name + ".go"):
                time.sleep(0.01)
sys.meta_path.insert(0, Watch())
from tui.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return Path(create_save("mill", str(tmp_path), Registry(), "classic", {}))


@pytest.mark.parametrize("words", [["show"], ["log"], ["do", "add Ana"], ["show", "--json"], ["export"]])
def test_the_command_line_loads_no_textual_and_no_event_loop(save: Path, words: list[str]) -> None:
    call = [sys.executable, "-c", RUN, words[0], str(save), *words[1:]]
    done = subprocess.run(call, capture_output=True, text=True, check=True, timeout=60)
    loaded = {*done.stderr.split()}
    assert "tui.store.opening" in loaded
    assert not loaded & ASYNCHRONOUS
    assert not [name for name in loaded if name.startswith(("tui.ui", "rich"))]


UNUSED = {"typing_extensions", "ssl", "_hashlib", "rich", "json", "difflib"}
"""Modules that took a tenth of the time until the first picture, and a tenth of the memory."""


def test_the_first_picture_and_the_first_keys_wait_for_no_textual(save: Path, tmp_path: Path) -> None:
    watch = WATCH.format(path=f"{tmp_path}/")
    with Pty([sys.executable, "-c", watch, str(save)], environ={"TOCSIN_CONFIG": str(tmp_path / "c")}) as one:
        one.sees("No creatures yet")
        one.until((tmp_path / "asyncio").exists)
        loaded = {*(tmp_path / "asyncio").read_text().split()}
        assert {"tui.ui.panes.screen", "tui.ui.wire.wire", "tui.ui.desk.desk"} <= loaded
        assert not loaded & {*ASYNCHRONOUS, *UNUSED, "tui.exchange.registry", "tui.exchange.story.gather"}
        one.press(":", "note early\r", "?")
        (tmp_path / "asyncio.go").touch()
        one.sees("Esc back")
        one.until((tmp_path / "textual.app").exists)
        loaded = {*(tmp_path / "textual.app").read_text().split()}
        assert "textual.screen" in loaded
        assert not loaded & {"tui.ui.app.app", "ssl"}
        one.press("escape")
        (tmp_path / "textual.app.go").touch()
        one.sees("early")
        one.press("q")
        one.until(one.gone)


def test_a_key_that_leaves_before_textual_is_loaded_leaves(save: Path, tmp_path: Path) -> None:
    watch = WATCH.format(path=f"{tmp_path}/")
    with Pty([sys.executable, "-c", watch, str(save)], environ={"TOCSIN_CONFIG": str(tmp_path / "c")}) as one:
        one.until((tmp_path / "asyncio").exists)
        one.press("q")
        (tmp_path / "asyncio.go").touch()
        one.until(one.gone)
    assert one.process.returncode == 0
    assert not (tmp_path / "textual.app").exists()


def test_nobody_who_imports_the_program_finds_a_library_changed() -> None:
    """Importing and running it leaves the modules of Python and of others as they are without it."""
    code = (
        "import sys, hashlib, msgspec, argparse\n"
        "before = {m: set(vars(sys.modules[m])) for m in ('hashlib', 'msgspec', 'argparse')}\n"
        "sys.argv = ['tocsin', 'systems']\n"
        "from tui.__main__ import main\n"
        "main()\n"
        "assert before == {m: set(vars(sys.modules[m])) for m in before}\n"
        "import uuid, decimal\n"
        "name = 'ripemd160' if 'ripemd160' in hashlib.algorithms_available else 'md5'\n"
        "assert hashlib.scrypt and hashlib.new(name)\n"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)

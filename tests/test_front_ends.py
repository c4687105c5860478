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
import sys
class Watch:
    def find_spec(self, name, *_):
        if name in ("textual", "asyncio"):
            with open({path!r}, "a") as file:
                print(*sys.modules, file=file)
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


def test_the_first_picture_waits_for_no_textual_and_no_other_tools_files(save: Path, tmp_path: Path) -> None:
    modules = tmp_path / "modules"
    watch = WATCH.format(path=str(modules))
    with Pty([sys.executable, "-c", watch, str(save)], environ={"TOCSIN_CONFIG": str(tmp_path / "c")}) as one:
        one.sees("no fight running")
        one.until(modules.exists)
        loaded = {*modules.read_text().splitlines()[0].split()}
        assert {"tui.ui.panes.screen", "tui.ui.wire.wire", "tui.ui.desk.desk"} <= loaded
        assert not loaded & {*ASYNCHRONOUS, "tui.exchange.registry", "tui.exchange.story.gather"}
        assert not [name for name in loaded if name.startswith("rich.console")]
        one.until(lambda: one.shows("No creatures yet"))
        one.press("q")
        one.until(one.gone)


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

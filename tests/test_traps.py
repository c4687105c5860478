"""Promise 6: a folder from somebody else runs nothing, whatever its files are called."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kit.scripted_play import TOP, stop
from tests.kit.terminal import Terminal
from tui.cli.commands import COMMANDS

OURS = ("tui", "msgspec", "textual", "rich", "tomli_w", "yaml", "segno", "usercustomize", "evil")
STARTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "new": (("mill", "--system", "chaos"),),
    "do": (("mill", "add Ana kind=pc owner=Mia hp=9", "add 2 Orc hp=7", "save party us"),),
    "show": (("mill",), ("mill", "--as", "Mia", "--json")),
    "log": (("mill",),),
    "export": (("mill",), ("mill", "--format", "json")),
    "view": (("mill",),),
    "serve": (("mill",),),
    "check": (("mill",), ("mill", "--repair")),
    "party": ((),),
    "creatures": ((),),
    "import": ((".", "--look"), ("creature.csv", "--into", "mill")),
    "systems": ((),),
    "version": ((),),
    "themes": ((),),
    "keys": ((), ("--man",)),
    "help": (("players",),),
    "completion": (("bash",), ("--list", "saves")),
}
"""The words with which each command is started; what must run comes before what needs it."""


SCREENS = ("view", "serve")
"""Commands that are refused without a terminal."""


class TrapFolder:
    """A stranger's folder: present folder, saves, library and settings; each file of it tells if it ran."""

    def __init__(self, folder: Path) -> None:
        self.path, self._ran = folder / "theirs", folder / "ran"
        for name in {*sys.stdlib_module_names, *OURS} - {"tui", "evil"}:
            self._set_trap(f"{name}.py", name)
        for package in ("tui", "evil"):
            for part in ("__init__", "__main__", "publish", "systems"):
                self._set_trap(f"{package}/{part}.py", package)
        info = self.path / "evil-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[tocsin.systems]\na = evil\n[tocsin.formats]\na = evil\n")
        (self.path / "creature.csv").write_text("name,hp\nImp,7\n")
        # As pip writes it.
        self.script = folder / "bin" / "tocsin"
        self.script.parent.mkdir()
        self.script.write_text(
            f"#!{sys.executable}\nimport sys\nfrom tui.__main__ import main\nsys.exit(main())\n"
        )
        self.script.chmod(0o755)
        self.environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("TOCSIN", "XDG_"))},
            "PYTHONPATH": str(TOP),
            "XDG_DATA_HOME": str(self.path),
            "XDG_STATE_HOME": str(folder / "state"),
            "TOCSIN_CONFIG": str(self.path),
        }

    def _set_trap(self, path: str, name: str) -> None:
        at = self.path / path
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(f"with open({str(self._ran)!r}, 'a') as file:\n    file.write('{name} ')\n")

    def ran(self) -> str:
        """Return the names of the files that ran."""
        return self._ran.read_text() if self._ran.exists() else ""

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command in the folder."""
        return subprocess.Popen(
            command,
            cwd=self.path,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def call(self, *words: str, code: int = 0) -> None:
        """Run `tocsin WORDS…` until it ends."""
        with self.start(str(self.script), *words, "--saves", ".") as program:
            _, err = program.communicate(timeout=60)
        assert program.returncode == code, err


@pytest.fixture
def traps(tmp_path: Path) -> TrapFolder:
    return TrapFolder(tmp_path)


def test_the_traps_bite(traps: TrapFolder) -> None:
    """The same folder, and Python told to look there first."""
    traps.start(sys.executable, "-m", "tui", "version").communicate(timeout=60)
    assert traps.ran() != ""


@pytest.mark.long
def test_no_command_runs_a_file_of_a_strangers_folder(traps: TrapFolder) -> None:
    assert STARTS.keys() == COMMANDS.keys()
    for name, calls in STARTS.items():
        for words in calls:
            traps.call(name, *words, code=1 if name in SCREENS else 0)
            assert traps.ran() == "", (name, words)
    with traps.start(sys.executable, "-P", "-m", "tui", "show", "mill", "--saves", ".") as program:
        program.communicate(timeout=60)
    assert (program.returncode, traps.ran()) == (0, "")


class Started(Terminal):
    """The program in a stranger's folder."""

    def __init__(self, traps: TrapFolder, words: Sequence[str]) -> None:
        self.program = ("/usr/bin/env", "-C", str(traps.path), str(traps.script))
        super().__init__([*words, "--saves", "."], (80, 24), **traps.environ)


@pytest.mark.long
def test_no_screen_does(traps: TrapFolder) -> None:
    for name in ("new", "do"):
        traps.call(name, *STARTS[name][0])
    opened = [Started(traps, words) for words in (["mill"], [], ["view", "mill"])]
    for terminal in opened:
        terminal.wait("mill")
    opened[0].press("b", "order")
    opened[2].wait("Round 1")
    for terminal in opened:
        stop(terminal)
    assert traps.ran() == ""

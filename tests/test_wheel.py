"""The wheel is the program: built from the tree, installed into an empty environment, played, removed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal
from tui import VERSION
from tui.cli.completion import FILES
from tui.manual import read_chapters
from tui.systems import Registry

pytestmark = pytest.mark.long

TOP = Path(__file__).parent.parent
SOURCES = ("tui", "themes", "saves/examples", "README.md", "LICENSE", "pyproject.toml")


def call(*words: str, cwd: Path, **environ: str) -> str:
    """Run a program that must succeed; its output."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("TOCSIN_", "PYTHON"))}
    done = subprocess.run(
        words, cwd=cwd, env={**env, **environ}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        source, target = TOP / name, folder / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    call(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(folder),
        str(folder / "source"),
        cwd=folder,
    )
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the program installed in `.venv`, as the README says."""
    folder = tmp_path_factory.mktemp("home")
    call(sys.executable, "-m", "venv", ".venv", cwd=folder)
    call(".venv/bin/pip", "install", "-q", str(wheel), cwd=folder)
    return folder


class Visitor:
    """Somebody who has nothing but a home and the installed program."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.program = str(home / ".venv" / "bin" / "tocsin")
        self.environ = {"HOME": str(home), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""}

    def run(self, *words: str) -> str:
        """A call of the program."""
        return call(self.program, *words, cwd=self.home, **self.environ)

    def screen(self, *words: str) -> Terminal:
        """The program on a screen."""
        program = self.program

        class Installed(Terminal):
            """The installed program in a terminal."""

        Installed.program = (program,)
        return Installed(list(words), (80, 24), **self.environ)


def test_the_wheel_holds_what_the_program_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        about = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    page = {f"tui/serve/page.{kind}" for kind in ("html", "css", "js")}
    texts = {str(path.relative_to(TOP)) for path in (TOP / "tui").rglob("*.toml")}
    assert {f"tui/manual/{one.name}.md" for one in read_chapters()} | page | texts <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "tui/py.typed" in names
    shared = {name.partition(".data/data/")[2] for name in names} - {""}
    assert shared == {
        "share/man/man1/tocsin.1",
        "share/bash-completion/completions/tocsin",
        "share/zsh/site-functions/_tocsin",
        "share/fish/vendor_completions.d/tocsin.fish",
    }
    assert not [name for name in names if "tui/shell" in name]
    assert {f"tui/_data/shell/{name}" for name in (*FILES.values(), "tocsin.1")} <= names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]
    assert f"Version: {VERSION}\n" in about
    assert "License-Expression: MIT\n" in about
    # What the README links beside itself is not there for a reader of the package's page.
    assert re.findall(r"\]\((?!https?:)[^)]*\)", about) == []
    assert "`tocsin help`" in about
    assert "own systems" in about


def test_the_files_for_shells_are_those_that_the_program_prints(wheel: Path, home: Path) -> None:
    gm = Visitor(home)
    with zipfile.ZipFile(wheel) as archive:
        held = {n.partition(".data/data/")[2]: archive.read(n).decode() for n in archive.namelist()}
    assert gm.run("keys", "--man") == held["share/man/man1/tocsin.1"]
    assert gm.run("completion", "bash") == held["share/bash-completion/completions/tocsin"]
    assert gm.run("completion", "zsh") == held["share/zsh/site-functions/_tocsin"]
    assert gm.run("completion", "fish") == held["share/fish/vendor_completions.d/tocsin.fish"]


def test_the_first_hour(home: Path) -> None:
    """Sample, lesson, party, a fight of each system, export, a theme and a key; then it is uninstalled."""
    gm = Visitor(home)
    assert gm.run("--version").strip() == f"tocsin {VERSION}"
    assert gm.run("help", "players").startswith("Players\n")
    for words, says in ((("--sample", "classic"), "Archers act"), (("--tutor",), "Do what")):
        screen = gm.screen(*words)
        screen.wait(says)
        screen.type("q")
        assert screen.end() == 0
    for name in Registry().ids():
        gm.run("new", name, "--system", name)
        gm.run("do", name, "add Ana kind=pc owner=Mia hp=18", "add 3 Orc hp=7 group=Orcs", "begin")
        assert "Ana" in gm.run("show", name)
        gm.run("do", name, "damage Orcs 3", "undo")
        gm.run("check", name)
    gm.run("do", "classic", "roll", "next", "save party four")
    gm.run("new", "cellar")
    gm.run("do", "cellar", "party four", "add 2 Orc hp=7", "begin", "roll", "next")
    for call_words, says in ((["view", "cellar"], "cellar"), (["view", "cellar", "--as", "Mia"], "Mia")):
        screen = gm.screen(*call_words)
        screen.wait(says)
        screen.type("q")
        assert screen.end() == 0
    (home / "beasts.csv").write_text("name,hp,ac\nWarg,11,13\n", encoding="utf-8")
    gm.run("import", "beasts.csv")
    assert "Warg" in gm.run("creatures")
    gm.run("export", "cellar", "--out", "cellar.html")
    assert "Ana" in (home / "cellar.html").read_text(encoding="utf-8")
    settings = home / ".config" / "tocsin"
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text('theme = "light"\n[keys]\nnote = "ctrl+n"\n', encoding="utf-8")
    assert "light" in gm.run("themes")
    screen = gm.screen("cellar")
    screen.wait("cellar", "acts")
    screen.press("\x0e", ":note")
    screen.press("a key of mine\r", "a key of mine", silent=(":note",))
    screen.type("q")
    assert screen.end() == 0
    call(".venv/bin/pip", "uninstall", "-q", "-y", "tocsin", cwd=home)
    packages = next((home / ".venv" / "lib").glob("python*/site-packages"))
    assert [path.name for path in packages.iterdir() if "tui" in path.name or "tocsin" in path.name] == []
    assert not Path(gm.program).exists()
    left = {str(path.relative_to(home)) for path in home.rglob("*.toml") if ".venv" not in path.parts}
    fights = (*Registry().ids(), "cellar", "mill", "parties/four", "creatures/csv-or-tsv")
    saves = {f".local/share/tocsin/saves/{name}.toml" for name in fights}
    assert left == saves | {".config/tocsin/config.toml"}

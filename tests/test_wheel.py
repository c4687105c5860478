"""The wheel is the program: built from the tree, installed into an empty environment, played, removed.

Once in a terminal here, and once as a plain account does it over a real sshd, with its players.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.ssh import Sshd
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
    assert {f"tui/manual/{one.name}.md" for one in read_chapters()} | page <= names
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
    (settings / "themes").mkdir(parents=True)
    mine = (TOP / "themes" / "light.toml").read_text(encoding="utf-8").replace('"light"', '"mine"')
    (settings / "themes" / "mine.toml").write_text(mine, encoding="utf-8")
    (settings / "config.toml").write_text('theme = "mine"\n[keys]\nnote = "ctrl+n"\n', encoding="utf-8")
    assert "mine" in gm.run("themes")
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
    assert left == saves | {".config/tocsin/config.toml", ".config/tocsin/themes/mine.toml"}


GM = "tocsin-gm"


class Host:
    """The game master's account on a host with sshd; the program is in its home, as the README says."""

    def __init__(self, server: Sshd, wheel: Path) -> None:
        self.server = server
        for folder in (server.folder, server.folder / "homes"):
            folder.chmod(0o711)
        account = server.accounts[GM]
        self.home = account.home
        call(sys.executable, "-m", "venv", ".venv", cwd=self.home)
        call(".venv/bin/pip", "install", "-q", str(wheel), cwd=self.home)
        for path in (self.home, *self.home.rglob("*")):
            os.chown(path, account.number, account.number, follow_symlinks=False)
        self.key = server.open_door("gm", GM)

    def sh(self, *words: str) -> str:
        """A call of the program in the account's own shell, which must succeed; what it prints."""
        done = self.server.run(
            self.key, shlex.join([".venv/bin/tocsin", *words]), account=GM, TERM="tmux-256color", COLORTERM=""
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def screen(self, *words: str) -> Terminal:
        """The program on a screen of the account's."""
        return self.server.login(
            self.key, shlex.join([".venv/bin/tocsin", *words]), account=GM, TERM="tmux-256color", COLORTERM=""
        )


@pytest.fixture
def host(wheel: Path, tmp_path: Path) -> Iterator[Host]:
    server = Sshd(tmp_path, (GM,))
    try:
        yield Host(server, wheel)
    finally:
        server.close()


def leave(*screens: Terminal) -> None:
    """Quit each; all end well."""
    for screen in screens:
        screen.type("q")
        assert screen.end() == 0


@pytest.mark.sshd
@pytest.mark.accounts
def test_the_first_hour_of_a_plain_account_over_ssh(host: Host) -> None:
    """Sample, lesson, fights with views, dropped lines, import, export, theme, key; uninstalled."""
    for words, says in (
        (("--sample", "classic"), "Archers act"),
        (("--tutor",), "Do what"),
        ((), "1 fight in"),
    ):
        screen = host.screen(*words)
        screen.wait(says)
        leave(screen)
    for name in Registry().ids():
        host.sh("new", name, "--system", name)
        host.sh("do", name, "add Ana kind=pc owner=Mia hp=18", "add 3 Orc hp=7 group=Orcs")
        gm, view, hers = (
            host.screen(name),
            host.screen("view", name),
            host.screen("view", name, "--as", "Mia"),
        )
        gm.wait(name, "saved")
        gm.type("b")
        for terminal in (gm, view, hers):
            terminal.wait(name, "round 1")
        hers.wait("as Mia", "Ana", "18/18")
        view.wait("unhurt", silent=("18/18",))
        leave(view, hers, gm)
        assert host.sh("check", name)
    dropped_line(host, "classic")
    host.sh("do", "classic", "roll", "next", "save party four")
    (host.home / "beasts.csv").write_text("name,hp,ac\nWarg,11,13\n", encoding="utf-8")
    host.sh("import", "beasts.csv")
    host.sh("new", "cellar")
    host.sh("do", "cellar", "party four", "add Warg", "begin", "roll", "next")
    assert "11/11" in host.sh("show", "cellar")
    host.sh("export", "cellar", "--out", "cellar.html")
    mine(host.home / ".config" / "tocsin", host.server.accounts[GM].number)
    screen = host.screen("cellar", "--theme", "mine")
    screen.wait("cellar", "acts")
    screen.press("\x0e", ":note")
    screen.press("a key of mine\r", "a key of mine", silent=(":note",))
    leave(screen)
    assert host.server.run(host.key, ".venv/bin/pip uninstall -q -y tocsin", account=GM).returncode == 0
    left = {str(path.relative_to(host.home)) for path in host.home.rglob("*") if path.is_file()}
    packages = {name for name in left if "/site-packages/" in name}
    assert [name for name in packages if "tui" in name.split("/") or "tocsin" in name] == []
    kept = {name for name in left - packages if not name.startswith((".venv/", ".local/state/"))}
    fights = (*Registry().ids(), "cellar", "mill", "parties/four", "creatures/csv-or-tsv")
    own = {
        ".config/tocsin/config.toml",
        ".config/tocsin/themes/mine.toml",
        "beasts.csv",
        "cellar.html",
    }
    assert {name for name in kept if name.endswith(".toml")} | own == own | {
        f".local/share/tocsin/saves/{name}.toml" for name in fights
    }
    assert {name for name in kept - own if not name.startswith(".local/share/tocsin/saves/")} == set()


def dropped_line(host: Host, name: str) -> None:
    """The connection drops while a line is half written: its words are there at the next login."""
    gm = host.screen(name)
    gm.wait(name, "saved")
    gm.press(":", ":")
    gm.press("note half a thou", "half a thou")
    gm.kill()
    # The server ends what ran on a dropped line in its own time; until then the save is its.
    call("flock", "--wait", "20", f"{name}.toml.lock", "true", cwd=host.home / ".local/share/tocsin/saves")
    gm = host.screen(name)
    gm.wait(name, "saved")
    gm.press(":", "Up earlier lines")
    gm.press("\x1b[A", "half a thou")
    gm.press("ght\r", "half a thought", silent=(":note",))
    leave(gm)


def mine(settings: Path, owner: int) -> None:
    """A theme and a key of one's own."""
    (settings / "themes").mkdir(parents=True)
    theme = (TOP / "themes" / "light.toml").read_text(encoding="utf-8").replace('"light"', '"mine"')
    (settings / "themes" / "mine.toml").write_text(theme, encoding="utf-8")
    (settings / "config.toml").write_text('[keys]\nnote = "ctrl+n"\n', encoding="utf-8")
    for path in (settings.parent, settings, *settings.rglob("*")):
        os.chown(path, owner, owner)

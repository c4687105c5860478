"""Every command of the README does what it says, in the order in which it is printed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.terminal import Terminal

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(
    r"^<!-- (\w+) -->\n```sh\n(.*?)\n```", README, re.MULTILINE | re.DOTALL
)


def block(mark: str) -> str:
    """The code block under an HTML comment."""
    return next(text for name, text in BLOCKS if name == mark)


class Shell(Terminal):
    """A terminal with a shell in it."""

    program = ("/bin/bash",)


class Reader:
    """A person who types the README's commands in a new folder, with the program on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / ".venv" / "bin" / "tocsin"
        program.parent.mkdir(parents=True)
        script = f'#!/bin/sh\nPYTHONPATH={TOP} exec {sys.executable} -m tui "$@"\n'
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)
        (folder / "saves").symlink_to(TOP / "saves")
        self.path = f"{program.parent}:{os.environ['PATH']}"
        self.environ = {"HOME": str(folder), "TOCSIN_SAVES": str(folder / "fights"), "PATH": self.path}

    def run(self, script: str) -> str:
        """Run lines in a shell; what they print. Each of them must succeed."""
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env={**os.environ, **self.environ},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    def screen(self, call: str) -> Terminal:
        """Start what fills the terminal."""
        return Shell(["-c", f"cd {shlex.quote(str(self.folder))} && exec {call}"], (80, 24), **self.environ)


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def test_each_command_stands_in_a_block_that_is_tried() -> None:
    assert [mark for mark, _ in BLOCKS] == ["run", "tests", "fight", "screens", "players"]
    assert len(BLOCKS) == README.count("```sh")


@pytest.mark.parametrize("mark", ["run", "tests"])
def test_the_two_commands_are_one_line_each_and_set_everything_up(mark: str) -> None:
    words = shlex.split(block(mark))
    assert words[:4] == ["python3", "-m", "venv", ".venv"]
    assert ".venv/bin/pip" in words
    assert "\n" not in block(mark)


def test_the_sample_fight_opens(reader: Reader) -> None:
    call = block("run").rpartition(" && ")[2]
    screen = reader.screen(call)
    screen.wait("mill", "Archers act")
    screen.type("q")
    assert screen.end() == 0


@pytest.mark.long
def test_the_first_fight_its_screens_and_its_players(reader: Reader) -> None:
    shown = reader.run(block("fight"))
    lines = block("fight").splitlines()
    assert next(n for n, line in enumerate(lines) if "next" in line) < 6, "a turn runs after six lines"
    ends = shown[shown.rindex("cellar · classic · round 1") :]
    told = re.search(r"(?m)^It is (\w+)'s turn\.", README)
    assert told
    assert f"acting   {told[1]} " in ends
    for call, says in zip(
        block("screens").splitlines(), (f"{told[1]} acts", "Do what", "1 fight in"), strict=True
    ):
        screen = reader.screen(call)
        screen.wait(says)
        screen.type("q")
        assert screen.end() == 0
    serve, view, last = block("players").splitlines()
    # The port of the README may be taken where this runs.
    for call, says in ((serve.replace(":8080", ":0"), f"{told[1]} acts"), (view, "cellar")):
        screen = reader.screen(call)
        screen.wait(says)
        screen.type("q")
        assert screen.end() == 0
    assert "Ana" in reader.run(last)


def test_the_check_of_the_whole_reads_its_command_from_here() -> None:
    script = (TOP / ".ci" / "run").read_text(encoding="utf-8")
    function = re.search(r"readme_command\(\) \{[^\n]*\n(.*?)\n\}", script, re.DOTALL)
    assert function
    read = subprocess.run(["bash", "-c", function[1]], cwd=TOP, capture_output=True, text=True, check=True)
    assert read.stdout.strip() == block("tests")


def test_every_file_the_readme_points_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (TOP / link).exists()] == []

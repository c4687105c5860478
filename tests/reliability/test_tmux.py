"""Inside tmux: keys typed while the program starts, and ctrl+z with and without a shell."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.machine import TOP, program
from tests.kit.program import Program
from tests.kit.scripted_play import fight, stop
from tests.kit.terminal import Terminal, logged, tocsin

pytestmark = pytest.mark.tmux


class Tmux(Terminal):
    """A tmux of its own in a pty, with one pane."""

    program = (program("tmux"),)


@pytest.fixture
def call(tmp_path: Path) -> str:
    """The words that open a fight."""
    made = Program(tmp_path / "saves", "mill")
    assert made.call("new").code == 0
    assert made.do("add Ana hp=9", "add Bo hp=9", "begin", "roll").code == 0
    words = [sys.executable, "-m", "tui", "mill", "--saves", str(tmp_path / "saves")]
    return f"cd {shlex.quote(str(TOP))} && {shlex.join(words)}"


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[list[str]]:
    """The words of a tmux that nothing of this machine is set up for."""
    yield ["-u", "-S", str(tmp_path / "socket"), "-f", "/dev/null", "new-session"]
    Tmux(["-S", str(tmp_path / "socket"), "kill-server"]).end()


@pytest.mark.parametrize("moment", ["", "saved"], ids=["while it starts", "at the first picture"])
def test_a_burst_is_in_the_journal(pane: list[str], call: str, moment: str) -> None:
    terminal = Tmux([*pane, f"echo BEGIN; {call}"])
    terminal.wait(moment or "BEGIN")
    # Through the server, behind its answers to what the program has just asked it.
    typed = ["send-keys", "-l", ":note still here", ";", "send-keys", "Enter"]
    subprocess.run([Tmux.program[0], *pane[: pane.index("new-session")], *typed], check=True)
    terminal.type(":note and by hand\r")
    terminal.wait(f"{logged(5)[1:]}still here", f"{logged(6)[1:]}and by hand", silent=(":note",))
    terminal.type("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("before", ["", "exec "], ids=["below sh -c", "in its place"])
def test_without_a_shell_it_goes_on(pane: list[str], call: str, before: str) -> None:
    terminal = Tmux([*pane, call.replace("&& ", f"&& {before}")])
    terminal.wait("saved", "Ana")
    terminal.press("\x1a", "no shell to return to")
    terminal.press(":note ", ":note")
    terminal.press("still here", ":note still here")
    terminal.press("\r", logged(5), silent=(":note",))
    terminal.type("q")
    assert terminal.end() == 0


def test_from_a_shell_it_stops_and_comes_back(pane: list[str], call: str) -> None:
    terminal = Tmux([*pane, "PS1='READY ' sh -i"])
    terminal.wait("READY")
    terminal.type(f"{call}\n")
    terminal.wait("saved", "Ana")
    terminal.press("\x1a", "READY", silent=("saved",))
    terminal.press("fg\n", "saved", "Ana", silent=("no shell to return to", "READY"))
    terminal.press(":note still here\r", "still here", logged(5))
    terminal.type("q")
    terminal.wait("READY")
    terminal.type("exit\n")
    assert terminal.end() == 0


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

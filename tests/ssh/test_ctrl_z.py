"""ctrl+z over ssh: back to a shell where there is one, a notice where there is none."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.machine import TOP
from tests.kit.program import Program
from tests.kit.ssh import Sshd
from tests.kit.terminal import logged

pytestmark = pytest.mark.sshd

NO_SHELL = "no shell to return to"


class Host:
    """An account that may do anything over ssh, and a fight of Mia's in its folder."""

    def __init__(self, server: Sshd) -> None:
        self.server, self.saves = server, server.folder / "saves"
        self.saves.mkdir()
        program = Program(self.saves, "mill")
        assert program.call("new").code == 0
        assert program.do("add Ana owner=Mia hp=9", "add Bo hp=9", "begin", "roll").code == 0

    def call(self, *words: str) -> str:
        program = f"cd {shlex.quote(str(TOP))} && LANG=C.UTF-8 {shlex.quote(sys.executable)} -m tui"
        return f"{program} {shlex.join(words)} --saves {shlex.quote(str(self.saves))}"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    server = Sshd(tmp_path_factory.mktemp("stopping"))
    try:
        yield Host(server)
    finally:
        server.close()


@pytest.mark.parametrize("words", [("mill",), ("view", "mill")], ids=lambda w: w[0])
def test_called_by_ssh_alone_it_goes_on(host: Host, words: tuple[str, ...]) -> None:
    terminal = host.server.login(host.call(*words))
    terminal.wait("Ana", "saved" if words == ("mill",) else "quit")
    terminal.press("\x1a", NO_SHELL)
    terminal.type("q")
    assert terminal.end() == 0


def test_from_a_shell_there_it_stops_and_comes_back(host: Host, tmp_path: Path) -> None:
    del tmp_path
    terminal = host.server.login("PS1='READY ' sh -i")
    terminal.wait("READY")
    terminal.type(f"{host.call('mill')}\n")
    terminal.wait("saved", "Ana")
    terminal.press("\x1a", "Stopped", "READY")
    terminal.press("fg\n", "saved", "Ana", silent=(NO_SHELL, "READY"))
    terminal.press(":note still here\r", "still here", logged(5))
    terminal.type("q")
    terminal.wait("READY")
    terminal.type("exit\n")
    assert terminal.end() == 0

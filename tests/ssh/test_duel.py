"""The same fight without a GM over SSH: two players, two keys, and nothing on their side but ssh."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.duel import Duel, three_rounds
from tests.kit.scripted_play import stop, until
from tests.kit.ssh import PATIENCE, Sshd, processes
from tests.kit.terminal import Terminal

pytestmark = pytest.mark.sshd


class Remote(Duel):
    """The host here, both players at the other end of an SSH line."""

    def __init__(self, server: Sshd) -> None:
        self.server = server
        self.keys: dict[str, Path] = {}
        saves = server.folder / "saves"
        saves.mkdir()
        super().__init__(saves)

    def sit(self, name: str) -> Terminal:
        if name not in self.keys:
            self.keys[name] = key = self.server.key(name)
            self.server.authorize(self.program.call("invite", name, "--public-key", f"{key}.pub").out)
        return self.server.login(self.keys[name], size=(100, 40))

    def process(self, name: str) -> int:
        """The process of a player's seat, on this side of the line."""
        (found,) = processes("seat", str(self.folder / "duel.toml"), name)
        return found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Remote]:
    server = Sshd(tmp_path)
    try:
        found = Remote(server)
        yield found
        found.close()
    finally:
        server.close()


def test_three_rounds_are_played_over_ssh(table: Remote) -> None:
    three_rounds(table)


@pytest.mark.parametrize("cut", ["client", "server"])
def test_what_was_half_written_when_the_line_dropped_is_there_at_the_next_login(
    table: Remote, cut: str
) -> None:
    mia = table.seats["Mia"]
    mia.wait("[o] write the order of Ana")
    mia.press("o", "Order of Ana")
    mia.press("over the wall", "over the wall")
    seat = table.process("Mia")
    if cut == "client":
        mia.kill()
    else:
        os.kill(parent(seat), signal.SIGKILL)
        assert mia.end()
    # Nobody sits there any more: the seat has ended with its line, and by itself.
    until(lambda: ended(seat), PATIENCE)
    os.close(mia._fd)
    mia = table.seats["Mia"] = table.sit("Mia")
    mia.wait("[o] go on with the order of Ana")
    mia.press("o", "over the wall")
    mia.press("\r", "taken")
    assert "over the wall" in (table.folder / "duel.toml").read_text()


def parent(pid: int) -> int:
    """The process that started it: sshd's for this line."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def ended(pid: int) -> bool:
    """Whether a process is over; that nobody has asked how it ended does not matter."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_whoever_logs_in_twice_sits_there_twice_and_a_line_counts_once(table: Remote) -> None:
    first, second = table.seats["Mia"], table.sit("Mia")
    try:
        for terminal in (first, second):
            terminal.wait("[o] write the order of Ana")
        first.press("o", "Order of Ana")
        first.press("hold\r", "taken")
        second.wait("your order, Ana: movement hold")
        assert (table.folder / "duel.toml").read_text().count('"hold"') == 1
    finally:
        stop(second)


def test_an_order_that_was_sent_when_the_writer_had_died_is_taken_in_by_the_next(table: Remote) -> None:
    mia = table.seats["Mia"]
    mia.wait("[o] write the order of Ana")
    mia.press("o", "Order of Ana")
    mia.press("over the wall", "over the wall")
    table.host.kill()
    table.host.wait()
    mia.wait("not running")
    mia.press("\r", "sent, not answered yet", "not running")
    assert "over the wall" not in (table.folder / "duel.toml").read_text()
    table.host = table.hosted()
    mia.wait("your order, Ana: movement over the wall", silent=("not running",))
    assert (table.folder / "duel.toml").read_text().count('by = "mia ') == 1

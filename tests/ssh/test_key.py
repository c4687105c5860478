"""What the line that `tocsin invite` prints lets a player's own SSH key do: open one seat, and nothing else.

Whatever is refused to a player's key is granted to a key without that line, by the same server and the same
call: so a refusal is the line's.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.machine import program
from tests.kit.program import Program
from tests.kit.scripted_play import stop, until
from tests.kit.ssh import PATIENCE, Sshd, processes
from tests.kit.terminal import tocsin

pytestmark = pytest.mark.sshd

MORE = " Mia: its SSH key asked for more than the seat; it was refused\n"


class Fight:
    """A Chaos fight of Mia and Jon, whose keys open their seats, and the game master's own key."""

    def __init__(self, server: Sshd) -> None:
        self.server = server
        self.saves = server.folder / "saves"
        self.saves.mkdir()
        self.program = Program(self.saves, "mill")
        assert self.program.call("new", "--system", "chaos").code == 0
        assert self.program.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin").code == 0
        self.mia, self.jon = self.invited("Mia"), self.invited("Jon")
        self.gm = self.server.open_door("gm")

    def invited(self, name: str) -> Path:
        """A key of a player's that opens their seat."""
        key = self.server.key(name)
        ended = self.program.call("invite", name, "--public-key", f"{key}.pub")
        self.server.authorize(ended.out)
        return key

    @property
    def noted(self) -> str:
        """The GM's list of what was refused."""
        path = self.saves / "mill.table" / "refused.log"
        return path.read_text() if path.exists() else ""


@pytest.fixture(scope="module")
def fight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fight]:
    server = Sshd(tmp_path_factory.mktemp("key"))
    try:
        yield Fight(server)
    finally:
        server.close()


def test_each_key_opens_its_own_seat(fight: Fight) -> None:
    for name, key, who in (("Mia", fight.mia, "Ana"), ("Jon", fight.jon, "Bo")):
        terminal = fight.server.login(key)
        try:
            shown = terminal.wait(f"as {name}", f"write the order of {who}", "not running")
            assert "●" in shown  # the language of the player's own terminal came along
            terminal.type("q")
            assert terminal.end() == 0
        finally:
            stop(terminal)


@pytest.mark.parametrize(
    "command",
    [
        "sh -i",
        "exec bash",
        "echo owned",
        "tocsin seat mill Jon",
        "seat ../../etc/passwd",
        "plain; echo owned",
        "plain --saves /",
        "scp -t /tmp",
        "printf '\x1b]0;evil\x07owned\x1b[2J'",
        "\u202eplain",
    ],
)
def test_no_other_command_is_run_and_the_game_master_can_read_of_it(fight: Fight, command: str) -> None:
    before = fight.noted
    ended = fight.server.run(fight.mia, command)
    assert ended.returncode == 1
    assert "owned" not in ended.stdout + ended.stderr
    assert "this key opens the seat of Mia, and nothing else" in ended.stderr
    added = fight.noted.removeprefix(before)
    assert added.endswith(MORE)
    assert added.count("\n") == 1
    assert added[:-1].isprintable()


def test_a_command_is_run_for_a_key_without_that_line(fight: Fight) -> None:
    assert fight.server.run(fight.gm, "echo owned").stdout == "owned\n"


def test_with_a_terminal_there_is_no_shell_behind_the_seat_either(fight: Fight) -> None:
    terminal = fight.server.login(fight.mia, "sh", "-i")
    try:
        assert terminal.end() == 1
        assert "nothing else" in terminal.text
    finally:
        stop(terminal)
    terminal = fight.server.login(fight.mia)
    try:
        terminal.wait("as Mia")
        # ctrl+z, ctrl+\, ctrl+c: none of them leads to a shell; the last one ends the seat.
        assert terminal.press("\x1a", "as Mia")
        terminal.type("\x1c\x03")
        terminal.end()
        assert "$" not in terminal.text
    finally:
        stop(terminal)


def test_no_file_goes_either_way(fight: Fight, tmp_path: Path) -> None:
    save, stolen = fight.saves / "mill.toml", tmp_path / "stolen"
    for key, done in ((fight.gm, True), (fight.mia, False)):
        batch = tmp_path / "batch"
        batch.write_text(f"get {save} {stolen}\n")
        words = [
            program("sftp"),
            "-q",
            "-b",
            str(batch),
            "-P",
            str(fight.server.port),
            *fight.server.options(key),
        ]
        ended = subprocess.run(
            [*words, f"{fight.server.me}@127.0.0.1"], capture_output=True, check=False, timeout=PATIENCE
        )
        assert (ended.returncode == 0, stolen.exists()) == (done, done)
        stolen.unlink(missing_ok=True)
    assert fight.noted.endswith(MORE)


def test_no_port_is_forwarded(fight: Fight) -> None:
    here = f"127.0.0.1:{fight.server.port}"
    for key, done in ((fight.gm, True), (fight.mia, False)):
        out = fight.server.run(key, options=("-W", here))
        assert (out.stdout.startswith("SSH-2.0"), "prohibited" in out.stderr) == (done, not done)
        back = fight.server.run(
            key, "true", options=("-o", "ExitOnForwardFailure=yes", "-R", "127.0.0.1:0:127.0.0.1:1")
        )
        assert back.returncode == (0 if done else 255)


def test_no_agent_no_display_and_nothing_of_the_players_environment_comes_along(
    fight: Fight, tmp_path: Path
) -> None:
    agent = str(tmp_path / "agent")
    words = [program("ssh-agent"), "-D", "-a", agent]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: os.path.exists(agent), PATIENCE)
        options = ("-A", "-Y", "-o", "SetEnv=TOCSIN_SYSTEMS=/tmp LD_PRELOAD=/tmp/x.so")
        granted = fight.server.run(fight.gm, "env", options=options, SSH_AUTH_SOCK=agent, DISPLAY=":9")
        assert "SSH_AUTH_SOCK=" in granted.stdout
        terminal = fight.server.login(fight.mia, options=options, SSH_AUTH_SOCK=agent, DISPLAY=":9")
        try:
            terminal.wait("as Mia")
            seen = environment(_seat(fight, "Mia"))
            assert seen["SSH_CONNECTION"]
            assert not {"SSH_AUTH_SOCK", "DISPLAY", "TOCSIN_SYSTEMS", "LD_PRELOAD"}.intersection(seen)
        finally:
            stop(terminal)
    finally:
        process.kill()
        process.wait()


def environment(pid: int) -> dict[str, str]:
    """What a process was given to begin with."""
    told = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(line.split("=", 1) for line in told if "=" in line)


def _seat(fight: Fight, name: str) -> int:
    """The process of a seat."""
    (found,) = processes("seat", str(fight.saves / "mill.toml"), name)
    return found


def test_how_the_seat_is_shown_may_be_asked_for(fight: Fight) -> None:
    before = fight.noted
    ended = fight.server.run(fight.mia, "plain")
    assert ended.returncode == 0
    assert "You write for Ana" in ended.stdout
    assert fight.noted == before


def test_the_game_master_at_the_screen_hears_of_it(fight: Fight) -> None:
    writer = tocsin(fight.saves, "mill", size=(120, 30))
    try:
        writer.wait("saved")
        fight.server.run(fight.mia, "sh -i")
        writer.wait("Mia's seat: its SSH key asked for more")
    finally:
        stop(writer)


def test_a_seat_that_is_closed_opens_no_more_and_whoever_sits_there_sees_no_more(fight: Fight) -> None:
    key = fight.invited("Lu")
    terminal = fight.server.login(key)
    try:
        terminal.wait("as Lu", "Ana")
        assert fight.program.call("invite", "Lu", "--revoke").code == 0
        shown = terminal.wait("this seat was closed")
        assert "Ana" not in shown
    finally:
        stop(terminal)
    ended = fight.server.run(key, "plain")
    assert ended.returncode == 1
    assert "the seat of Lu is closed" in ended.stderr
    assert "Ana" not in ended.stdout


def test_a_key_that_nobody_has_let_in_opens_nothing(fight: Fight) -> None:
    ended = fight.server.run(fight.server.key("stranger"))
    assert (ended.returncode, ended.stdout) == (255, "")
    assert "Permission denied" in ended.stderr

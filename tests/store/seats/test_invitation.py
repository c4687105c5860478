"""An invitation lets one key open one seat and nothing else; a name can lead nowhere."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.terminal import Terminal
from tui.store.players.folder import players_folder
from tui.store.problems import BadSeat
from tui.store.seats.inbox import rejections_path
from tui.store.seats.invitation import KEY_PLACEHOLDER, invite, write_key_options
from tui.store.seats.seat import check_seat, find_seat, key_path, make_seat
from tui.store.shell_words import quote_for_shells

PUBLIC = "ssh-ed25519 " + "A" * 68 + " mia@home"
OPTION = re.compile(r'command="((?:[^"]|(?<=\\)")*)",restrict,pty (.*)')
"""A line of `authorized_keys` as sshd reads it: the quotes end at the first one that is not escaped."""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    found = Program(tmp_path, "mill")
    assert found.call("new", "--system", "chaos").code == 0
    assert found.do("add Ana owner=Mia hp=9", "begin").code == 0
    return found


def unescaped(said: str) -> str:
    return said.replace('\\"', '"')


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=70))
def test_a_name_that_is_taken_is_one_word_of_the_shell_and_leads_nowhere(name: str) -> None:
    with suppress(BadSeat):
        check_seat(name)
        _is_safe(name)


@given(st.lists(st.text("a '\\\";#$`|", min_size=1, max_size=12), min_size=1, max_size=4))
def test_every_login_shell_reads_the_same_words(words: list[str]) -> None:
    """In fish a backslash escapes inside of quotes too: there must be none."""
    line = quote_for_shells(words)
    assert shlex.split(line) == words
    bare = line.replace("\\\\", "")
    assert "\\" not in bare
    assert shlex.split(bare) == [word.replace("\\", "") for word in words if word.strip("\\")]


def _is_safe(name: str) -> None:
    assert name.isprintable()
    found = OPTION.fullmatch(
        f"{write_key_options(quote_for_shells(['tocsin', 'seat', '/saves/mill.toml', name]))} {PUBLIC}"
    )
    assert found
    assert shlex.split(unescaped(found[1])) == ["tocsin", "seat", "/saves/mill.toml", name]
    assert os.path.dirname(key_path(players_folder("/saves/mill.toml"), name)) == "/saves/mill.table/seats"


@pytest.mark.parametrize("name", ["../Mia", "Mia\x1b[2J", "-o", "x" * 65])
def test_a_name_that_would_do_harm_is_refused(program: Program, name: str) -> None:
    ended = program.call("invite", name)
    assert ended.code == 2
    assert ended.out == ""
    assert "\x1b" not in ended.err
    assert not Path(program.folder, "mill.table").exists()


def line_for(program: Program, name: str) -> str:
    """The shell's words that the line for somebody's key runs."""
    public = program.folder / "player.pub"
    public.write_text(PUBLIC + "\n")
    ended = program.call("invite", name, "--public-key", str(public))
    found = OPTION.fullmatch(ended.out.strip())
    assert found
    assert found[2] == PUBLIC
    return f"cd / && {unescaped(found[1])}"


@pytest.mark.long
def test_the_line_opens_that_seat_and_leads_back_to_no_shell(program: Program, tmp_path: Path) -> None:
    call = line_for(program, "Mia")
    key = key_path(players_folder(str(tmp_path / "mill.toml")), "Mia")
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    terminal = Shell(["-c", call], (80, 24), XDG_STATE_HOME=str(tmp_path / "state"))
    try:
        shown = terminal.wait("mill", "as Mia", "not running")
        assert "sh" not in shown.split()
        assert terminal.press("\x1a", "as Mia")  # no shell to come back from
        terminal.type("q")
        assert terminal.end() == 0
    finally:
        terminal.kill()


def called(call: str, folder: Path, asked: str) -> subprocess.CompletedProcess[str]:
    """As sshd does it: the user's shell gets the forced command, what the player asked for is only a
    variable."""
    environ = {**os.environ, "SSH_ORIGINAL_COMMAND": asked, "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(
        ["/bin/sh", "-c", call],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environ,
    )


@pytest.mark.parametrize(
    "asked", ["rm -rf /; sh -i", "tocsin seat mill Jon", "plain ../Jon", "\x1b]0;evil\a"]
)
def test_whatever_else_is_asked_for_is_refused_and_noted_without_a_word_of_it(
    program: Program, tmp_path: Path, asked: str
) -> None:
    ended = called(line_for(program, "Mia"), tmp_path, asked)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "opens the seat of Mia, and nothing else" in ended.stderr
    noted = Path(rejections_path(players_folder(str(tmp_path / "mill.toml")))).read_text()
    assert noted.endswith(" Mia: its SSH key asked for more than the seat; it was refused\n")
    assert noted.count("\n") == 1


def test_how_the_seat_is_shown_may_be_asked_for(program: Program, tmp_path: Path) -> None:
    ended = called(line_for(program, "Mia"), tmp_path, "plain")
    assert ended.returncode == 0
    assert "You write for Ana" in ended.stdout
    assert not os.path.exists(rejections_path(players_folder(str(tmp_path / "mill.toml"))))


def test_a_seat_that_is_closed_opens_to_its_line_no_more(program: Program, tmp_path: Path) -> None:
    call, table = line_for(program, "Mia"), players_folder(str(tmp_path / "mill.toml"))
    seat = make_seat(table, "Mia")
    assert seat.stands
    ended = program.call("invite", "mia", "--revoke")
    assert (ended.code, ended.out) == (0, "")
    assert not seat.stands
    assert find_seat(table, "Mia") is None
    closed = called(call, tmp_path, "plain")
    assert closed.returncode == 1
    assert "this invitation to the seat of Mia is closed" in closed.stderr
    assert "closed, and yet a line of authorized_keys leads to it" in Path(rejections_path(table)).read_text()
    # Nothing was made by the call; and who is invited again has another key.
    assert find_seat(table, "Mia") is None
    assert program.call("invite", "Mia", "--revoke").code == 1
    assert make_seat(table, "Mia").key != seat.key


def test_an_invitation_that_was_revoked_stays_so_when_the_player_is_invited_again(
    program: Program, tmp_path: Path
) -> None:
    first, table = line_for(program, "Mia"), players_folder(str(tmp_path / "mill.toml"))
    assert program.call("invite", "Mia", "--revoke").code == 0
    second = line_for(program, "Mia")
    assert first != second
    assert line_for(program, "Mia") == second, "a second key of hers gets the same line"
    for stale in (first, first.rpartition(" ")[0]):
        ended = called(stale, tmp_path, "plain")
        assert (ended.returncode, ended.stdout) == (1, "")
        assert "this invitation to the seat of Mia is closed" in ended.stderr
    noted = Path(rejections_path(table)).read_text()
    assert "Mia: a revoked invitation was tried" in noted
    assert "Mia: an invitation of an earlier version was tried" in noted
    assert called(second, tmp_path, "plain").returncode == 0


class Shell(Terminal):
    """A shell in a pty."""

    program = ("/bin/sh",)


def test_without_a_public_key_its_place_is_named(program: Program) -> None:
    ended = program.call("invite", "Mia")
    assert ended.out.strip().endswith(f"restrict,pty {KEY_PLACEHOLDER}")
    assert ended.out.count("\n") == 1
    # Invited again: the same key, so that who sits there already is not thrown out.
    table = players_folder(str(program.folder / "mill.toml"))
    before = find_seat(table, "Mia")
    program.call("invite", "mia")
    assert find_seat(table, "Mia") == before


@pytest.mark.parametrize(
    "key", ["no key", PUBLIC + "\nssh-rsa AAAA", 'command="sh" ' + PUBLIC, "ssh-ed25519 AAAA"]
)
def test_what_is_no_public_key_is_not_printed(program: Program, tmp_path: Path, key: str) -> None:
    Path(tmp_path, "mia.pub").write_text(key)
    ended = program.call("invite", "Mia", "--public-key", str(tmp_path / "mia.pub"))
    assert (ended.code, ended.out) == (1, "")


def test_a_private_key_is_taken_for_what_it_is(program: Program, tmp_path: Path) -> None:
    Path(tmp_path, "id").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\nzqprivate\n")
    ended = program.call("invite", "Mia", "--public-key", str(tmp_path / "id"))
    assert (ended.code, ended.out) == (1, "")
    assert "that is a private key" in ended.err
    assert "zqprivate" not in ended.err


def test_a_comment_that_the_line_may_not_hold_is_left_out(program: Program, tmp_path: Path) -> None:
    key = PUBLIC.rpartition(" ")[0]
    Path(tmp_path, "mia.pub").write_text(f"{key} Mia Müller\r\n", encoding="utf-8")
    ended = program.call("invite", "Mia", "--public-key", str(tmp_path / "mia.pub"))
    assert ended.out.strip().endswith(f"restrict,pty {key}")


def test_a_name_that_nobody_bears_yet_is_remarked(program: Program) -> None:
    assert "yet" not in program.call("invite", "mia").err
    ended = program.call("invite", "Mai")
    assert ended.code == 0
    assert "nobody in the fight is Mai's yet: `set WHO owner=Mai` gives Mai a creature" in ended.err


def test_there_is_no_seat_at_a_fight_that_is_not_there(tmp_path: Path) -> None:
    assert Program(tmp_path, "nothing").call("invite", "Mia").code == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_saves_is_its_owners_alone_and_a_wider_one_is_said(
    program: Program, tmp_path: Path
) -> None:
    made = Program(tmp_path / "new", "mill")
    assert made.call("new", "--system", "chaos").code == 0
    assert _mode(str(tmp_path / "new")) == 0o700
    assert "see how large it is" not in made.call("invite", "Mia").err
    os.chmod(tmp_path / "new", 0o711)
    assert "see how large it is and when it was written" in made.call("invite", "Mia").err


def _mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_the_call_starts_from_any_folder(program: Program) -> None:
    found = invite(str(program.folder / "mill.toml"), "Mia")
    ended = subprocess.run(
        ["sh", "-c", f"{found.call} --plain"],
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    assert "not running" in ended.stdout

"""Odd bytes, files and clocks from outside end no call with a failure of the program."""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.kit.program import Front, Program
from tests.kit.terminal import tocsin
from tui import cli
from tui.cli.commands import COMMANDS, COMMON, SCREEN
from tui.store import sources
from tui.store.shelf import list_contents
from tui.systems import Registry


@pytest.mark.parametrize("form", ["json", "md", "html"])
@pytest.mark.parametrize("viewer", ["\udcff", "\x1b]0;x\x07Mia", "Mia"])
def test_a_viewer_of_any_bytes_is_a_viewer(tmp_path: Path, form: str, viewer: str) -> None:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    ended = program.call("export", "--format", form, "--as", viewer)
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out


@pytest.mark.parametrize(
    ("clock", "told"), [(2.6e11, "9999-12-31T23:59:59Z"), (-1.0, "1970-01-01T00:00:00Z")]
)
def test_a_clock_out_of_range_stands_at_its_edge(
    monkeypatch: pytest.MonkeyPatch, clock: float, told: str
) -> None:
    monkeypatch.setattr(time, "time", lambda: clock)
    assert sources.utc_now() == told


class Screens(Front):
    """A shell whose screens end at once."""

    def screen(self, args: object) -> int:
        """End."""
        return 0

    def view(self, args: argparse.Namespace) -> int:
        """End."""
        return 0

    def serve(self, args: object) -> int:
        """End."""
        return 0


ODD = ("\udcff", "mill\udcff", "\udcff.toml", "zero.pc=\udcff", "--\udcff", "\u202e\x1b[2J", "y" * 5_000)
WORDS = {
    "save": "mill",
    "name": "Mia",
    "files": "mia.pub",
    "lines": "note x",
    "words": "mill",
    "shell": "bash",
}


def calls(name: str) -> Iterator[list[str]]:
    """A call of the command with each of its words odd, once each."""
    command = COMMANDS[name]
    places = [WORDS.get(option.name, "x") for option in command.options if option.name[0] != "-"]
    for odd in ODD:
        yield from ([name, *places[:i], odd, *places[i + 1 :]] for i in range(len(places)))
        for option in (*command.options, *COMMON):
            if option.name[0] == "-":
                yield from ([name, *places, option.name, odd], [name, *places, f"{option.name}={odd}"])
        yield [odd, name, *places, "--seed", "1"]


@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_an_odd_word_anywhere_in_a_call_ends_it_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOCSIN_SAVES", str(tmp_path))
    (tmp_path / "mia.pub").write_text("no key")
    Program(tmp_path, "mill").call("new")
    screens = [o.name for o in (*SCREEN, *COMMON) if o.name[0] == "-"]
    asked = calls(name) if name else ([*words, odd] for odd in ODD for words in ([], *([x] for x in screens)))
    for words in asked:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"note \xff\n"), errors="replace"))
        try:
            with redirect_stdout(io.StringIO()):
                code = cli.main(words, Registry(), Screens())
        except SystemExit:
            code = 0
        said = capsys.readouterr().err
        assert code in (0, 1, 2, 3), words
        assert said.count("\n") <= 1 or not code, words
        assert said.isprintable() or said.strip().isprintable() or not code, words


STEERING = "\x1b[31m", "\x1b]0;title\x07", "\u202egpj", "\n2 Orc", "\x9b2J", "\t", "\u2066", "\udcff"
BODIES = {
    "parties": '[[combatant]]\nname = "A{}B"\ncount = "2{}"\n',
    "encounters": 'system = "x{}"\n[[combatant]]\nname = "C{}"\n',
    "creatures": '[[creature]]\nname = "D{}"\nhp = "many{}"\n',
    "conditions": '[[condition]]\nname = "E{}"\nuntil = "{}"\n',
    "trash": "junk{}",
    ".": "junk{}",
}


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    program = Program(tmp_path, "mill")
    assert program.call("new").code == 0
    whole = (tmp_path / "mill.toml").read_bytes()
    for folder, body in BODIES.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        for number, text in enumerate(STEERING):
            escaped = "".join(f"\\u{ord(c):04x}" for c in text if c != "\udcff")
            place = tmp_path / folder
            (place / f"f{number}{text}.toml").write_text(body.replace("{}", escaped))
            (place / f"g{number}{text}.toml").write_bytes(whole)
    return tmp_path


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize("command", ["party", "creatures"])
def test_a_list_steers_no_terminal(sent: Path, command: str, more: list[str]) -> None:
    ended = Program(sent).bare(command, "--saves", str(sent), *more)
    assert ended.code == 0
    for line in (ended.out + ended.err).splitlines():
        assert line.replace("\udcff", "").isprintable(), line


def test_the_start_screen_is_given_nothing_that_steers(sent: Path) -> None:
    found = list_contents(str(sent), Registry())
    fights = [text for one in (*found.fights, *found.trash) for text in (one.name, one.problem)]
    parties = [text for one in found.parties for text in (one.name, one.summary)]
    assert len(found.fights) > len(STEERING)
    assert len(found.parties) > len(STEERING)
    assert [text for text in (*fights, *parties) if not text.isprintable()] == []


@pytest.mark.parametrize("serve", [(), ("--serve", "127.0.0.1:0")])
def test_now_stands_before_each_line_and_words_look(tmp_path: Path, serve: tuple[str, ...]) -> None:
    program = Program(tmp_path)
    program.call("new")
    t = tocsin(tmp_path, "do", "fight", "add Ana +3 18", "-", *serve, "--seed", "4", size=(120, 60))
    t.wait("Ana joins", "Now: Ready")
    for line, answer in (
        ("# a comment", "Now: Ready"),
        ("why", "no row on the track"),
        ("add Bo +1 22", "Bo joins"),
        ("damage Zed 3", 'no combatant is called "Zed"'),
        ("begin", "Round 1 begins"),
        ("roll", "Now: Ana"),
        ("track", "1 may act  Ana"),
        ("Roster", "22/22"),
        ("why  an", "Ana: d20 ("),
    ):
        t.screen.reset()
        t.press(f"{line}\r", answer, "Now: ")
    t.type("\x04")
    assert t.end() == 0
    assert program.state()[0]["step"] == 4


def test_a_pipe_has_no_such_words(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.call("new")
    asked = [sys.executable, "-m", "tui", "do", "fight", "-", "--saves", str(tmp_path)]
    ended = subprocess.run(asked, input="note a\ntrack\n", capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "a\n")
    assert "line 2: unknown word track" in ended.stderr

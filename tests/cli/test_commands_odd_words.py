"""Odd bytes, files and clocks from outside end no call with a failure of the program."""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.kit.program import Front, Program
from tui import cli
from tui.cli.commands import COMMANDS, COMMON, SCREEN
from tui.store import sources
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

"""Lines typed at a terminal: Now before each, words that look, refusals that end nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import tocsin


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

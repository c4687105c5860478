"""`tocsin view`: the game master's panes over what one viewer may know, also while another process writes."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import tocsin
from tui.core.base.errors import RuleError
from tui.systems import Registry
from tui.ui.launch.start import run_view

SECRETS = ("Orc", "Lurk", "plan b", "23")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    found = Program(tmp_path, "mill")
    found.call("new")
    found.do("add Ana owner=Mia hp=18", 'add Orc hp=23 hidden=yes note="plan b"', "alias Orc Brute")
    found.do("reveal Orc", "add Lurk hp=9 hidden=yes", "begin", "roll", "next")
    return found


@pytest.mark.long
@pytest.mark.parametrize(("words", "who"), [((), "as everybody"), (("--as", "Mia"), "as Mia")])
def test_a_view_follows_another_process_and_shows_no_secret(
    program: Program, words: tuple[str, ...], who: str
) -> None:
    writer = tocsin(program.folder, "mill")
    writer.wait("Lurk")
    view = tocsin(program.folder, "view", "mill", *words)
    view.wait(who, "Ana", "Brute")
    writer.press(":damage Ana 4\r", "14/18")
    view.wait("Ana takes 4 damage")
    for key in ("n", ":", "d", "'", "w", "?", "u", "a", "o"):
        view.press(key, "only shows what")
        shown = "\n".join(view.screen.display)
        assert not [x for x in SECRETS if x in shown]
    writer.type("q")
    assert writer.end() == 0
    view.wait("not running")
    view.type("q")
    assert view.end() == 0
    assert not (program.folder / "mill.table").exists()


def test_without_a_terminal_a_view_names_what_prints_it(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    args = argparse.Namespace(save="mill", saves=str(program.folder), viewer="Mia")
    with pytest.raises(RuleError) as refused:
        run_view(args, Registry())
    assert refused.value.hint == "`tocsin show mill --as Mia` prints it"

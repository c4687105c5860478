"""The way in is told from the words alone, and it is the way that is then gone."""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.program import Front as NoScreen
from tui import cli
from tui.cli.commands import COMMANDS as HOW
from tui.systems import Registry
from tui.way import COMMANDS, COMMON, IMAGED, SCREENS, command_first, way

WORDS = st.sampled_from([
    "mill", "a b", *COMMON, "--saves=x", "--theme=dark", "--seed=3", "3", "--plain", "--tutor", "--tutor=chaos", "--sample",
    "--sample=chaos", "classic", "--ascii", "--a11y", "--bell", "--stock-output", "--version", "--help", "-h", "--", "",
    *sorted(COMMANDS),
])  # fmt: skip


class Screen(NoScreen):
    """Notes which screen was asked for."""

    asked: object = None

    def screen(self, args: object) -> int:
        """Here it is."""
        self.asked = args
        return 0


def test_it_knows_every_command() -> None:
    assert set(HOW) == COMMANDS
    assert IMAGED - SCREENS <= COMMANDS


@given(st.lists(WORDS, max_size=5))
def test_whoever_gets_a_screen_was_expected_to(words: list[str]) -> None:
    if command_first(words)[:1] and command_first(words)[0] in COMMANDS:
        assert way(words) == command_first(words)[0]
        return
    front = Screen()
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        try:
            cli.main(words, Registry(), front)
        except SystemExit:
            assert way(words) not in COMMANDS
    if front.asked is not None and not vars(front.asked)["plain"]:
        assert way(words) in SCREENS


WAYS: Iterable[tuple[str, str]] = [
    ("", "home"), ("--ascii", "home"), ("--saves x", "home"), ("--saves=x --bell", "home"), ("mill", "open"),
    ("--saves x mill", "open"), ("mill --seed 3", "open"), ("--tutor", "lesson"), ("--tutor chaos", "lesson"),
    ("--sample=chaos", "sample"), ("mill --plain", ""), ("--help", ""), ("--version", ""), ("show mill", "show"),
    ("--saves x log mill", "log"), ("new mill --plain", "new"), ("--saves", "home"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), WAYS)
def test_ways(words: str, expected: str) -> None:
    assert way(words.split()) == expected

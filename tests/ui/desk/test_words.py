"""Every word of the screen is there, also one whose module is loaded when it is first said."""

from __future__ import annotations

import pytest

from tests.ui.keyboard import Player
from tui.ui.desk.board import WORDS


@pytest.mark.parametrize("word", [w for w in WORDS if w not in ("quit", "q", "suspend")])
def test_a_word_can_be_said(word: str) -> None:
    p = Player()
    p.desk.run("add 2 Orc hp=9")
    p.press(":", f"'{word}'", "enter")
    p.picture()

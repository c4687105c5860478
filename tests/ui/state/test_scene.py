"""What several panes ask of a scene."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tui.ui.state.scene import page, people


@given(st.integers(0, 500), st.integers(1, 40), st.integers(1, 501))
def test_the_page_holds_the_line_and_leaves_no_room_unused(at: int, height: int, total: int) -> None:
    at = min(at, total - 1)
    first = page(at, height, total)
    assert first <= at < first + height
    assert 0 <= first <= max(0, total - height)


def test_the_filter_takes_the_beginnings_of_words() -> None:
    p = Player(lines=["add Corvo", "add 2 Orc", "add Half-orc", 'add "Old Ork"'])
    p.desk.show(filter="or")
    assert [c.name for c in people(p.desk.scene)] == ["Orc 1", "Orc 2", "Half-orc", "Old Ork"]

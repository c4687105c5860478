"""What several panes ask of a scene."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tests.kit.keyboard import Player
from tui.ui.state.scene import people, window


@pytest.mark.parametrize("room", range(1, 14))
def test_a_page_has_the_current_row_and_the_acting_one_at_its_place(room: int) -> None:
    keys = [str(n) for n in range(20)]
    for at, pinned in product(keys, (*keys, "none")):
        shown = window(keys, at, pinned, room)
        assert shown == sorted(shown)
        assert room - (pinned != "none") <= len(shown) <= room
        assert {at, pinned if room > 1 else at} - {"none"} <= {keys[n] for n in shown}
        assert sum(b - a > 1 for a, b in pairwise(shown)) <= (pinned != "none")


def test_the_filter_takes_the_beginnings_of_words() -> None:
    p = Player(lines=["add Corvo", "add 2 Orc", "add Half-orc", 'add "Old Ork"'])
    p.desk.show(filter="or")
    assert [c.name for c in people(p.desk.scene)] == ["Orc 1", "Orc 2", "Half-orc", "Old Ork"]

"""Every size there is: nothing overlaps, nothing is wider than its place, and somebody always knows whose turn it is."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.keyboard import FIGHT, Player
from tui.ui.state.layout import PANES, Box, Part, arrange

SIZES = [
    (80, 24),
    (120, 40),
    (200, 60),
    (60, 18),
    (59, 24),
    (80, 17),
    (50, 20),
    (40, 10),
    (20, 5),
    (10, 3),
    (1, 1),
]


def apart(one: Box, two: Box) -> bool:
    return (
        one.x + one.width <= two.x
        or two.x + two.width <= one.x
        or one.y + one.height <= two.y
        or two.y + two.height <= one.y
    )


@given(st.integers(1, 300), st.integers(1, 120), st.sampled_from([None, *PANES, "over"]), st.integers(0, 60))
def test_parts_never_overlap_and_never_leave_the_screen(
    width: int, height: int, only: Part | None, need: int
) -> None:
    boxes = arrange(width, height, only, need)
    assert "now" in boxes
    for one in boxes.values():
        assert 0 <= one.x <= one.x + one.width <= width
        assert 0 <= one.y <= one.y + one.height <= height
        assert one.width > 0
        assert one.height > 0
    assert all(apart(a, b) for a, b in itertools.combinations(boxes.values(), 2))


@given(st.integers(1, 300), st.integers(1, 120))
def test_all_panes_are_there_from_60_by_18_on(width: int, height: int) -> None:
    panes = set(PANES) & set(arrange(width, height))
    assert panes == set(PANES) if width >= 60 and height >= 18 else len(panes) <= 1


@given(st.integers(60, 300), st.integers(18, 120), st.integers(0, 60))
def test_no_column_or_line_is_left_over(width: int, height: int, need: int) -> None:
    assert sum(b.width * b.height for b in arrange(width, height, None, need).values()) == width * height


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("mode", ["", "d", ":", "?", "v", "w", "ctrl+p", "z"])
def test_every_size_draws_every_mode(size: tuple[int, int], mode: str) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    p.press(*([mode] if mode else []), "j", "enter")
    drawn = p.picture()
    assert drawn["now"]


@pytest.mark.parametrize(
    "size", [s for s in SIZES if s[0] >= 20 and s[1] >= 5], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_whose_turn_it_is_can_always_be_read(size: tuple[int, int]) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    name = p.store.encounter.combatants[p.store.encounter.acting].name
    assert f"{name} acts" in "".join(p.picture()["now"])


def test_wider_shows_more_of_each_row() -> None:
    p = Player(lines=[*FIGHT, "set Ana ac=15 note=limping", "condition Ana prone"])
    assert "limping" not in "".join(p.picture()["roster"])
    p.size = (120, 40)
    shown = "".join(p.picture()["roster"])
    assert "AC 15" in shown
    assert "limping" in shown
    assert "d20 (" in "".join(p.picture()["track"])
    p.size = (100, 30)
    assert "d20 (" in "".join(p.picture()["track"])


def test_a_small_screen_shows_the_pane_that_has_the_keys() -> None:
    p = Player(lines=FIGHT)
    p.size = (50, 20)
    assert "Track" in p.text()
    assert "Roster" not in p.text()
    p.press("tab")
    assert "Roster" in p.text()
    assert "Track" not in p.text()


def test_zoom_and_back() -> None:
    p = Player(lines=FIGHT).press("z")
    assert set(p.picture()) == {"header", "track", "now", "hints"}
    p.press("z")
    assert set(PANES) <= set(p.picture())


def test_a_list_longer_than_its_pane_keeps_the_selected_row_in_sight() -> None:
    p = Player(lines=["add 60 Orc hp=5", "begin", "roll"])
    for key in ("j", "j", "pagedown", "pagedown", "G", "k", "pageup", "g"):
        p.press(key)
        track = p.picture()["track"]
        assert sum(line.startswith(">") for line in track) == 1, key
        assert " of 60" in track[0]

"""Every size: nothing overlaps, nothing is wider than its place, and whose turn it is stays in sight."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.ui.keyboard import FIGHT, Player
from tui.ui.state.layout import LOG, PANES, Needs, Part, arrange, upper_of
from tui.ui.text.rows import Box

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


NEEDS = st.builds(
    Needs,
    track=st.integers(1, 60),
    coming=st.integers(0, 30),
    card=st.integers(0, 12),
    second=st.integers(0, 12),
    orders=st.integers(0, 60),
    roster=st.integers(0, 60),
    least=st.integers(0, 60),
    first=st.sampled_from(PANES),
    left=st.sampled_from(["track", "roster"]),
).map(lambda n: replace(n, roster=0) if n.left == "roster" else n)


@given(st.integers(1, 300), st.integers(1, 120), st.sampled_from([None, *PANES, "over"]), NEEDS)
def test_parts_never_overlap_and_never_leave_the_screen(
    width: int, height: int, only: Part | None, needs: Needs
) -> None:
    boxes = arrange(width, height, only, needs)
    assert "now" in boxes
    for one in boxes.values():
        assert 0 <= one.x <= one.x + one.width <= width
        assert 0 <= one.y <= one.y + one.height <= height
        assert one.width > 0
        assert one.height > 0
    assert all(apart(a, b) for a, b in itertools.combinations(boxes.values(), 2))


@given(st.integers(20, 300), st.integers(5, 120), NEEDS)
def test_track_log_and_the_pane_with_the_keys_never_give_way(width: int, height: int, needs: Needs) -> None:
    boxes = arrange(width, height, None, needs)
    assert needs.left in boxes or width < 60 or height < 18
    if width >= 60 and height >= 18:
        assert boxes["log"].height >= LOG
        wanted = {"orders": needs.orders, "roster": needs.roster}.get(needs.first, 0)
        assert needs.first in boxes or not wanted


@given(st.integers(80, 300), st.integers(18, 120), NEEDS)
def test_what_has_nothing_to_say_has_no_line(width: int, height: int, needs: Needs) -> None:
    boxes = arrange(width, height, None, needs)
    for part, lines in (("card", needs.card), ("second", needs.second), ("coming", needs.coming)):
        assert lines or part not in boxes
    assert needs.orders or "orders" not in boxes


@given(st.integers(80, 300), st.integers(18, 120), NEEDS)
def test_no_column_or_line_is_left_over_beside_the_track(width: int, height: int, needs: Needs) -> None:
    boxes = arrange(width, height, None, needs)
    right = [b for part, b in boxes.items() if b.x and part != "log"]
    covered = sum(b.width * b.height for b in boxes.values())
    blank = (width - boxes[needs.left].width) * (boxes["log"].y - 1) if not right else 0
    assert covered + blank == width * height


@given(st.integers(80, 300), st.integers(18, 120), NEEDS, st.integers(0, 60))
def test_the_upper_part_never_shrinks_below_what_it_was(
    width: int, height: int, needs: Needs, before: int
) -> None:
    most = upper_of(arrange(width, height, None, replace(needs, least=1000)))
    assert upper_of(arrange(width, height, None, replace(needs, least=before))) >= min(before, most)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("mode", ["", "d", ":", "?", "v", "w", "ctrl+p", "z"])
def test_every_size_draws_every_mode(size: tuple[int, int], mode: str) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    p.press(*([mode] if mode else []), "j", "enter")
    drawn = p.picture()
    assert drawn["now"]


def test_wider_shows_more_of_each_row() -> None:
    p = Player(lines=[*FIGHT, "set Ana ac=15 note=limping", "condition Ana prone"])
    rows = {}
    for size in ((80, 24), (120, 40), (200, 50)):
        p.size = size
        rows[size[0]] = next(row for row in p.picture()["track"] if " Ana " in row)
    assert "18/18" in rows[80]
    assert "prone" in rows[80]
    assert "━━━━━  15" in rows[120]
    assert "━━━━━" not in rows[80]
    assert "d20 (" in rows[200]


def test_a_small_screen_shows_the_pane_that_has_the_keys() -> None:
    p = Player(lines=FIGHT)
    p.size = (50, 20)
    assert set(p.picture()) == {"header", "track", "card", "log", "now", "hints"}
    p.press("tab")
    assert set(p.picture()) == {"header", "roster", "now", "hints"}


def test_zoom_and_back() -> None:
    p = Player(lines=FIGHT).press("z")
    assert set(p.picture()) == {"header", "track", "now", "hints"}
    p.press("z")
    assert {"track", "card", "roster", "log"} <= set(p.picture())


def test_a_list_longer_than_its_pane_keeps_the_selected_row_in_sight() -> None:
    p = Player(lines=["add 60 Orc hp=5", "begin", "roll"])
    for key in ("j", "j", "pagedown", "pagedown", "G", "k", "pageup", "g"):
        p.press(key)
        track = p.picture()["track"]
        assert sum(line.startswith(">") for line in track) == 1, key
        assert " of 60" in track[0]


@pytest.mark.parametrize("system", ["dynamic", "chaos", "dungeon-track"])
def test_on_a_narrow_screen_the_order_of_turns_goes_before_a_long_card(system: str) -> None:
    lines = (
        ("add Ana owner=Mia hp=9 per=3", "add Bo owner=Jon hp=9") if system == "dungeon-track" else FIGHT[:2]
    )
    p = Player(
        system, (*lines, *(f"add {name} hp=9" for name in ("Orc", "Rat", "Owl", "Imp", "Elf")), "begin")
    )
    p.size = (60, 18)
    drawn = p.picture()
    assert len(drawn["card"]) == 1
    assert len(drawn["track"]) >= 6


def test_the_sign_that_a_card_goes_on_hides_none_of_its_rows() -> None:
    lines = ("add Ana hp=18 owner=Mia note=limping", "add Orc hp=7", "begin", "roll Ana,Orc 20 2", "next")
    p = Player(lines=(*lines, "condition Ana prone", "condition Ana deafened"))
    p.size = (60, 18)
    title, first, second = p.picture()["card"]
    assert "Ana acts" in title
    assert "18/18" in first
    assert "prone" in second
    assert "more: [>]" in second

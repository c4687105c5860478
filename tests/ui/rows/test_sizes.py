"""Every size: nothing overlaps, nothing is wider than its place, and whose turn it is stays in sight."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.keyboard import Player
from tui.ui.state.layout import (
    LEAST_LIST_LINES,
    LEAST_LOG_LINES,
    Claim,
    Heights,
    Part,
    Place,
    Remembered,
    arrange,
    upper_of,
)
from tui.ui.text.rows import Box


def apart(one: Box, two: Box) -> bool:
    return (
        one.x + one.width <= two.x
        or two.x + two.width <= one.x
        or one.y + one.height <= two.y
        or two.y + two.height <= one.y
    )


FRAME = (Claim("header", "top", 1), Claim("now", "bottom", 2, 2), Claim("hints", "bottom", 1, rank=1))
LINES, LEAST = st.integers(0, 60), st.integers(1, 8)


def asked(part: Part, place: Place, rank: int = 0) -> st.SearchStrategy[Claim]:
    return st.builds(lambda wants, least: Claim(part, place, wants, least, rank), LINES, LEAST)


COLUMNS = (
    asked("track", "left").map(lambda x: replace(x, wants=max(1, x.wants), least=LEAST_LIST_LINES)),
    asked("coming", "left", 1),
    asked("card", "right"),
    asked("orders", "right", 1),
    asked("roster", "right", 3),
    asked("second", "right", 2),
    st.just(Claim("log", "log", 1000, LEAST_LOG_LINES, 4)),
)
BESIDE = st.tuples(*COLUMNS).map(lambda some: [*FRAME, *some])
ACROSS = st.tuples(asked("summary", "across", 1), asked("form", "across")).map(list)
COVER = st.just([Claim("over", "over", 13, 13)])
CLAIMS = st.builds(lambda some, more: [*some, *more], BESIDE, st.one_of(st.just([]), ACROSS, COVER))
ONE = (Claim("track", "left", 1), Claim("track", "across", 1))
ALONE = st.sampled_from(ONE).map(lambda one: [*FRAME, one])
SIZE = st.tuples(st.integers(1, 300), st.integers(1, 120))
BOTH = st.tuples(st.integers(80, 300), st.integers(18, 120))
KEPT = st.builds(Heights, LINES, st.integers(0, 12))


@given(SIZE, st.one_of(CLAIMS, ALONE), st.builds(Remembered, KEPT, KEPT))
def test_parts_never_overlap_and_never_leave_the_screen(
    size: tuple[int, int], claims: list[Claim], kept: Remembered
) -> None:
    width, height = size
    boxes = arrange(claims, width, height, kept)
    assert "now" in boxes
    for one in boxes.values():
        assert 0 <= one.x <= one.x + one.width <= width
        assert 0 <= one.y <= one.y + one.height <= height
        assert one.width > 0
        assert one.height > 0
    assert all(apart(a, b) for a, b in itertools.combinations(boxes.values(), 2))


@given(st.tuples(st.integers(60, 300), st.integers(18, 120)), BESIDE, st.sampled_from(["orders", "roster"]))
def test_track_log_and_the_pane_with_the_keys_never_give_way(
    size: tuple[int, int], claims: list[Claim], first: Part
) -> None:
    claims = [replace(x, rank=-1, least=LEAST_LIST_LINES) if x.part == first else x for x in claims]
    boxes = arrange(claims, *size)
    assert "track" in boxes
    assert boxes["log"].height >= LEAST_LOG_LINES
    assert first in boxes or not next(x.wants for x in claims if x.part == first)


@given(SIZE, CLAIMS)
def test_what_has_nothing_to_say_has_no_line(size: tuple[int, int], claims: list[Claim]) -> None:
    boxes = arrange(claims, *size)
    assert all(x.wants or x.part not in boxes for x in claims)


@given(BOTH, BESIDE)
def test_nobody_has_more_than_the_least_while_one_before_it_wants_more(
    size: tuple[int, int], claims: list[Claim]
) -> None:
    boxes = arrange(claims, *size)
    right = [x for x in claims if x.place == "right" and x.part in boxes]
    for one, other in itertools.permutations(right, 2):
        # What nobody wants is left to the lowest.
        if one.rank < other.rank and boxes[one.part].height < one.wants and other is not right[-1]:
            assert boxes[other.part].height <= min(other.wants, other.least)


@given(BOTH, BESIDE)
def test_no_column_or_line_is_left_over_beside_the_track(size: tuple[int, int], claims: list[Claim]) -> None:
    boxes = arrange(claims, *size)
    right = [b for part, b in boxes.items() if b.x and part != "log"]
    covered = sum(b.width * b.height for b in boxes.values())
    blank = (size[0] - boxes["track"].width) * (boxes["log"].y - 1) if not right else 0
    assert covered + blank == size[0] * size[1]


@given(BOTH, BESIDE, st.integers(0, 60))
def test_the_upper_part_never_shrinks_below_what_it_was(
    size: tuple[int, int], claims: list[Claim], before: int
) -> None:
    most, now = (upper_of(arrange(claims, *size, Remembered(Heights(x)))) for x in (1000, before))
    assert now >= min(before, most)


@given(BOTH, BESIDE, BESIDE, KEPT.filter(lambda x: x.upper > 0))
def test_while_the_cursor_moves_the_upper_part_has_the_same_height(
    size: tuple[int, int], one: list[Claim], other: list[Claim], kept: Heights
) -> None:
    first, second = (upper_of(arrange(x, *size, Remembered(step=kept))) for x in (one, other))
    assert first == second


def test_a_list_longer_than_its_pane_keeps_the_selected_row_in_sight() -> None:
    p = Player(lines=["add 60 Orc hp=5", "begin", "roll"])
    for key in ("j", "j", "pagedown", "pagedown", "G", "k", "pageup", "g"):
        p.press(key)
        track = p.picture()["track"]
        assert sum(line.startswith(">") for line in track) == 1, key
        assert " of 60" in track[0]

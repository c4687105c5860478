"""Faces as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.ui.text.press import number, read_faces


@pytest.mark.parametrize(
    ("text", "dice", "faces"),
    [
        ("53", (6, 6), (5, 3)),
        ("5 3", (6, 6), (5, 3)),
        ("5,3", (6, 6), (5, 3)),
        ("17", (20,), (17,)),
        ("1712", (20, 20), (17, 12)),
        ("99", (6, 6), (99,)),
        ("111", (20, 20), (111,)),
        ("", (6,), ()),
        ("1004", (100, 4), (100, 4)),
        ("531", (6, 6, 6), (5, 3, 1)),
    ],
)
def test_faces_as_people_type_them(text: str, dice: tuple[int, ...], faces: tuple[int, ...]) -> None:
    assert read_faces(text, dice) == faces


@given(st.lists(st.tuples(st.integers(2, 100), st.integers(1, 100)), min_size=1, max_size=6))
def test_faces_with_spaces_are_read_as_they_stand(rolled: list[tuple[int, int]]) -> None:
    faces = tuple(face for _, face in rolled)
    assert read_faces(" ".join(map(str, faces)), [sides for sides, _ in rolled]) == faces


OTHERS = "²³¹①٣３½Ⅷ"


@given(st.integers(0, 10**9 - 1))
def test_a_number_is_read(value: int) -> None:
    assert number(str(value)) == value


@given(st.text(alphabet=OTHERS + "12 -+_.", min_size=1).filter(lambda t: not set(t) <= {"1", "2"}))
def test_anything_but_digits_is_none(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(("text", "read"), [("", None), ("0", 0), ("007", 7), ("9" * 5_000, 999_999_999)])
def test_the_bounds(text: str, read: int | None) -> None:
    assert number(text) == read


def test_a_number_is_at_most_what_is_asked_for() -> None:
    assert number("12", most=9) == 9

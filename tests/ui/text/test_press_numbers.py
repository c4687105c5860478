"""Numbers that people type: ASCII digits only, and bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.ui.text.press import number

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

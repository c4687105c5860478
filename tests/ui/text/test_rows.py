"""Rows: pieces in columns, cut, filled and wrapped."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.text.rows import cells, clip, join_ends, paragraphs, words, wrap_text


@given(st.text(max_size=200), st.integers(1, 40))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int) -> None:
    rows = wrap_text(text, width)
    assert all(cells(row) <= width for row in rows)
    if width > 1:
        assert "".join("".join(rows).split()) == "".join(text.split())


def test_what_is_wider_than_its_whole_row_has_a_sign() -> None:
    assert wrap_text("a龍e\u0301", 1) == ["a", "?", "e\u0301"]


@given(st.text(max_size=400), st.integers(1, 30), st.integers(1, 5))
def test_a_few_wrapped_lines_are_the_first_of_all(text: str, width: int, most: int) -> None:
    assert wrap_text(text, width, most)[:most] == wrap_text(text, width)[:most]


@given(st.lists(st.tuples(st.text(max_size=10), st.just("text")), max_size=6), st.integers(0, 30))
def test_clipped_lines_fit(pieces: list[tuple[str, str]], width: int) -> None:
    assert cells(words(clip(pieces, width, "…"))) <= width  # type: ignore[arg-type]


def test_what_stands_right_stays_and_what_stands_left_gives_way() -> None:
    line = join_ends((("a very long beginning", "text"),), (("saved", "muted"),), 15, "…")
    assert words(line) == "a very l… saved"


def test_what_stands_in_columns_goes_on_below_its_own_column() -> None:
    line = "  Enter        :go          opens the fight, or does what the line says"
    assert paragraphs([line], 60) == [
        "  Enter        :go          opens the fight, or does what",
        "                            the line says",
    ]
    assert paragraphs(["one two three", ""], 8) == ["one two", "three", ""]

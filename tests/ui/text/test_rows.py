"""Rows: pieces in columns, cut, filled and wrapped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from tests.kit.strategies import any_text
from tui.core.base.text import clean, clusters
from tui.ui.text.rows import cells, clip, fit, join_ends, pad, paragraphs, words, wrap_text


@given(any_text(max_size=200), st.integers(1, 40))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int) -> None:
    rows = wrap_text(text, width)
    assert all(cells(row) <= width for row in rows)
    if width > 1:
        assert "".join("".join(rows).split()) == "".join(text.split())


def test_what_is_wider_than_its_whole_row_has_a_sign() -> None:
    assert wrap_text("a龍e\u0301", 1) == ["a", "?", "e\u0301"]


@given(any_text(max_size=400), st.integers(1, 30), st.integers(1, 5))
def test_a_few_wrapped_lines_are_the_first_of_all(text: str, width: int, most: int) -> None:
    assert wrap_text(text, width, most)[:most] == wrap_text(text, width)[:most]


@given(st.lists(st.tuples(any_text(max_size=10), st.just("text")), max_size=6), st.integers(0, 30))
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


PIECES = [
    "a", "W", " ", "é", "q\u0301\u0323", "中", "한", "👩", "👩\u200d❤\ufe0f\u200d💋\u200d👨", "👍🏽", "🇩🇪",
    "☠", "☠\ufe0f", "ก\u0e33", "क्षि", "\ufffd",
]  # fmt: skip
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(st.characters(), max_size=60)
).map(clean)
widths = st.integers(-2, 40)
ellipses = st.sampled_from(["…", "...", "~", ""])


@given(texts)
def test_columns_are_what_rich_lays_out_by(text: str) -> None:
    assert cells(text) == cell_len(text) == Text(text).cell_len
    assert cells(text) == sum(cells(cluster) for cluster in clusters(text))


@given(texts)
def test_no_clean_cluster_is_without_a_column(text: str) -> None:
    assert all(cells(cluster) >= 1 for cluster in clusters(text))


@given(texts, widths, ellipses)
def test_a_fitted_text_has_room_and_is_whole_or_marked(text: str, width: int, ellipsis: str) -> None:
    short = fit(text, width, ellipsis)
    assert cells(short) <= max(0, width)
    if cells(text) <= width:
        assert short == text
    elif width >= cells(ellipsis):
        assert short.endswith(ellipsis)
        kept = clusters(short.removesuffix(ellipsis))
        assert kept == clusters(text)[: len(kept)]


@given(texts, widths)
def test_no_room_is_wasted_but_for_half_a_wide_character(text: str, width: int) -> None:
    short = fit(text, width).removesuffix("…")
    if width >= 1 and cells(text) > width:
        lost = clusters(text)[len(clusters(short)) :]
        spaces = next((count for count, piece in enumerate(lost) if piece != " "), len(lost))
        assert cells(short) + spaces + cells("".join(lost[spaces : spaces + 1])) > width - 1


@given(texts, widths)
def test_a_padded_text_is_as_wide_as_its_column(text: str, width: int) -> None:
    assert cells(pad(text, width)) == max(0, width)


@given(texts, widths)
def test_padding_goes_to_the_other_side(text: str, width: int) -> None:
    assert pad(text, width).startswith(fit(text, width))


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("Borgron", 7, "Borgron"),
        ("Borgron", 6, "Borgr…"),
        ("Bo rgron", 4, "Bo…"),
        ("中村太郎", 6, "中村…"),
        ("中村太郎", 7, "中村太…"),
        ("👩\u200d❤\ufe0f\u200d💋\u200d👨👩", 3, "👩\u200d❤\ufe0f\u200d💋\u200d👨…"),
        ("Ana", 1, "…"),
        ("Ana", 0, ""),
    ],
)
def test_examples(text: str, width: int, short: str) -> None:
    assert fit(text, width) == short

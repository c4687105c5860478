from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from tui.core.base.text import clean, clusters
from tui.ui.text.rows import cells, fit, pad

PIECES = [
    "a",
    "W",
    " ",
    "é",
    "q\u0301\u0323",
    "中",
    "한",
    "👩",
    "👩\u200d❤\ufe0f\u200d💋\u200d👨",
    "👍🏽",
    "🇩🇪",
    "☠",
    "☠\ufe0f",
    "ก\u0e33",
    "क्षि",
    "\ufffd",
]
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

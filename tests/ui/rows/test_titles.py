"""Titles of panes: they end before the pane beside them, and what they name is whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.ui.text.glyphs import ASCII, UNICODE, Glyphs
from tui.ui.text.rows import Piece, cells, title_row, words

KEY: Piece = ("[>]", "key")


@cases(100)
@given(
    st.text("abc ", max_size=30),
    st.text("0123456789 of", min_size=1, max_size=20),
    st.booleans(),
    st.integers(20, 80),
    st.sampled_from([UNICODE, ASCII]),
)
def test_a_title_leaves_a_blank_and_names_a_key_whole_or_not_at_all(
    name: str, more: str, keyed: bool, width: int, glyphs: Glyphs
) -> None:
    text = words(title_row(glyphs, (name, "title"), width, ((more, "muted"), *([KEY] if keyed else []))))
    assert cells(text) < width
    assert text.count("[") == text.count("[>]") <= keyed


def test_what_is_left_out_goes_before_the_key_that_shows_it() -> None:
    title = title_row(UNICODE, ("Read before play goes on", "title"), 32, (("1-6 of 23", "muted"), KEY))
    assert words(title) == "── Read before pl… ── 1-6 of 23"

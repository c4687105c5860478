"""What several panes ask of a scene."""

from __future__ import annotations

from typing import get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from tui.ui.state.scene import page
from tui.ui.state.view import View, ViewChanges


def test_a_view_names_the_fields_that_keys_change() -> None:
    assert get_type_hints(ViewChanges) == get_type_hints(View)


@given(st.integers(0, 500), st.integers(1, 40), st.integers(1, 501))
def test_the_page_holds_the_line_and_leaves_no_room_unused(at: int, height: int, total: int) -> None:
    at = min(at, total - 1)
    first = page(at, height, total)
    assert first <= at < first + height
    assert 0 <= first <= max(0, total - height)

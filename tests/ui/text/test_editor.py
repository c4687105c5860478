"""The line editor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import any_text
from tui.ui.text.editor import Editor

EDITS = [
    "left", "right", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+e", "ctrl+d",
]  # fmt: skip


@given(any_text(max_size=20), st.lists(st.sampled_from(EDITS) | st.characters(), max_size=30))
def test_the_cursor_stays_within_the_text(start: str, keys: list[str]) -> None:
    editor = Editor.from_text(start)
    for key in keys:
        editor = (editor.press(key) if key in EDITS else editor.insert(key)) or editor
        assert 0 <= editor.at <= len(editor.text)


@given(any_text(max_size=20), any_text(min_size=1, max_size=5))
def test_what_was_typed_is_what_stands_there(start: str, more: str) -> None:
    typed = Editor.from_text(start).insert(more)
    assert typed.text == start + more
    assert Editor(start, 0).insert(more).text == more + start


def test_words_are_erased_one_by_one() -> None:
    editor = Editor.from_text('damage "Orc 1" 12').press("ctrl+w")
    assert editor == Editor.from_text('damage "Orc 1" ')
    assert Editor.from_text("one two ").press("ctrl+w") == Editor.from_text("one ")

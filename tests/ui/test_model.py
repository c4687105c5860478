"""The small pure parts: the line editor, lines in columns, faces, pages, the chronicle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.keyboard import FIGHT, Player
from tui.ui.state.columns import cells
from tui.ui.state.editor import Editor
from tui.ui.state.faces import read_faces
from tui.ui.state.lines import Row, apart, clip, words, wrapped
from tui.ui.state.messages import Chronicle
from tui.ui.state.scene import page

EDITS = [
    "left",
    "right",
    "home",
    "end",
    "backspace",
    "delete",
    "ctrl+w",
    "ctrl+u",
    "ctrl+k",
    "ctrl+e",
    "ctrl+d",
]


@given(st.text(max_size=20), st.lists(st.sampled_from(EDITS) | st.characters(), max_size=30))
def test_the_cursor_stays_within_the_text(start: str, keys: list[str]) -> None:
    editor = Editor.of(start)
    for key in keys:
        editor = (editor.press(key) if key in EDITS else editor.insert(key)) or editor
        assert 0 <= editor.at <= len(editor.text)


@given(st.text(max_size=20), st.text(min_size=1, max_size=5))
def test_what_was_typed_is_what_stands_there(start: str, more: str) -> None:
    typed = Editor.of(start).insert(more)
    assert typed.text == start + more
    assert Editor(start, 0).insert(more).text == more + start


def test_words_are_erased_one_by_one() -> None:
    editor = Editor.of('damage "Orc 1" 12').press("ctrl+w")
    assert editor == Editor.of('damage "Orc 1" ')
    assert Editor.of("one two ").press("ctrl+w") == Editor.of("one ")


@given(st.text(max_size=200), st.integers(1, 40))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int) -> None:
    rows = wrapped(text, width)
    if width > 1:
        assert all(cells(row) <= width for row in rows)
        assert "".join("".join(rows).split()) == "".join(text.split())


@given(st.text(max_size=400), st.integers(1, 30), st.integers(1, 5))
def test_a_few_wrapped_lines_are_the_first_of_all(text: str, width: int, most: int) -> None:
    assert wrapped(text, width, most)[:most] == wrapped(text, width)[:most]


@given(st.lists(st.tuples(st.text(max_size=10), st.just("text")), max_size=6), st.integers(0, 30))
def test_clipped_lines_fit(pieces: list[tuple[str, str]], width: int) -> None:
    assert cells(words(clip(pieces, width, "…"))) <= width  # type: ignore[arg-type]


def test_what_stands_right_stays_and_what_stands_left_gives_way() -> None:
    line = apart((("a very long beginning", "text"),), (("saved", "muted"),), 15, "…")
    assert words(line) == "a very l… saved"


@pytest.mark.parametrize(
    ("text", "dice", "faces"),
    [
        ("53", (6, 6), (5, 3)), ("5 3", (6, 6), (5, 3)), ("5,3", (6, 6), (5, 3)), ("17", (20,), (17,)),
        ("1712", (20, 20), (17, 12)), ("99", (6, 6), (99,)), ("111", (20, 20), (111,)), ("", (6,), ()),
        ("1004", (100, 4), (100, 4)), ("531", (6, 6, 6), (5, 3, 1)),
    ],
)  # fmt: skip
def test_faces_as_people_type_them(text: str, dice: tuple[int, ...], faces: tuple[int, ...]) -> None:
    assert read_faces(text, dice) == faces


@given(st.lists(st.tuples(st.integers(2, 100), st.integers(1, 100)), min_size=1, max_size=6))
def test_faces_with_spaces_are_read_as_they_stand(rolled: list[tuple[int, int]]) -> None:
    faces = tuple(face for _, face in rolled)
    assert read_faces(" ".join(map(str, faces)), [sides for sides, _ in rolled]) == faces


@given(st.integers(0, 500), st.integers(1, 40), st.integers(1, 501))
def test_the_page_holds_the_line_and_leaves_no_room_unused(at: int, height: int, total: int) -> None:
    at = min(at, total - 1)
    first = page(at, height, total)
    assert first <= at < first + height
    assert 0 <= first <= max(0, total - height)


def test_the_chronicle_reads_only_what_is_looked_at() -> None:
    p = Player(lines=[*FIGHT, *["next"] * 200])
    read: list[int] = []

    class Watched:
        step, steps = property(lambda _: p.store.step), property(lambda _: p.store.steps)

        def done(self, step: int) -> object:
            read.append(step)
            return p.store.done(step)

        def at(self, step: int) -> object:
            return p.store.at(step)

        def told(self, step: int, viewer: object, before: object = None) -> object:
            del viewer, before
            return p.store.told(step)

    past = Chronicle(Watched())  # type: ignore[arg-type]
    assert past.told(206).texts == tuple(x.text for x in p.store.told(206))
    assert len(read) <= 16
    assert past.told(1).texts == ("Ana joins the heroes",)


def test_a_roll_of_hundreds_is_told_as_far_as_it_is_seen() -> None:
    p = Player(lines=["add 300 Orc", "begin", "roll"])
    past = p.desk.past
    told = past.told(p.store.step)
    assert told.more
    assert len(told.texts) < 150
    assert "…" in p.text()
    assert not past.told(1).more
    assert len(list(p.store.told(p.store.step))) >= 300


def test_the_chronicle_forgets_what_was_written_over() -> None:
    p = Player(lines=FIGHT)
    assert "next" in p.text()
    p.press("u", "N", "'hello'", "enter")
    assert "note hello: hello" in p.text()
    assert "6 next" not in p.text()


def test_what_is_left_out_just_behind_a_whole_piece_is_told_too() -> None:
    line: Row = (("one", "text"), (" ", "text"), ("two", "text"), (" ", "text"), ("three", "text"))
    assert words(clip(line, 7, "…")) == "one tw…"
    assert words(clip(line[:4], 7, "…")) == "one two"
    assert words(clip(line, 13, "…")) == "one two three"

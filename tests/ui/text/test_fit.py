"""Texts are wrapped into their rows and columns, with no key torn from its word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.ui.text.fit import break_rows, fit, keep_answer, plain
from tui.ui.text.rows import Row, cells, words

WORD = st.text("abcdefg龍", min_size=1, max_size=9)
TEXT = st.lists(WORD, min_size=1, max_size=9).map(" ".join)


def key_in(key: str, word: str, text: str) -> Row:
    """A key with its word, and more text behind it."""
    return (f"[{key}]", "key"), (f" {word}", "text"), (f" {text}", "text")


KEYED = st.builds(key_in, st.sampled_from("nrx"), WORD, TEXT)
ROW = st.one_of(TEXT.map(plain), KEYED)


@cases(200)
@given(st.lists(ROW, max_size=6), st.integers(1, 90), st.integers(0, 4))
def test_it_never_takes_more_room_than_there_is(texts: list[Row], width: int, rows: int) -> None:
    shown = fit(texts, width, rows, "…")
    assert len(shown) <= rows
    assert all(cells(words(row)) <= width for row in shown)


@cases(100)
@given(KEYED, TEXT, st.integers(24, 90))
def test_no_row_ends_with_a_key_whose_word_is_on_the_next(key: Row, text: str, width: int) -> None:
    rows = break_rows((*plain(f"{text} "), *key), width)
    assert all(row[-1][1] != "key" for row in rows)
    said = " ".join(" ".join(words(row).split()) for row in rows)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == " ".join(f"{text} {words(key)}".split())


@cases(100)
@given(TEXT, st.integers(30, 90), st.integers(1, 2))
def test_a_long_request_is_cut_and_never_its_answer(text: str, width: int, rows: int) -> None:
    answer: Row = (("[n]", "key"), (" next", "text"))
    shown = fit([*keep_answer(plain(f"{text} {text} {text}"), answer, width, rows, "…")], width, rows, "…")
    assert words(shown[-1]).endswith("[n] next")


def test_the_last_row_is_cut_at_a_word_and_a_question_has_no_joint() -> None:
    some = [plain("Whom?"), plain("or not"), plain("because of a long rule")]
    assert [words(row) for row in fit(some, 20, 2, "…")] == ["Whom? or not;", "  because of a long…"]

"""A text is placed by priority: within its rows and columns, with no key torn from its word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.ui.text.fit import BREAK, Segment, Way, break_rows, fit, plain
from tui.ui.text.rows import Row, cells, words

WORD = st.text("abcdefg龍", min_size=1, max_size=9)
TEXT = st.lists(WORD, min_size=1, max_size=9).map(" ".join)


def key_in(key: str, word: str, text: str) -> Row:
    """A key with its word, and more text behind it."""
    return (f"[{key}]", "key"), (f" {word}", "text"), (f" {text}", "text")


KEYED = st.builds(key_in, st.sampled_from("nrx"), WORD, TEXT)
ROW = st.one_of(TEXT.map(plain), KEYED)
SEGMENT = st.builds(
    lambda rows, head, rank, keeps: Segment((*map(Way, rows), Way()), head=head, rank=rank, keeps=keeps),
    st.lists(ROW, min_size=1, max_size=3),
    st.just(False),
    st.integers(0, 3),
    st.booleans(),
)
HEADS = st.lists(ROW, min_size=0, max_size=2).map(lambda rows: [Segment((Way(x),), head=True) for x in rows])


@cases(200)
@given(HEADS, st.lists(SEGMENT, max_size=4), st.integers(1, 90), st.integers(0, 4))
def test_it_never_takes_more_room_than_there_is(
    heads: list[Segment], rest: list[Segment], width: int, rows: int
) -> None:
    shown = fit([*heads, *rest], width, rows, "…", column=width // 2)
    assert len(shown) <= rows
    assert all(cells(words(row)) <= width for row in shown)


@cases(100)
@given(KEYED, TEXT, st.integers(24, 90))
def test_no_row_ends_with_a_key_whose_word_is_on_the_next(key: Row, text: str, width: int) -> None:
    rows = break_rows((*plain(f"{text} "), *key), width)
    assert all(row[-1][1] != "key" for row in rows)
    said = " ".join(" ".join(words(row).split()) for row in rows)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == " ".join(f"{text} {words(key)}".split())


def segment(*ways: str, rank: int = 0, joint: str = "; ") -> Segment:
    return Segment(tuple(Way(plain(x)) for x in ways), joint, rank=rank)


def test_the_least_important_gives_way_first_and_returns_where_it_has_room() -> None:
    some = [segment("who acts", ""), segment("because of a long rule", "a rule", "", rank=2)]
    assert [words(row) for row in fit(some, 40, 1, "…")] == ["who acts; because of a long rule"]
    assert [words(row) for row in fit(some, 20, 1, "…")] == ["who acts; a rule"]
    assert [words(row) for row in fit(some, 12, 1, "…")] == ["who acts; …"]


def test_a_break_begins_a_row_and_a_question_has_no_joint() -> None:
    some = [segment("Whom?"), segment("or not"), segment("[Esc] back", joint=BREAK)]
    assert [words(row) for row in fit(some, 40, 2, "…")] == ["Whom? or not", "  [Esc] back"]


def test_the_key_keeps_its_column() -> None:
    heads = [Segment((Way(plain(x)),), head=True) for x in ("Ana acts", "[n] next")]
    assert words(fit(heads, 40, 2, "…", column=20)[0]).index("[n]") == 20

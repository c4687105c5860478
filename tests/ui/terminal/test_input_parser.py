"""Laws of input: only keys become keys, in any order of arrival, in bounded memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.ui.terminal.input_parser import (
    FINGERS,
    KEPT,
    PASTE_BEGIN,
    PASTE_END,
    SEQUENCES,
    InputParser,
    Key,
    Token,
)
from tui.ui.terminal.reports import Answered, Named, Pasted, Synchronizes

FAR = 0.3
ANSWERS = ("\x1b[0n", "\x1b[?2026;2$y", "\x1bP>|XTerm(388)\x1b\\")
SEQUENCES_OF_KEYS = (
    "\x1b[A",
    "\x1bOP",
    "\x1b[1;5H",
    "\x1b[3~",
    "\x1b[[A",
    "\x1b[7$",
    "\x1bn",
    "\x7f",
    "\r",
    "\t",
    "\x03",
)

plain = st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]))
nasty = st.lists(
    st.sampled_from(["\x1b", "\x1b[", "\x1bO", "\x1b[1;", "\x1bP>|", "\x1b]0;", "\x07", "\x1b\\", "q", "é", "\x9b", "\r", "~",
                     PASTE_BEGIN, PASTE_END, *ANSWERS, *SEQUENCES_OF_KEYS])
).map("".join)  # fmt: skip


law = settings(deadline=None)


def sifted(*chunks: str, gap: float = 0.0) -> list[Token]:
    """Everything that comes out, after all that may be waited for."""
    parser, tokens, now = InputParser(FAR), [], 10.0
    for chunk in chunks:
        tokens += parser.feed(chunk, now)
        now += gap
    return tokens + parser.tick(now + 60)


def cut(data: st.DataObject, text: str) -> list[str]:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@law
@given(st.data(), st.lists(st.sampled_from([*"abé漢", *SEQUENCES_OF_KEYS, *ANSWERS]), max_size=FINGERS // 2))
def test_keys_and_answers_come_out_as_they_went_in_however_they_are_cut(
    data: st.DataObject, keys: list[str]
) -> None:
    tokens = sifted(*cut(data, "".join(keys)))
    assert [token.sequence for token in tokens if isinstance(token, Key)] == [
        k for k in keys if k not in ANSWERS
    ]
    wanted = [k for k in keys if k in ANSWERS]
    said = {Answered(): ANSWERS[0], Synchronizes(): ANSWERS[1], Named("XTerm(388)"): ANSWERS[2]}
    assert [said[token] for token in tokens if not isinstance(token, Key | Pasted)] == wanted


@law
@given(st.data(), nasty.filter(lambda text: PASTE_END not in text))
def test_nothing_in_brackets_becomes_a_key(data: st.DataObject, text: str) -> None:
    tokens = sifted(*cut(data, PASTE_BEGIN + text + PASTE_END))
    assert not [token for token in tokens if isinstance(token, Key)]
    assert [token.finished for token in tokens if isinstance(token, Pasted)] == [True]


@law
@given(st.data(), nasty | plain, st.sampled_from([0.0, 0.01, 0.06, 0.4, 2.0]))
def test_whatever_comes_no_broken_sequence_becomes_keys(data: st.DataObject, text: str, gap: float) -> None:
    for token in sifted(*cut(data, text), gap=gap):
        if isinstance(token, Key):
            assert len(token.sequence) == 1 or token.sequence[0] == "\x1b"
            assert token.sequence not in {*ANSWERS, PASTE_BEGIN, PASTE_END}
        if isinstance(token, Pasted):
            assert not any(ord(c) < 32 and c not in "\n\t" for c in token.text)


@law
@given(nasty | plain)
def test_waiting_ends(text: str) -> None:
    parser = InputParser(FAR)
    parser.feed(text, 5.0)
    for _ in range(4):
        if (deadline := parser.deadline()) is None:
            return
        parser.tick(deadline)
    assert parser.deadline() is None


@law
@given(st.integers(0, 200_000), st.integers(100, 5000), st.booleans())
def test_a_paste_is_kept_to_a_bound_and_the_rest_is_counted(length: int, chunk: int, brackets: bool) -> None:
    text = "x" * length
    if brackets:
        tokens = sifted(PASTE_BEGIN, *[text[i : i + chunk] for i in range(0, length, chunk)], PASTE_END)
        assert tokens == [Pasted("x" * min(length, KEPT), max(0, length - KEPT))]
    elif length > FINGERS:
        assert sifted(text) == [Pasted("x" * min(length, KEPT), max(0, length - KEPT), burst=True)]


@law
@given(
    st.text("abc", min_size=FINGERS + 6),
    st.lists(st.sampled_from(["\x1b[A", "\x1b", "\r", "\x03"]), max_size=5),
)
def test_a_burst_is_a_paste_with_all_that_is_in_it(text: str, between: list[str]) -> None:
    half = len(text) // 2
    tokens = sifted(text[:half] + "".join(between) + text[half:])
    assert [type(token) for token in tokens] == [Pasted]


def test_a_burst_goes_on_until_a_lull() -> None:
    parser = InputParser(FAR)
    assert parser.feed("y" * 40, 1.0) == []
    assert parser.feed("q\r", 1.15) == []
    assert parser.feed("\ra", 1.16) == []
    assert parser.tick(1.4) == [Pasted("y" * 40 + "q\n\na", burst=True)]
    assert parser.feed("q", 1.5) == [Key("q")]


@pytest.mark.parametrize("pause", [0.06, 0.1, 0.15, 0.19])
def test_enter_after_a_burst_is_a_key(pause: float) -> None:
    """Typed ahead of a slow line, the Enter of a line was swallowed as a part of the paste."""
    parser = InputParser(FAR)
    assert parser.feed(":note hello this is a long note here", 1.0) == []
    assert parser.feed("\r", 1.0 + pause) == [
        Pasted(":note hello this is a long note here", burst=True),
        Key("\r"),
    ]


def test_a_line_that_comes_with_its_enter_in_one_burst_says_so() -> None:
    assert sifted("note hello this is a long note here\r") == [
        Pasted("note hello this is a long note here", burst=True, entered=True)
    ]
    assert sifted("note one of two lines of text\rnote two\r") == [
        Pasted("note one of two lines of text\nnote two\n", burst=True)
    ]
    assert sifted(f"{PASTE_BEGIN}note hello this is a long note here\r{PASTE_END}") == [
        Pasted("note hello this is a long note here\n")
    ]


def test_a_held_key_stays_a_key() -> None:
    parser = InputParser(FAR)
    tokens = [token for i in range(300) for token in parser.feed("n", 1 + i / 30)]
    assert tokens == [Key("n")] * 300


def test_a_few_letters_at_once_are_believed_after_a_blink() -> None:
    parser = InputParser(FAR)
    assert parser.feed("gobl", 1.0) == []
    assert parser.feed("\x1b[A", 1.04) == []
    assert parser.deadline() == 1.05
    assert parser.tick(1.05) == [*map(Key, "gobl"), Key("\x1b[A")]


def test_a_flood_of_arrows_is_cut() -> None:
    assert len(sifted("\x1b[B" * 10_000)) == SEQUENCES


def test_an_arrow_whose_bytes_come_apart_stays_an_arrow() -> None:
    parser = InputParser(FAR)
    assert parser.feed("\x1b", 1.0) + parser.feed("[", 1.2) + parser.feed("A", 1.9) == [Key("\x1b[A")]


def test_escape_is_believed_after_its_delay() -> None:
    parser = InputParser(FAR)
    assert parser.feed("\x1b", 1.0) == []
    assert parser.deadline() == 1.3
    assert parser.tick(1.3) == [Key("\x1b")]


def test_a_sequence_that_never_ends_is_thrown_away() -> None:
    assert sifted("\x1b[12;3") == []
    assert sifted("\x1bP>|" + "x" * 5000) == []


def test_an_unfinished_paste_frees_the_keyboard() -> None:
    parser = InputParser(FAR)
    assert parser.feed(PASTE_BEGIN + "abc\x1b[2", 1.0) == []
    assert parser.feed("n", 2.1) == [Pasted("abc", finished=False), Key("n")]


def test_an_end_within_a_paste_does_not_end_it() -> None:
    assert sifted(f"{PASTE_BEGIN}a{PASTE_END}q\r{PASTE_END}n") == [Pasted("aq\n"), Key("n")]


def test_an_answer_that_falls_into_a_paste_is_heard() -> None:
    assert sifted(PASTE_BEGIN, "a\x1b[0nb", PASTE_END) == [Answered(), Pasted("ab")]

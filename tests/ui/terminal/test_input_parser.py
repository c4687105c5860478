"""Laws of input: bytes are keys however they are cut, only keys become keys, in bounded memory."""

from __future__ import annotations

import os
import re
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import Keys

from tui.ui.settings.config import KEY_NAMES
from tui.ui.terminal.input_parser import (
    KEY_SECONDS,
    MOST_PASTED,
    MOST_SEQUENCE,
    PASTE_BEGIN,
    PASTE_END,
    Answered,
    InputParser,
    Key,
    Named,
    Pasted,
    Synchronizes,
    Token,
    keys,
)

FAR = 0.3
ANSWERS = ("\x1b[0n", "\x1b[?2026;2$y", "\x1bP>|XTerm(388)\x1b\\", "\x1bP>|tmux 3.4\x07")
SAID = (Answered(), Synchronizes(), Named("XTerm(388)"), Named("tmux 3.4"))
SEQUENCES_OF_KEYS = (
    "\x1b[A", "\x1bOP", "\x1bOA", "\x1b[1;5H", "\x1b[3~", "\x1b[[A", "\x1b[7$", "\x7f", "\r", "\t", "\x03",
)  # fmt: skip
STRINGS = (
    "\x1b]0;x",
    "\x1b]11;rgb:1/2/3",
    "\x1bP1$r0m",
    "\x1bP>|XT",
    "\x1bP!|7E",
    "\x1b_Gi=1;OK",
    "\x1b]52;c;" + "A" * 600,
)
"""Answers whose end is missing."""

BEGIN = "[OP]_"
"""What begins a sequence behind an escape: only a pause says that it is a key of its own."""

plain = st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]))
nasty = st.lists(
    st.sampled_from(
        [
            "\x1b",
            "\x1b[",
            "\x1bO",
            "\x1b[1;",
            "\x1bP",
            "\x1b]",
            "\x1b]1",
            "\x1b_",
            "\x1bP1",
            "\x07",
            "\x1b\\",
            "\x9c",
            "q",
            "é",
            "\x9b",
            "\r",
            "~",
            "[",
            "O",
            "0",
            ";",
            "$",
            " ",
            "\x1b[" + "9;" * 300,
            "\x1b[" + " " * 600,
            "A" * 600,
            "7" * 600,
            "\x1b]1234567;x",
            PASTE_BEGIN,
            PASTE_END,
            "\x1b[20",
            *STRINGS,
            *ANSWERS,
            *SEQUENCES_OF_KEYS,
        ]
    )
).map("".join)
scripts = st.lists(st.sampled_from([*"abéOP[]_\\12;n漢 ", "\x1b", *SEQUENCES_OF_KEYS, *ANSWERS]), max_size=60)


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


@given(st.data(), nasty | plain | scripts.map("".join))
def test_wherever_bytes_are_cut_the_tokens_are_the_same(data: st.DataObject, text: str) -> None:
    assert sifted(*cut(data, text)) == sifted(text)


@given(st.data(), nasty | plain)
def test_a_pause_within_patience_changes_nothing(data: st.DataObject, text: str) -> None:
    parts = cut(data, text)
    # Strings are given up after a second, however they trickle in.
    gap = min(0.9 * FAR, 0.9 * KEY_SECONDS / max(1, len(parts)))
    assert sifted(*parts, gap=gap) == sifted(text)


@given(st.data(), scripts)
def test_keys_and_answers_come_out_as_they_went_in_however_they_are_cut(
    data: st.DataObject, keys: list[str]
) -> None:
    clear: list[str] = []
    for key in keys:
        # Escape before what begins a sequence is told from it by a pause alone.
        if not (clear and clear[-1] == "\x1b" and key[0] in BEGIN):
            clear.append(key)
    wanted = [SAID[ANSWERS.index(key)] if key in ANSWERS else Key(key) for key in clear]
    assert sifted(*cut(data, "".join(clear))) == wanted


@given(st.lists(st.sampled_from([*"abO[P]_é", "\x1b", *SEQUENCES_OF_KEYS]), max_size=20))
def test_with_a_pause_behind_each_every_key_is_itself(keys: list[str]) -> None:
    assert sifted(*keys, gap=FAR) == [Key(key) for key in keys]


@pytest.mark.parametrize("letter", [*"abfnP]_\\ é", "\r", "\x7f", "\t"])
def test_escape_typed_ahead_of_a_key_is_a_key(letter: str) -> None:
    """Taken for alt, it was lost, and the letter went into the prompt that it should have closed."""
    assert sifted(f"\x1b{letter}x") == [Key("\x1b"), Key(letter), Key("x")]
    assert sifted(f"\x1b\x1b{letter}x") == [Key("\x1b"), Key("\x1b"), Key(letter), Key("x")]


def test_escape_and_an_arrow_are_two_keys() -> None:
    assert sifted("\x1b\x1b[A") == [Key("\x1b"), Key("\x1b[A")]


@pytest.mark.parametrize("letter", [*BEGIN])
def test_what_may_be_two_keys_is_two_once_nothing_follows(letter: str) -> None:
    assert sifted(f"\x1b{letter}") == [Key("\x1b"), Key(letter)]
    assert sifted(f"\x1b{letter}\r") == [Key("\x1b"), Key(letter), Key("\r")]


@given(st.data(), nasty.filter(lambda text: PASTE_END not in text))
def test_nothing_in_brackets_becomes_a_key(data: st.DataObject, text: str) -> None:
    tokens = sifted(*cut(data, PASTE_BEGIN + text + PASTE_END))
    assert not [token for token in tokens if isinstance(token, Key)]
    assert len([token for token in tokens if isinstance(token, Pasted)]) == 1


@given(st.data(), plain)
def test_nothing_without_brackets_becomes_a_paste(data: st.DataObject, text: str) -> None:
    assert sifted(*cut(data, text)) == [Key(letter) for letter in text if not "\x80" <= letter <= "\x9f"]


@given(st.data(), nasty | plain, st.sampled_from([0.0, 0.01, 0.06, 0.4, 2.0]))
def test_whatever_comes_no_broken_sequence_becomes_keys(data: st.DataObject, text: str, gap: float) -> None:
    for token in sifted(*cut(data, text), gap=gap):
        if isinstance(token, Key):
            assert len(token.sequence) == 1 or token.sequence[0] == "\x1b"
            assert token.sequence not in {*ANSWERS, PASTE_BEGIN, PASTE_END}
        if isinstance(token, Pasted):
            assert not any(ord(c) < 32 and c not in "\n\t" for c in token.text)


@given(st.data(), nasty | plain)
def test_waiting_ends_and_the_next_key_is_itself(data: st.DataObject, text: str) -> None:
    parser = InputParser(FAR)
    for part in cut(data, text):
        parser.feed(part, 5.0)
    for _ in range(4):
        if (deadline := parser.deadline()) is not None:
            assert deadline <= 5.0 + 2 * KEY_SECONDS
            parser.tick(deadline)
    assert parser.deadline() is None
    assert parser.feed("n", 20.0) == [Key("n")]


@given(st.integers(0, 200_000), st.integers(100, 5000))
def test_a_paste_is_kept_to_a_bound_and_the_rest_is_counted(length: int, chunk: int) -> None:
    text = "x" * length
    tokens = sifted(PASTE_BEGIN, *[text[i : i + chunk] for i in range(0, length, chunk)], PASTE_END)
    assert tokens == [Pasted("x" * min(length, MOST_PASTED), max(0, length - MOST_PASTED))]


def test_no_key_waits_for_another() -> None:
    parser = InputParser(FAR)
    assert parser.feed("gobl\x1b[A" * 50, 1.0) == [*map(Key, "gobl"), Key("\x1b[A")] * 50
    assert parser.deadline() is None


@pytest.mark.parametrize("string", STRINGS)
def test_a_string_that_never_ends_is_given_up_and_what_follows_are_keys(string: str) -> None:
    """It ate all that was typed slowly behind it."""
    parser = InputParser(FAR)
    assert parser.feed(string, 1.0) == []
    assert parser.deadline() == 1.0 + FAR
    assert parser.feed("n", 1.0 + FAR) == [Key("n")]
    assert parser.feed("d", 1.4) == [Key("d")]


@pytest.mark.parametrize("string", STRINGS)
def test_a_string_that_never_ends_eats_at_most_a_second_of_quick_typing(string: str) -> None:
    parser = InputParser(FAR)
    parser.feed(string, 1.0)
    tokens = [token for i in range(30) for token in parser.feed("n", 1.0 + (i + 1) * FAR / 2)]
    assert len(tokens) >= 30 - KEY_SECONDS / (FAR / 2)


@pytest.mark.parametrize("string", STRINGS)
@pytest.mark.parametrize("key", ["\r", "\t", "\x03", "\x1b[A"])
def test_a_control_key_breaks_a_string_off_at_once(string: str, key: str) -> None:
    assert sifted(f"{string}{key}n") == [Key(key), Key("n")]


def test_an_escape_behind_a_string_that_never_ends_is_a_key() -> None:
    assert sifted("\x1b]0;x\x1b") == [Key("\x1b")]


def test_an_arrow_whose_bytes_come_apart_stays_an_arrow() -> None:
    parser = InputParser(FAR)
    assert parser.feed("\x1b", 1.0) + parser.feed("[", 1.2) + parser.feed("A", 1.9) == [Key("\x1b[A")]


def test_escape_is_believed_after_its_delay() -> None:
    parser = InputParser(FAR)
    assert parser.feed("\x1b", 1.0) == []
    assert parser.deadline() == 1.3
    assert parser.tick(1.3) == [Key("\x1b")]


def test_a_key_that_never_ends_is_thrown_away() -> None:
    assert sifted("\x1b[12;3") == []
    assert sifted("\x1b[" + "9;" * MOST_SEQUENCE + "A") == []


def test_an_unfinished_paste_frees_the_keyboard() -> None:
    parser = InputParser(FAR)
    assert parser.feed(PASTE_BEGIN + "abc\x1b[2", 1.0) == []
    assert parser.feed("n", 2.1) == [Pasted("abc"), Key("n")]


def test_the_end_of_a_paste_ends_it_and_keys_may_follow_at_once() -> None:
    assert sifted(f"{PASTE_BEGIN}a{PASTE_END}\r{PASTE_END}n") == [Pasted("a"), Key("\r"), Key("n")]


def test_each_end_of_a_line_in_a_paste_is_one_and_what_could_steer_is_shown() -> None:
    assert sifted(PASTE_BEGIN, "a\rb\r\nc\n\td\x07\x9b", PASTE_END) == [Pasted("a\nb\nc\n\td\ufffd\ufffd")]


def test_an_answer_that_falls_into_a_paste_is_heard() -> None:
    assert sifted(PASTE_BEGIN, "a\x1b[0nb", PASTE_END) == [Answered(), Pasted("ab")]


WAYS = ("", "shift+", "ctrl+", "ctrl+shift+")
KNOWN = {way + name for way in WAYS for name in KEY_NAMES if "+" not in name} | {"shift+tab"}


def of_textual(sequence: str) -> list[str]:
    found = ANSI_SEQUENCES_KEYS[sequence]
    return [key.value for key in found if isinstance(key, Keys)] if isinstance(found, tuple) else []


ALONE = re.compile(r"\x1b[^\[O]\Z")
"""Alt and a key: escape and that key, whatever Textual takes them for."""

SEQUENCES = [
    s
    for s in ANSI_SEQUENCES_KEYS
    if s.isascii() and (names := of_textual(s)) and {*names} <= KNOWN and not ALONE.match(s)
]


@pytest.mark.parametrize("sequence", SEQUENCES, ids=repr)
def test_a_sequence_is_the_key_that_textual_takes_it_for(sequence: str) -> None:
    ours = [name for name, _ in keys(sequence)]
    assert ours in (of_textual(sequence), [])


def test_most_of_them_are_known() -> None:
    unknown = [s for s in SEQUENCES if not keys(s)]
    assert len(SEQUENCES) > 90
    # Textual's own table takes some of these for other keys than they are.
    assert all(s.endswith((";7~", ";8~")) for s in unknown)


@pytest.mark.parametrize("code", range(32))
def test_control_characters_are_ctrl_and_a_letter_or_have_a_name(code: int) -> None:
    assert [name for name, _ in keys(chr(code))] == of_textual(chr(code))


@given(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"]))
def test_a_character_types_itself(character: str) -> None:
    assert keys(character) == [(character, character)]


def test_a_blank_has_a_name() -> None:
    assert keys(" ") == [("space", " ")]


@given(st.text("\x1b[O;0123456789ABCDFHPQRSZ~$^@abcdjkmpq", max_size=8))
def test_no_sequence_is_an_error_and_every_key_has_a_name(sequence: str) -> None:
    for piece in InputParser(0.05).feed(sequence, 0.0):
        if isinstance(piece, Key):
            assert all(name for name, _ in keys(piece.sequence))


def test_a_mouse_is_no_key() -> None:
    assert keys("\x1b[<0;10;10M") == []


def test_textual_reads_nothing_of_the_environment_that_would_change_this() -> None:
    with mock.patch.dict(os.environ, {"TEXTUAL_DISABLE_KITTY_KEY": "1"}):
        assert keys("\x1b[97u") == []

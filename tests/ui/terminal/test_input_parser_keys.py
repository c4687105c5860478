"""Keys are called as Textual calls them, for every sequence that stands for a key which the program knows."""

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
from tui.ui.terminal.input_parser import InputParser, Key, keys

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

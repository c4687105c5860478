"""An answer is what the seat's key has sealed, byte for byte.

Everything else is unfit, and nothing is raised but that.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.base.text import LONGEST_LINE
from tui.core.fight.standpoint import Standpoint
from tui.store.seats.inbox import CAP, SeatAnswer, Unfit, read_answer, write_answer

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
points = st.builds(Standpoint, st.integers(0, 9), texts, texts, st.integers(0, 99), texts)
lines = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=60)
ONE = write_answer(KEY, "mill", "Mia", 7, Standpoint(1, "orders"), 'order Mia action="strike"')


@given(lines, points, st.integers(1, 10**15))
def test_what_was_sealed_is_read(line: str, moment: Standpoint, number: int) -> None:
    found = read_answer(write_answer(KEY, "mill", "Mia", number, moment, line), KEY, "mia")
    assert (found.line, found.moment, found.number) == (line, moment, number)


@given(st.data())
def test_no_changed_byte_is_accepted(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(ONE) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != ONE[at]))
    try:
        found = read_answer(ONE[:at] + bytes([byte]) + ONE[at + 1 :], KEY, "Mia")
    except Unfit:
        return
    # JSON has two ways to write one text: the letter e of an escape, a sign in another case.
    assert found == read_answer(ONE, KEY, "Mia")


@given(st.one_of(st.binary(max_size=400), st.integers(0, len(ONE) - 1).map(lambda n: ONE[:n])))
def test_no_other_bytes_are_accepted(data: bytes) -> None:
    with pytest.raises(Unfit):
        read_answer(data, KEY, "Mia")


def changed(**keys: object) -> bytes:
    return json.dumps({**json.loads(ONE), **keys}).encode()


@pytest.mark.parametrize(
    ("data", "key", "seat", "reason"),
    [
        (ONE, OTHER, "Mia", "not sealed by this seat's key"),
        (ONE, KEY, "Bo", "in another seat's name"),
        (changed(seat="Bo"), KEY, "Bo", "not sealed by this seat's key"),
        (changed(number=8), KEY, "Mia", "not sealed by this seat's key"),
        (changed(line="undo"), KEY, "Mia", "not sealed by this seat's key"),
        (changed(line="x" * (LONGEST_LINE + 1)), KEY, "Mia", "not an answer, or only half of one"),
        (changed(more=1), KEY, "Mia", "not an answer, or only half of one"),
        (changed(number=0), KEY, "Mia", "not an answer, or only half of one"),
        (changed(number=1e9), KEY, "Mia", "not an answer, or only half of one"),
        (changed(format=2), KEY, "Mia", "not an answer, or only half of one"),
        (changed(line="\ud800"), KEY, "Mia", "not an answer, or only half of one"),
        (b"[" * CAP, KEY, "Mia", "not an answer, or only half of one"),
        (b'{"moment":' * 6_000, KEY, "Mia", "not an answer, or only half of one"),
        (b" " * (CAP + 1), KEY, "Mia", "too large"),
    ],
)  # fmt: skip
def test_it_is_said_why(data: bytes, key: bytes, seat: str, reason: str) -> None:
    with pytest.raises(Unfit) as unfit:
        read_answer(data, key, seat)
    assert unfit.value.reason == reason


def test_a_line_that_no_answer_may_hold_is_not_sealed() -> None:
    for line in ("", "x" * (LONGEST_LINE + 1)):
        with pytest.raises(ValueError, match="characters"):
            write_answer(KEY, "mill", "Mia", 7, Standpoint(), line)


def test_nothing_of_an_answer_is_in_its_refusal() -> None:
    with pytest.raises(Unfit) as unfit:
        read_answer(changed(line="zqsecretx"), KEY, "Mia")
    assert "zqsecretx" not in str(unfit.value) + repr(unfit.value)
    assert SeatAnswer.__struct_config__.forbid_unknown_fields

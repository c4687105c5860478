"""JSON decoded in parts has the value of JSON decoded whole, or is refused at the same place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tui.exchange import json_decoding as parts
from tui.exchange.document import Unreadable, read
from tui.exchange.json_decoding import BadJson, decode

TEXTS = st.text(st.sampled_from('ab"\\,:[]{}é🜲 \n\t'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)
BOXES = st.lists(VALUES, max_size=6) | st.dictionaries(TEXTS, VALUES, max_size=6)


def tried(data: bytes, how: Callable[[bytes], Any]) -> Any:
    """The value, or that there is none."""
    try:
        return how(data)
    except (msgspec.DecodeError, BadJson, UnicodeDecodeError):
        return BadJson


@cases(400)
@given(BOXES, st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_the_value_is_the_same_whatever_the_parts(
    value: Any, part: int, indent: int | None, ascii_: bool
) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_).encode()
    with patch.object(parts, "PART", part):
        assert decode(data) == value


@cases(400)
@given(BOXES, st.integers(1, 30), st.data())
def test_what_is_no_json_is_refused_whatever_the_parts(value: Any, part: int, data: st.DataObject) -> None:
    text = bytearray(json.dumps(value).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        new = data.draw(st.sampled_from([b"", b",", b"]", b"}", b"[", b"{", b'"', b":", b"1", b" ", b"\\"]))
        text[place : place + data.draw(st.integers(0, 2))] = new
    changed = bytes(text)
    with patch.object(parts, "PART", part):
        found = tried(changed, decode)
    if b"\n" not in changed:
        assert found == tried(changed, msgspec.json.decode)


def test_objects_on_lines_of_a_large_file() -> None:
    rows = [{"name": f"Orc {n}", "deep": {"a": [n, "}"]}} for n in range(30)]
    data = b"\n".join(json.dumps(row).encode() for row in rows) + b"\n\n"
    for part in (10, 40, 100_000):
        with patch.object(parts, "PART", part):
            assert decode(data) == rows


@pytest.mark.parametrize("part", [8, 10_000])
def test_what_is_wrong_is_told_with_its_line(part: int) -> None:
    data = b'[\n{"name": "Orc"},\n{"name": "Elf" "hp": 3},\n{"name": "Ana"}\n]'
    with patch.object(parts, "PART", part), pytest.raises(Unreadable, match="not valid JSON") as caught:
        list(read(data, lambda _: {}))
    assert caught.value.line == 3


def test_bounds_are_told() -> None:
    for limit, data, words in (
        ("MOST_VALUES", b"[1,2,3,4,5,6,7,8,9]", "more than 5 values"),
        ("LONGEST_TEXT", b'["' + b"x" * 90 + b'"]', "a text of more than"),
        ("MOST_VALUES", b"[" * 30 + b"]" * 30, "more than 5 values"),
    ):
        with (
            patch.object(parts, limit, 5),
            patch.object(parts, "PART", 4),
            pytest.raises(BadJson, match=words),
        ):
            decode(data)

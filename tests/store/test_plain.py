from __future__ import annotations

import math
import tomllib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.journals import EVIL, keys, plains, strings
from tui.store.journal.format import DEPTH, NotPlain, as_json, write_inline, write_string


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same kinds all the way down: 1, 1.0 and True are three things."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and (one != 0 or math.copysign(1, one) == math.copysign(1, other))


@given(plains)
def test_toml_and_json_read_back_what_was_written(value: Any) -> None:
    line = write_inline(value)
    assert "\n" not in line
    assert same(tomllib.loads(f"x = {line}")["x"], value)
    assert same(msgspec.json.decode(as_json(line.encode())), value)


@given(strings)
def test_a_string_holds_no_raw_control_and_no_tab(value: str) -> None:
    assert not any(ord(c) < 32 or 0x7F <= ord(c) <= 0x9F or c in "\u2028\u2029" for c in write_string(value))


@pytest.mark.parametrize("evil", EVIL)
def test_evil_keys_beside_evil_values(evil: str) -> None:
    for other in EVIL:
        value = [{evil: other, f"{other}!": [evil, {other: evil}]}, evil]
        line = write_inline(value)
        assert tomllib.loads(f"x = {line}")["x"] == value
        assert msgspec.json.decode(as_json(line.encode())) == value


@given(st.dictionaries(keys, st.integers(0, 9), min_size=1, max_size=5))
def test_tabs_stand_only_around_keys(table: dict[str, int]) -> None:
    line = write_inline(table)
    assert line.count(" =\t") >= len(table)
    assert "\t\t" not in line


@pytest.mark.parametrize(
    "bad",
    [
        None,
        b"x",
        {1: 2},
        {None: 1},
        {"a": None},
        [object()],
        2**63,
        -(2**63) - 1,
        math.nan,
        math.inf,
        -math.inf,
        "\ud800",
        "a\udfffb",
        {"\udc00": 1},
        {"a", "b"},
        1j,
    ],
)
def test_what_toml_and_json_cannot_both_hold_is_refused(bad: object) -> None:
    with pytest.raises(NotPlain):
        write_inline([bad])


def test_depth_is_bounded_at_its_edge() -> None:
    value: Any = 1
    for _ in range(DEPTH):
        value = [value]
    assert tomllib.loads(f"x = {write_inline(value)}")["x"] == value
    with pytest.raises(NotPlain):
        write_inline([value])


def test_numbers_at_their_edges() -> None:
    for value in (2**63 - 1, -(2**63), 0, -1, 1e308, 5e-324, -0.0, 1e16, 1e-7, 0.1):
        line = write_inline(value)
        assert same(tomllib.loads(f"x = {line}")["x"], value)
        assert same(msgspec.json.decode(as_json(line.encode())), value)

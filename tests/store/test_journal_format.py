"""Values of a journal: TOML and JSON hold the same, and read back what was written."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import msgspec
import pytest
from hypothesis import given

from tests.kit.journals import EVIL, plains
from tui.store.journal.format import DEPTH, NotPlain, as_json, write_inline


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


@pytest.mark.parametrize("evil", EVIL)
def test_evil_keys_beside_evil_values(evil: str) -> None:
    for other in EVIL:
        value = [{evil: other, f"{other}!": [evil, {other: evil}]}, evil]
        line = write_inline(value)
        assert tomllib.loads(f"x = {line}")["x"] == value
        assert msgspec.json.decode(as_json(line.encode())) == value


def test_depth_is_bounded_at_its_edge() -> None:
    value: Any = 1
    for _ in range(DEPTH):
        value = [value]
    assert tomllib.loads(f"x = {write_inline(value)}")["x"] == value
    with pytest.raises(NotPlain):
        write_inline([value])

"""Values of a journal: TOML and JSON hold the same, and read back what was written."""

from __future__ import annotations

import json
import math
import tomllib
from typing import Any

import msgspec
import pytest
from hypothesis import given

from tests.kit.journals import EVIL, plains
from tui.store.journal.format import DEPTH, require_plain, write_json


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
def test_json_in_a_string_of_toml_reads_back_what_was_written(value: Any) -> None:
    line = write_json(value)
    assert len(line.splitlines()) == 1
    assert same(json.loads(tomllib.loads(f"x = {line}")["x"]), value)
    assert same(msgspec.json.decode(line[1:-1]), value)


@pytest.mark.parametrize("evil", EVIL)
def test_evil_keys_beside_evil_values(evil: str) -> None:
    for other in EVIL:
        value = [{evil: other, f"{other}!": [evil, {other: evil}]}, evil]
        assert json.loads(tomllib.loads(f"x = {write_json(value)}")["x"]) == value


def test_depth_is_bounded_at_its_edge() -> None:
    value: Any = 1
    for _ in range(DEPTH):
        value = [value]
    require_plain(value)
    for one in ([value], {"a": value}, None, math.nan, -math.inf, 2**63, {1: 2}, ["\ud800"]):
        with pytest.raises(ValueError):
            write_json(one)

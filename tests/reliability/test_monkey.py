"""Promise 10: random lines and random bytes are taken or refused, and nothing else happens."""

from __future__ import annotations

import pytest

from tests.reliability import monkey


@pytest.mark.parametrize("seed", range(4))
def test_lines(seed: int) -> None:
    assert monkey.lines(700, seed) > 50


@pytest.mark.parametrize("seed", range(2))
def test_bytes_in_a_pty(seed: int) -> None:
    assert monkey.pounded(300, seed) > 0


@pytest.mark.hours
@pytest.mark.parametrize("part", range(10))
def test_a_million_lines(part: int) -> None:
    assert monkey.lines(100_000, 1_000 + part) > 10_000


@pytest.mark.hours
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_bytes_in_a_pty(part: int) -> None:
    assert monkey.pounded(10_000, 1_000 + part) > 0

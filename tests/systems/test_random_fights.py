"""Every system under random play: nobody twice, nobody skipped, never stuck, whatever is edited in
mid-round."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.systems.random_fights import fight
from tui.systems import Registry


@pytest.mark.parametrize("system", Registry().ids())
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), steps=st.integers(1, 50))
def test_random_fights_keep_the_laws(system: str, seed: int, steps: int) -> None:
    fight(system, seed, steps)


@pytest.mark.hours
@pytest.mark.parametrize("system", Registry().ids())
@pytest.mark.parametrize("batch", range(100))
def test_ten_thousand_fights_are_never_stuck(system: str, batch: int) -> None:
    for seed in range(100 * batch, 100 * batch + 100):
        fight(system, seed)

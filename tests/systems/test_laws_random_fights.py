"""Every system under random play: nobody twice, nobody skipped, never stuck, whatever is edited in
mid-round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.tiers import cases
from tui.systems import Registry


@pytest.mark.parametrize("system", Registry().ids())
@cases(25)
@given(seed=st.integers(0, 10**9), steps=st.integers(1, 50))
def test_random_fights_keep_the_laws(system: str, seed: int, steps: int) -> None:
    fight(system, seed, steps)

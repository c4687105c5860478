"""Conditions keep what is left through whatever happens: random play against a small model of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.rules.condition_model import play
from tests.kit.tiers import cases
from tui.systems import Registry


@pytest.mark.parametrize("system", Registry().ids())
@cases(20)
@given(seed=st.integers(0, 10**6))
def test_conditions_last_as_long_as_the_model_says(system: str, seed: int) -> None:
    play(system, seed, 40)

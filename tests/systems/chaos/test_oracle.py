"""Random fights with every option, in which the program and the oracle must agree after every line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.systems.chaos.duel import Duel


@cases(50)
@given(number=st.integers(0, 10**6))
def test_program_and_oracle_agree(number: int) -> None:
    assert Duel(f"chaos oracle {number}").play(60) > 10

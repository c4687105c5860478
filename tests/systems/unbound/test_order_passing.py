"""Who may pass, by every reading of the right to pass."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.systems.unbound.order import may_pass


@given(st.dictionaries(st.sampled_from("ABCDE"), st.integers(0, 9), min_size=1))
def test_readings_agree_with_two_sides_and_never_let_all_pass_but_by_laps(counts: dict[str, int]) -> None:
    """UNB-8: with two sides all readings but `never` are one; the largest never may pass against its
    equal."""
    for side, own in counts.items():
        combined = may_pass(counts, side, "combined")
        assert not may_pass(counts, side, "never")
        assert not may_pass(counts, side, "each") or combined
        assert not may_pass(counts, side, "two_sides_only") or combined
        if len(counts) == 2:
            assert may_pass(counts, side, "each") == may_pass(counts, side, "two_sides_only") == combined
            assert not (combined and own == max(counts.values()))

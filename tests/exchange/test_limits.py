"""Limits and defences as cards write them: what is read, and that anything can be read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.core.rules.creature_fields import Borne, check_borne
from tui.exchange.foreign_values import damage_kinds
from tui.exchange.limits import find_counters


@given(
    st.text(max_size=60),
    st.sampled_from(["(3/Day)", "(Recharge 5)", "(2 slots)", "each:"]),
    st.text(max_size=60),
)
def test_every_counter_can_be_borne(before: str, limit: str, after: str) -> None:
    page = f"{before} {limit}. {after}\n3rd level {limit}\n2/day {limit} {after}\nLegendary actions"
    check_borne(Borne(counters=find_counters(page)))


@given(st.text(max_size=80))
def test_anything_may_be_asked(text: str) -> None:
    assert isinstance(find_counters(text), tuple)
    assert damage_kinds(text) is None or isinstance(damage_kinds(text), str)

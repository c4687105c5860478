"""Limits and defences as cards write them, and formulas: what is read, and that anything can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.rules.creature_fields import Borne, tried
from tui.exchange.foreign_values import kinds
from tui.exchange.formulas import total
from tui.exchange.limits import counters


@given(
    st.text(max_size=60),
    st.sampled_from(["(3/Day)", "(Recharge 5)", "(2 slots)", "each:"]),
    st.text(max_size=60),
)
def test_every_counter_can_be_borne(before: str, limit: str, after: str) -> None:
    page = f"{before} {limit}. {after}\n3rd level {limit}\n2/day {limit} {after}\nLegendary actions"
    tried(Borne(counters=counters(page)))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("8 + 3 + 2", 13),
        ("max(1, (-1))", 1),
        ("floor(5 / 2)", 2),
        ("2 * (3 - 1)", 4),
        ("", 0),
        (4, 4),
        ("2d6", None),
        ("1 / 0", None),
        ("1 +", None),
        ("(" * 60, None),
        (True, None),
        (10**9, None),
    ],
)
def test_a_formula_of_whole_numbers_is_worked_out(formula: object, value: int | None) -> None:
    assert total(formula) == value


@given(st.text(max_size=80))
def test_anything_may_be_asked(text: str) -> None:
    assert total(text) is None or isinstance(total(text), int)
    assert isinstance(counters(text), tuple)
    assert kinds(text) is None or isinstance(kinds(text), str)

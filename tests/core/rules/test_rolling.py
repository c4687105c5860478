"""Totals that are called at the table: those that dice cannot give, and lists of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases


def table(system: str = "classic", *lines: str) -> Table:
    t = Table(system)
    t.do("add Ana kind=pc hp=20", "add 3 Goblin hp=9", *lines, "begin")
    return t


@cases(60)
@given(st.integers(-99, 999), st.integers(1, 20))
def test_a_roll_for_the_order_takes_any_total_and_faces_correct_it(n: int, face: int) -> None:
    t = table("classic", "set Ana mod=3")
    result = t.do(f"total Ana {n}")
    assert t.store.system.value_of(t.encounter, "c1") == n
    beyond = n - 23 if n > 23 else n - 4 if n < 4 else 0
    said = f"Ana {n}: {abs(beyond)} {'more' if beyond > 0 else 'less'} than the dice can give"
    assert (said in [x.text for x in result.lines]) == bool(beyond)
    if n != face + 3:
        t.do(f"roll Ana {face}")
        assert t.store.system.value_of(t.encounter, "c1") == face + 3


@pytest.mark.parametrize("system", ["classic", "chaos", "side-initiative"])
def test_it_orders_the_fight_and_counts_as_no_face(system: str) -> None:
    t = table(system, *(["option zero.pc=dying"] if system == "chaos" else []))
    if system == "chaos":
        t.do("lock missing=empty")
    t.do("total Ana 120")
    assert not any(r.faces for r in t.encounter.rolls.values())
    t.do("undo", "total Ana -99", "total Ana 7")
    assert t.store.system.value_of(t.encounter, t.store.system.rows(t.encounter)[0].entry) in (7, 0)


def test_a_save_takes_any_number_and_a_death_save_one_of_its_die() -> None:
    t = Table("classic")
    t.do("add Ana kind=pc hp=20", "option zero.pc=dying", "area Ana damage=4 dc=40 save=dex")
    assert "Ana makes the save" in [x.text for x in t.do("total Ana 45").lines]
    t.do("add Orc hp=3", "damage Ana 20", "begin", "total Ana 30", "total Orc 1", "next")
    t.refuse("total Ana 21", "cannot be the total")


def test_a_list_of_totals_goes_to_those_that_a_pattern_names() -> None:
    t = table()
    t.do("total Goblin* 15 9 12", "total Ana 4")
    assert [t.store.system.value_of(t.encounter, k) for k in ("c2", "c3", "c4")] == [15, 9, 12]
    t.do("undo")
    t.refuse("total Goblin* 15 9", "names Goblin 1, Goblin 2, Goblin 3")
    t.refuse("total Ana 17 Ana 18", "two totals")
    t.refuse("total Ana 17 18", "two totals")
    t.refuse("total Ana 1000", "-99 to 999")

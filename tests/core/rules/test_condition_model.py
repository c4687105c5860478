"""Conditions keep what is left through whatever happens: random play against a small model of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.rules.condition_model import play
from tests.table import Table
from tests.tiers import cases
from tui.systems import Registry


@pytest.mark.parametrize("system", Registry().ids())
@cases(20)
@given(seed=st.integers(0, 10**6))
def test_conditions_last_as_long_as_the_model_says(system: str, seed: int) -> None:
    play(system, seed, 40)


def left(t: Table, who: str = "Bo") -> list[int]:
    return [x.rounds for c in t.encounter.combatants.values() if c.name == who for x in c.conditions]


def fight() -> Table:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "begin", "roll", "next", dice=(15, 10, 5))
    return t


def test_a_condition_outlives_the_removal_of_whoever_gave_it() -> None:
    for line in ("remove Ana", "out Ana"):
        t = fight()
        t.do("condition Bo slowed rounds=1 of=Ana", line)
        t.do("next", "next", "next")
        assert (t.encounter.round, left(t)) == (2, [1]), line
        t.do("next", "next")
        assert (t.encounter.round, left(t)) == (3, []), line


@pytest.mark.parametrize("system", ["unbound", "dynamic", "chaos"])
def test_another_system_ends_the_turn_that_runs_and_counts_it(system: str) -> None:
    t = fight()
    t.do("condition Ana slowed rounds=1", f"system {system}", "begin")
    assert left(t, "Ana") == [1], "the turn in which it was given is over, the next is still to come"
    (slowed,) = t.encounter.combatants["c1"].conditions
    assert not slowed.fresh


@pytest.mark.parametrize("system", ["classic", "dynamic"])
def test_who_leaves_the_acting_group_has_had_the_turn_of_this_round(system: str) -> None:
    t = Table(system)
    t.do("add 3 Orc group=Orcs", "add Imp", "begin")
    t.do("roll", "next", dice=(15, 10) if system == "classic" else (2, 5))
    t.do('condition "Orc 1" slowed rounds=1', 'group "Orc 1" Scouts')
    rows = {row["entry"]: row["state"] for row in t.state()["track"]}
    assert (rows["Orcs"], rows["Scouts"]) == ("now", "done")
    assert t.encounter.turn is not None
    assert t.encounter.turn.members == ("c2", "c3")
    t.do("ungroup Orcs")
    rows = {row["entry"]: row["state"] for row in t.state()["track"]}
    assert (t.state()["acting"], rows["Orc 2"], rows["Orc 3"]) == ("", "done", "done")
    t.do("next")
    assert t.state()["acting"] == "Imp"

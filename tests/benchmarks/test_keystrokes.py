"""The counted session is the fight it says, in every system."""

from __future__ import annotations

import pytest

from tests.benchmarks.keystrokes import HEROES, PLANS, ROUNDS, measured
from tui.systems import Registry
from tui.ui.desk.desk import Desk


def test_what_is_counted_are_systems() -> None:
    """A stranger's system needs no plan."""
    assert [system for system in PLANS if system not in Registry().ids()] == []


@pytest.mark.parametrize("system", PLANS)
def test_the_session_leads_where_it_should(system: str) -> None:
    found: list[Desk] = []
    count = measured(system, found.append)
    e = found[0].store.encounter
    people = {c.name: c for c in e.combatants.values()}
    assert e.round == ROUNDS + 1
    assert sorted(people) == sorted(
        [*HEROES, *(f"Orc {n}" for n in range(1, 9)), *(f"Wolf {n}" for n in range(1, 5))]
    )
    hurt = {name: c.hp for name, c in people.items() if c.hp != c.max_hp}
    assert hurt == {"Ana": 12, "Bo": 14, "Orc 1": 0, "Orc 2": 3, "Orc 4": 5, "Orc 5": 5, "Orc 6": 5}
    assert [name for name, c in people.items() if c.out] == ["Orc 1"]
    held = {name: {x.name for x in c.conditions} for name, c in people.items() if c.conditions}
    assert held == {"Cay": {"bitten"}, "Wolf 1": {"prone"}}
    assert set(count) == {"setting up", "round 1", "round 2"}

"""What is remembered is what would be answered afresh: also by a stranger's system, which need not know of
it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_play import Game, Habits, plainly
from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.systems import Registry

WOUNDED = '''
from tui.systems.classic import Classic

class Wounded(Classic):
    """Of equal numbers whoever has lost the most acts first: an order that hit points decide."""

    id = "wounded"

    def late_ranks(self, e):
        return {c.id: c.hp - c.max_hp for c in e.combatants.values() if c.hp is not None}
'''
DESPERATE = '''
from tui.systems.classic import Classic

class Desperate(Classic):
    """The fewest hit points first; its sort has the name that the sort of other systems has."""

    id = "desperate"

    def acting_order(self, e):
        return sorted(super().acting_order(e), key=lambda x: sum(e.combatants[k].hp or 0 for k in x.members))
'''


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("systems")
    (folder / "wounded.py").write_text(WOUNDED, encoding="utf-8")
    (folder / "desperate.py").write_text(DESPERATE, encoding="utf-8")
    return Registry([str(folder)])


@pytest.mark.parametrize("system", ["wounded", "desperate"])
def test_an_order_by_hit_points_follows_every_wound(systems: Registry, system: str) -> None:
    t = Table(system, systems=systems)
    t.do("add Ana hp=20", "add Bo hp=20", "begin")
    t.do("roll", dice=(9, 9, 7, 3))
    assert t.order() == ["Ana", "Bo"]
    t.do("damage Bo 5")
    assert t.order() == ["Bo", "Ana"]
    assert t.state()["offer"]["acts"] == [{"kind": "turn", "who": "Bo"}]
    t.do("damage Ana 12", "next")
    assert t.state()["acting"] == "Ana"


@pytest.mark.parametrize("system", ["wounded", "desperate"])
@cases(12)
@given(seed=st.integers(0, 10**6))
def test_a_fresh_instance_answers_the_same_for_a_system_of_a_stranger(
    systems: Registry, system: str, seed: int
) -> None:
    Game(system, Habits(), Random(seed), registry=systems).play(40)


def test_the_law_would_see_an_order_that_lags_behind(systems: Registry) -> None:
    """The comparison of the random fights is one that can fail."""
    t = Table("wounded", systems=systems)
    t.do("add Ana hp=20", "add Bo hp=20", "begin")
    t.do("roll", dice=(9, 9, 7, 3))
    rules, before = systems.get("wounded"), t.encounter
    t.do("damage Bo 5")
    assert plainly(rules.rows(before)) != plainly(rules.rows(t.encounter))

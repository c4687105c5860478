"""Rows as a screen lines them up: places, members under their side, who is to come, who is out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.tiers import cases
from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.lineup import lineup_for
from tui.systems import Registry

SYSTEMS = Registry().ids()


@pytest.mark.parametrize("system", SYSTEMS)
@cases(2)
@given(seed=st.integers(0, 10**6))
def test_everybody_stands_in_one_row_and_places_count_up(system: str, seed: int) -> None:
    for steps in (2, 9):
        game = fight(system, seed, steps)
        e = game.encounter
        found = lineup_for(e, game.rules, GAME_MASTER).rows
        if not e.running:
            assert found == ()
            continue
        whole = [s for s in found if not s.inner]
        people = [k for s in whole for k in s.members if not e.combatants[k].out]
        assert sorted(people) == sorted(c.id for c in e.combatants.values() if not c.out)
        places = [s.place for s in whole if s.place]
        assert places == list(range(1, len(places) + 1))
        inner = [k for s in found if s.inner for k in s.members]
        assert len(set(inner)) == len(inner)
        assert set(inner) <= {k for s in found if s.outer for k in s.members}
        now = [k for s in found if s.state == "now" for k in s.members]
        assert set(e.turn.members if e.turn else ()) <= set(now)

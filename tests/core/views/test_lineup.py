"""Rows as a screen lines them up: places, members under their side, who is to come, who is out."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.tiers import cases
from tests.kit.two_fights import MIA, Differs, Fight, policy
from tui.core.fight.viewer import GAME_MASTER, text
from tui.core.rules.now import name_next
from tui.core.rules.upkeep import all_owed
from tui.core.views.lineup import lineup_for
from tui.core.views.now_for import now_for
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


@pytest.mark.parametrize("system", Registry().ids())
@cases(20)
@given(seed=st.integers(0, 10**6))
def test_all_read_the_same_next_turn(system: str, seed: int) -> None:
    fight, chance = Fight(system, seed, 0), Random(seed)
    for _ in range(25):
        try:
            fight.catch_up()
        except Differs:
            return
        e, rules = fight.table.encounter, fight.system
        after = text(e, name_next(e, rules))
        if after and not all_owed(e, rules):
            then = now_for(e, rules, MIA).then
            assert then == after or then.startswith((f"{after}, ", f"{after} and ")), (then, after)
        if not fight.say(policy(fight.state(), chance)):
            return

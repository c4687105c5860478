"""A player's page names the same next turn as the game master's Now line, if nothing is hidden."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.kit.two_fights import MIA, Differs, Fight, policy
from tui.core.fight.viewer import text
from tui.core.rules.now import name_next
from tui.core.rules.upkeep import all_owed
from tui.core.views.now_for import now_for
from tui.systems import Registry


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

"""Whatever is pressed or pasted, at any size: nothing is raised, and all can be undone to the beginning."""

from __future__ import annotations

import pytest

from tests.kit.random_desk import KEYS_A_FIGHT, SYSTEMS, Fight, Visit
from tests.kit.tiers import share
from tui.core.fight.encounter import Encounter


@pytest.mark.law
@pytest.mark.parametrize("number", range(len(SYSTEMS)))
def test_any_keys_in_any_system(number: int) -> None:
    fight = Fight(20_261_122, number)
    fight.play(share(2 * KEYS_A_FIGHT))
    store = fight.player.store
    if store.step:
        store.run(f"undo {store.step}")
    assert store.encounter == Encounter(system=fight.system)


@pytest.mark.law
def test_any_keys_on_the_start_screen() -> None:
    for number in range(share(10)):
        Visit(20_261_122, number).play(KEYS_A_FIGHT // 2)

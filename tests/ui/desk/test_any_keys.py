"""Whatever is pressed or pasted, at any size: nothing is raised, and all can be undone to the beginning."""

from __future__ import annotations

import random

import pytest

from tests.kit.keyboard import Player
from tests.kit.random_desk import KEYS_A_FIGHT, REGISTRY, START, SYSTEMS, Fight, Visit, keys
from tests.kit.tiers import share, third_of
from tui.core.fight.encounter import Encounter
from tui.ui.desk.ports import Services


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


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(SYSTEMS, 2))
def test_a_frame_is_the_same_when_it_is_drawn_whole(system: str) -> None:
    """The view of the second desk changes before each frame, so nothing of the last one is kept."""
    chance = random.Random(system)
    saved = [True]
    disk = Services(is_saved=lambda: saved[0])
    desks = [Player(system, (*START, "begin"), systems=REGISTRY, services=disk).desk for _ in range(2)]
    for number, press in zip(range(share(KEYS_A_FIGHT)), keys(chance), strict=False):
        size, rests = chance.choice([(80, 24), (80, 24), (120, 40), (60, 12)]), chance.random() < 0.6
        frames, waits = [], chance.random() < 0.5
        for desk in desks:
            desk.press(press)
            for half in range(2):
                saved[0] = bool(half) or not waits
                if desk is desks[1]:
                    desk.show(declined_groups=(*desk.view.declined_groups[:20], f"{number}.{half}"))
                boxes = desk.boxes(*size)
                frames.append((boxes, desk.draw(boxes)))
                if rests:
                    desk.rest()
        assert frames[:2] == frames[2:], press

"""`n` does what Now says in every fight; with the first choices alone it plays a fight to its end."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec.structs import replace

from tests.kit.keyboard import Player, press_of
from tests.kit.random_fights import fight
from tests.kit.tiers import share
from tui.core.base.errors import RuleError
from tui.systems import Registry
from tui.ui.modes.ending import Ending
from tui.ui.modes.page import Page
from tui.ui.modes.pick import PickList
from tui.ui.modes.rolls import RollList

FIGHTS = 10
MOST_KEYS = 300


def go_on(p: Player) -> None:
    """Press `n`, which must change something, then take the first choice of whatever it opened."""
    before = p.store.record, replace(p.desk.view, notice=None)
    p.desk.press(press_of("n"))
    assert (p.store.record, replace(p.desk.view, notice=None)) != before, p.message()
    assert "has to wait" not in p.message()
    for _ in range(MOST_KEYS):
        mode = p.desk.mode
        if mode is None:
            return
        if isinstance(mode, RollList):
            p.desk.press(press_of("r"))
        elif isinstance(mode, PickList) and not mode.chosen:
            p.desk.press(press_of("A"))
        elif isinstance(mode, Page) and mode.asks:
            p.picture()  # a question is answered after it was drawn
            p.desk.press(press_of("y"))
        elif isinstance(mode, Ending):
            p.picture()
            p.desk.press(press_of("enter"))
        else:
            p.desk.press(press_of("enter"))
    raise AssertionError(p.text())


def settle(p: Player) -> None:
    """Press `n` until the round after this one begins, or nobody is left and the fight is finished."""
    at, begun = p.store.encounter.round, p.store.encounter.running
    for _ in range(MOST_KEYS):
        go_on(p)
        e = p.store.encounter
        if (begun and not e.running) or e.round > at:
            return
        begun = e.running
    raise AssertionError(p.text())


@pytest.mark.law
@pytest.mark.parametrize("system", Registry().ids())
def test_n_and_first_choices_play_every_fight(system: str) -> None:
    for seed in range(share(FIGHTS)):
        game = fight(system, seed)
        p = Player(system, options=dict(game.first.options))
        lines = [line for line in game.log if "  # " not in line]
        for number, line in enumerate(lines, 1):
            with suppress(RuleError):
                p.store.run(line)
            if number % 7 == 0 and p.store.encounter.combatants:
                go_on(p)
        if p.store.encounter.combatants:
            settle(p)
            settle(p)

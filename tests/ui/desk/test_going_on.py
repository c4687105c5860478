"""`n` does what Now says in every fight; with the first choices alone it plays a fight to its end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace

from tests.kit.keyboard import Player, press_of
from tests.kit.random_fights import fight
from tests.kit.tiers import share, third_of
from tui.core.base.errors import RuleError
from tui.systems import Registry
from tui.ui.modes.ending import Ending
from tui.ui.modes.form import Form
from tui.ui.modes.page import Page
from tui.ui.modes.pick import PickList
from tui.ui.modes.rolls import RollList

FIGHTS = 10
MOST_KEYS = 300


LOOKING = ((), ("enter",), ("w",), ("j", "enter"), ("tab", "enter"), ("tab", "tab"), ("tab", "tab", "w"))
"""Keys before `n` that open a card or list, or go to another pane."""


def go_on(p: Player, looked: Sequence[str]) -> None:
    """Press `n` after other keys, which must change something, then take the first choice of what it opened.

    A list of choices that another key has opened is not closed by `n`: it is answered.
    """
    for key in looked:
        p.desk.press(press_of(key))
    if isinstance(p.desk.mode, Form):
        # That of the row, which need not be owed.
        p.desk.press(press_of("escape"))
    mode = p.desk.mode
    if mode is None or isinstance(mode, Page) or any(i.key == "n" for i in getattr(mode, "items", ())):
        before = p.store.record, replace(p.desk.view, notice=None, mode=None)
        p.desk.press(press_of("n"))
        assert (p.store.record, replace(p.desk.view, notice=None)) != before, p.message()
        assert mode is None or p.desk.mode is not mode, p.message()
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


def settle(p: Player, chance: Random) -> None:
    """Press `n` until the round after this one begins, or nobody is left and the fight is finished."""
    at, begun = p.store.encounter.round, p.store.encounter.running
    for _ in range(MOST_KEYS):
        go_on(p, chance.choice(LOOKING))
        e = p.store.encounter
        if (begun and not e.running) or e.round > at:
            return
        begun = e.running
    raise AssertionError(p.text())


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(Registry().ids(), 1))
def test_n_and_first_choices_play_every_fight(system: str) -> None:
    for seed in range(share(FIGHTS)):
        game = fight(system, seed)
        chance = Random(seed)
        p = Player(system, options=dict(game.first.options))
        lines = [line for line in game.log if "  # " not in line]
        for number, line in enumerate(lines, 1):
            with suppress(RuleError):
                p.store.run(line)
            if number % 7 == 0 and p.store.encounter.combatants:
                go_on(p, chance.choice(LOOKING))
        if p.store.encounter.combatants:
            settle(p, chance)
            settle(p, chance)

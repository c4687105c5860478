"""Damage to many by keys, in every system."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.systems import Registry
from tui.ui.modes.rolls import RollList

PEOPLE = ("add Ana owner=Mia hp=18 saves=dex+2", "add 3 Orc hp=7", "add 2 Wolf hp=9 group=Wolves")
NUMBERS = ("'8'", "tab", "'12'", "tab", "'dex'", "tab", "'fire'", "tab", "tab")


@pytest.mark.parametrize("system", [s for s in Registry().ids() if not s.startswith("dungeon")])
def test_rows_and_sides_are_ticked_and_the_saves_follow_in_one_list(system: str) -> None:
    p = Player(system, PEOPLE).press("*", *NUMBERS, "space", "j", "A")
    assert "how much" not in p.text()
    p.press("enter")
    assert p.asked() == ['area "Ana,Orc 1,Orc 2,Orc 3,Wolf 1,Wolf 2" damage=8 type=fire dc=12 save=dex']
    assert isinstance(p.desk.view.mode, RollList)
    p.press("m", "f", "m", "f", "m", "f")
    assert [c.hp for c in p.store.encounter.combatants.values()] == [14, 0, 3, 0, 5, 1]
    assert p.desk.view.mode is None
    p.press("u")
    assert [c.hp for c in p.store.encounter.combatants.values()] == [18, 7, 7, 7, 9, 9]

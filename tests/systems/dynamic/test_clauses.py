"""The Dynamic Initiative System, clause by clause: from surprise to the dice."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.fight.viewer import GAME_MASTER, viewer_of


def test_dis_22_that_nobody_is_surprised_is_told_to_the_game_master_alone() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Mia", "add Orc side=dark", "add Spy side=dark hidden=yes stealth=14")
    t.do("begin", "notice")
    told = [m.text for m in t.store.messages(t.store.step, GAME_MASTER)]
    assert told == ["Everybody notices an enemy: nobody is surprised"]
    assert list(t.store.messages(t.store.step, viewer_of("Mia"))) == []

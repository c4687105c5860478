"""The largest and smallest declarations, and what is told of dice, prices and types."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.rules.on_screen import on_screen


def test_dis_20_who_could_roll_as_one_is_offered() -> None:
    t = Table("dynamic")
    t.do("add 3 Orc", "add Sela kind=pc", "begin")
    found = on_screen(t.store.system).choices(t.encounter, "group")
    assert [(x.line, x.title, x.note) for x in found] == [
        ('group "Orc 1,Orc 2,Orc 3" Orcs', "Orc 1, Orc 2, Orc 3", "one roll")
    ]

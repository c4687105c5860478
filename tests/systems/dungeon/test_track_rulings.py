"""Rulings of 1.1 on the track: whom TRK-A9 bars, which places are passed, and the first hit on a group."""

from __future__ import annotations

from tests.kit.table import Table
from tui.core.rules.on_screen import on_screen


def wolves() -> Table:
    t = Table("dungeon-track", {"trk.variable": True})
    t.do(
        "add H kind=pc per=9 int=9", "add Orc per=3 int=2 distance=2", "add 2 Wolf group=Wolves per=1 int=5",
        "begin", "meet H vs Orc",
    )  # fmt: skip
    t.do("roll", dice=[6, 1, 2, 2, 5, 4])
    return t


def test_damage_on_a_group_with_an_out_member_is_a_hit() -> None:
    t = wolves()
    t.do('out "Wolf 1"')
    assert on_screen(t.store.system).instead(t.encounter, "damage", ["@Wolves"]) == "hit {who} {n}"

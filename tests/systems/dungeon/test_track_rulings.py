"""Rulings of 1.1 on the track: whom TRK-A9 bars, which places are passed, and the first hit on a group."""

from __future__ import annotations

from tests.table import Table, row
from tui.core.rules.on_screen import on_screen


def test_only_the_commander_who_lost_is_barred_to_the_end_of_the_turn() -> None:
    t = Table("dungeon-track")
    t.do(
        "add Ana kind=pc per=2 int=9", "add Bo kind=pc per=2 int=8",
        "add 2 Orc group=Orcs per=3 int=3 distance=4", "add Wolf per=1 int=1 distance=5",
        "begin", 'meet Ana vs "Orc 1"',
    )  # fmt: skip
    t.do("roll", dice=[1, 4, 5, 5, 3, 3, 2, 2])
    t.do("next", "next", "add Chief rank=champion per=1 int=1 distance=1", "place Chief vs Ana")
    t.do("roll", dice=[6, 5, 1, 2])
    t.do("add Bat per=6 int=1 distance=2", "place Bat vs Bo")
    t.do("roll", dice=[6, 5, 1, 2])
    t.do("next", "next")
    assert t.may() == ["Wolf", "Bat"]
    assert row(t, "Chief")["state"] == "barred"


def sunk() -> Table:
    t = Table("dungeon-track", {"trk.variable": True})
    t.do(
        "add H kind=pc per=4 int=9", "add C per=6 int=2 distance=2",
        "add 2 D group=Ds per=1 int=5 distance=3",
        "begin", "meet H vs C",
    )  # fmt: skip
    t.do("roll", dice=[3, 3, 3, 2, 5, 4])
    t.do("next", "hit C 1", "next", 'add "D 3" group=Ds per=1 int=5 distance=1', 'place "D 3" vs H')
    t.do("roll", dice=[6, 6, 1, 2])
    return t


def test_an_entry_that_sinks_after_it_has_acted_passes_nobody() -> None:
    t = sunk()
    t.do("next")
    assert t.encounter.actors == ("c3", "c4", "c5")


def wolves() -> Table:
    t = Table("dungeon-track", {"trk.variable": True})
    t.do(
        "add H kind=pc per=9 int=9", "add Orc per=3 int=2 distance=2", "add 2 Wolf group=Wolves per=1 int=5",
        "begin", "meet H vs Orc",
    )  # fmt: skip
    t.do("roll", dice=[6, 1, 2, 2, 5, 4])
    return t


def test_a_hit_before_it_joined_is_not_the_groups() -> None:
    t = wolves()
    before = row(t, "Wolves")["value"]
    t.do("hit Orc 1", "group Orc Wolves")
    assert row(t, "Wolves")["tags"] == []
    t.do('hit "Wolf 1" 1')
    assert row(t, "Wolves")["value"] == before - 1
    t.do("hit Orc 1")
    assert row(t, "Wolves")["value"] == before - 1


def test_who_leaves_a_group_that_was_hit_takes_that_along() -> None:
    t = wolves()
    t.do('hit "Wolf 1" 1', 'ungroup "Wolf 2"')
    alone = row(t, "Wolf 2")["value"]
    t.do('hit "Wolf 2" 1')
    assert row(t, "Wolf 2")["value"] == alone


def test_damage_on_a_group_with_an_out_member_is_a_hit() -> None:
    t = wolves()
    t.do('out "Wolf 1"')
    assert on_screen(t.store.system).instead(t.encounter, "damage", ["@Wolves"]) == "hit {who} {n}"


def test_an_area_that_hits_counts_one_hit_on_each_row_that_takes_damage() -> None:
    t = wolves()
    orc, wolf = row(t, "Orc")["value"], row(t, "Wolves")["value"]
    t.do("area Orc,@Wolves damage=2 hit=yes made=Orc half=no dc=10 save=dex failed=@Wolves")
    assert (row(t, "Orc")["value"], row(t, "Wolves")["value"]) == (orc, wolf - 1)
    t.do("area Orc damage=2")
    assert row(t, "Orc")["value"] == orc
    t.do("area Orc,@Wolves damage=2 hit=yes")
    assert (row(t, "Orc")["value"], row(t, "Wolves")["value"]) == (orc - 1, wolf - 1)


def test_an_area_counts_no_hits_where_initiative_does_not_vary() -> None:
    t = Table("dungeon-track")
    t.do("add H kind=pc", "begin")
    t.refuse("area H damage=2 hit=yes", "no hits are counted", "leave hit=yes out")

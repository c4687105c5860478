"""Rows of several: which member is meant, all of them, and one row for those just added."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

GROUPED = ("add Ana owner=Mia hp=18", "add 3 Orc hp=7 group=Orcs", "begin", "roll", "next")


def on_the_group(*lines: str) -> Player:
    p = Player(lines=[*GROUPED, *lines])
    p.press("/", "'orcs'", "enter")
    return p


def test_damage_to_a_group_presets_the_first_living_member() -> None:
    p = on_the_group('out "Orc 1"').press("d", "'3'", "enter")
    assert p.asked() == ['damage "Orc 2" 3']


def test_up_and_down_choose_another_member() -> None:
    p = on_the_group().press("d", "down", "'3'", "enter")
    assert p.asked() == ['damage "Orc 2" 3']


def test_a_takes_all_of_them() -> None:
    p = on_the_group().press("d", "'3'", "A", "enter")
    assert p.asked() == ["damage Orcs 3"]
    p.press("c", "A", "'prone'", "enter")
    assert p.asked() == ["condition Orcs prone"]
    assert all(c.hp == 4 and c.conditions for k, c in p.store.encounter.combatants.items() if k != "c1")


def test_a_count_on_a_group_still_asks_for_the_member() -> None:
    p = on_the_group().press("3", "d")
    assert 'damage "Orc 1" 3' in p.text()
    p.press("enter")
    assert p.asked() == ['damage "Orc 1" 3']


def test_out_on_a_group_asks_for_the_member() -> None:
    p = on_the_group().press("x", "enter")
    assert p.asked() == ['out "Orc 1"']


def test_after_add_one_key_makes_one_row() -> None:
    p = Player(lines=["add Ana owner=Mia", "add 3 Orc hp=7"])
    assert "[&] group 3 as Orcs" in p.text()
    p.press("&")
    assert p.asked() == ['group "Orc 1,Orc 2,Orc 3" Orcs']
    assert {c.group for c in p.store.encounter.combatants.values()} == {"", "Orcs"}
    assert "[&]" not in "".join(p.picture()["now"])


def test_the_offer_stays_until_the_fight_begins_and_comes_for_each_kind() -> None:
    p = Player(lines=["add 3 Orc hp=7", "add 2 Wolf", "add Ogre"])
    assert "[&] group 3 as Orcs" in p.text()
    p.press("&")
    assert "[&] group 2 as Wolves" in p.text()
    p.press("b")
    assert "[&]" not in p.text()


def test_an_offer_in_a_fight_stays_for_every_batch() -> None:
    p = Player(lines=["add Ana", "begin", "roll", "next"])
    p.press("a", "'2 Zombie'", "enter", "'2 Skeleton'", "enter", "enter", "r")
    assert "[&] group 2 as Zombies or [B] not" in p.text()
    p.press("&")
    assert p.asked() == ['group "Zombie 1,Zombie 2" Zombies']
    p.press("n")
    assert "[&] group 2 as Skeletons" in p.text()
    p.press("&")
    assert p.asked() == ['group "Skeleton 1,Skeleton 2" Skeletons']
    assert "[&]" not in p.text()


def test_who_has_had_a_turn_of_its_own_is_not_asked_for_any_more() -> None:
    p = Player(lines=["add Ana", "begin", "roll", "next", "add 2 Wolf", "roll"])
    assert "[&] group 2 as Wolves" in p.text()
    for _ in range(3):
        p.store.run("next")
    assert "[&]" not in p.text()
    p.store.run("undo 3")
    assert "[&] group 2 as Wolves" in p.text()


def test_an_offer_is_declined_with_one_key_and_not_made_again() -> None:
    p = Player(lines=["add 3 Orc", "add 2 Wolf"])
    p.press("B")
    assert "they stay single" in p.message()
    assert p.store.step == 2
    assert "[&] group 3 as Orcs" in p.text()
    p.press("B", "x", "u")
    assert "[&]" not in p.text()
    p.store.run("add 1 Wolf")
    assert "[&] group 3 as Wolves" in p.picture()["now"][0]


def test_those_who_stood_singly_when_the_fight_began_are_not_asked_for_again() -> None:
    p = Player(lines=["add 3 Orc", "begin", "roll", "next", "add 2 Orc", "roll"])
    assert p.desk.grouping == 'group "Orc 4,Orc 5" Orcs'
    p.press("u", "u")
    assert p.desk.grouping == ""
    p.press("ctrl+r")
    assert p.desk.grouping == 'group "Orc 4,Orc 5" Orcs'


def test_trk_5_one_key_makes_one_row_of_those_who_would_roll_singly() -> None:
    p = Player("dungeon-track", ["add Ana kind=pc per=4 int=3", "add 3 Orc per=1 int=2", "begin", "meet Ana"])
    assert "roll separately" in p.text()
    p.press("&")
    assert p.asked() == ['group "Orc *" Orcs']


def test_dis_20_where_a_rule_depends_on_it_the_offer_stays_until_the_dice() -> None:
    p = Player("dynamic", ["add 3 Goblin", "add Ogre", "begin"])
    assert "3 Goblins roll separately" in " ".join(p.text().split())
    p.press("&")
    assert p.asked() == ['group "Goblin 1,Goblin 2,Goblin 3" Goblins']
    assert "separately" not in p.text()
    p.press("r", "y", "&")
    assert p.asked()[-1] == "roll"


VARIABLE = (
    "add Ana owner=Mia hp=18 per=4",
    "add 2 Orc hp=7 group=Orcs",
    "begin",
    "next",
    "meet Ana",
    "roll",
    "pick none",
    "next",
)


def test_damage_to_a_row_of_several_is_preset_for_the_first_with_hit_points_left() -> None:
    p = Player("dungeon-track", (*VARIABLE, 'damage "Orc 1" 7'), options={"trk.variable": True})
    p.press("/", "'orcs'", "enter", "d", "'5'")
    assert ':hit "Orc 2" 5' in p.text()
    p.press("enter")
    assert p.asked() == ['hit "Orc 2" 5']


def test_trk_19_who_acts_and_leaves_is_not_its_own_killer() -> None:
    p = Player("dungeon-track", VARIABLE, options={"trk.variable": True})
    p.press("/", "'ana'", "enter")
    while p.store.encounter.acting != p.store.encounter.combatants["c1"].id:
        p.press("n")
    p.press("x")
    assert p.asked()[-1] == "out Ana"
    assert p.store.encounter.combatants["c1"].out


def test_where_hits_count_damage_is_a_hit_and_out_asks_who_did_it() -> None:
    p = Player("dungeon-track", VARIABLE, options={"trk.variable": True})
    p.press("/", "'orcs'", "enter", "d", "'5'", "h")
    assert p.asked() == ['hit "Orc 1" 5/2']
    assert p.store.encounter.combatants["c2"].hp == 5
    p.press("d", "'9'", "A", "x")
    assert p.asked() == ["hit Orcs 9*2"]
    p.press("x")
    acting = p.store.encounter.combatants.get(p.store.encounter.acting)
    assert f':kill "Orc 1"{" by=Ana" if acting else ""}' in p.text()
    p.press("enter")
    assert p.store.encounter.combatants["c2"].out


def test_where_hits_do_not_count_damage_is_damage() -> None:
    p = Player("dungeon-track", VARIABLE).press("/", "'orcs'", "enter", "d", "'5'", "enter")
    assert p.asked() == ['damage "Orc 1" 5']


def test_all_marks_the_group_and_then_the_side() -> None:
    p = Player(lines=[*GROUPED, "add Ogre"]).press("tab", "down", "A")
    assert list(p.desk.view.selected) == ["c2", "c3", "c4"]
    p.press("A")
    assert list(p.desk.view.selected) == ["c2", "c3", "c4", "c5"]
    p.press("2", "d")
    assert p.asked() == ['damage "Orc 1,Orc 2,Orc 3,Ogre" 2']


def test_the_keys_of_the_prompt_are_told_as_far_as_there_is_room() -> None:
    p = on_the_group().press("d", "'3'")
    assert p.picture()["hints"][0].endswith("has 7/7 Up/Down member A all P pool h half x double")
    p.size = (120, 40)
    assert p.picture()["hints"][0].endswith("x double Esc back")
    p.size = (80, 24)
    p.press("'" + "+1" * 25 + "'")
    assert p.picture()["hints"][0].split() == [":damage", '"Orc', '1"', "3" + "+1" * 25, "has", "7/7"]


def test_the_cursor_is_on_whoever_acts_below_the_row_of_the_side() -> None:
    lines = [
        "add Beast side=Wild",
        "add Iris side=Crew",
        "add 2 Jax side=Crew",
        "begin",
        "roll Wild 9",
        "roll Crew 3",
        "pass",
    ]
    p = Player("unbound", [*lines, "turn Iris"])
    rows = p.picture()["track"]
    assert ["Iris" in line for line in rows if line.startswith(">")] == [True]


def test_the_name_of_a_group_that_is_offered_is_whole() -> None:
    """A kind of two words was offered by its last one, with a quotation mark."""
    assert "[&] group 2 as Dire Wolves" in Player(lines=['add 2 "Dire Wolf" hp=7']).text()


@pytest.mark.parametrize(("system", "offered"), [("classic", True), ("dynamic", True), ("chaos", False)])
def test_grouping_is_offered_to_newcomers_only_while_rows_may_change(system: str, offered: bool) -> None:
    lines = ("add Ana kind=pc hp=9", "begin", *(() if system == "classic" else ("order Ana",)))
    p = Player(system=system, lines=[*lines, *(("lock",) if system == "chaos" else ()), "add 2 Orc"])
    store = p.store
    line = p.desk.grouping
    assert bool(line) is offered
    if line:
        store.run(line)


def test_the_fallen_are_not_offered_a_row_of_their_own() -> None:
    p = Player(lines=["add Ana kind=pc", "add 3 Orc hp=7", "begin", "roll", "out orc*", "finish"])
    assert "[&] group" not in p.text()
    p.table.store.run("back orc*")
    assert "[&] group 3 as Orcs" in p.text()


def test_damage_runs_through_a_group_with_one_key_more() -> None:
    p = Player(lines=("add 3 Goblin hp=5 group=Goblins value=9", "add Ana kind=pc value=5", "begin"))
    p.press("d", "'7'", "P", "enter")
    assert p.asked() == ["damage Goblins 7 pool=yes"]
    assert [c.hp for c in p.store.encounter.combatants.values()][:3] == [0, 3, 5]

"""The meeting form by keys: who finds them, who rolls, the door, and a distance for each enemy."""

from __future__ import annotations

import pytest

from tests.ui.keyboard import Player

HEROES = ("add Shara owner=Mia per=4 int=3", "add Tam owner=Tom per=1 int=2")
READY = (*HEROES, "add 3 Orc per=1", "begin")
BOTH = pytest.mark.parametrize("system", ["dungeon-universalis", "dungeon-track"])


@BOTH
def test_distances_are_typed_down_a_list_and_then_they_meet(system: str) -> None:
    p = Player(system, READY).press("m")
    assert "meet: a section is revealed" in p.text()
    p.press("down", "down", "down", "down", "'4'", "down", "down", "'4'")
    assert 'meet Shara distance="Orc 1:4,Orc 3:4"' in p.text()
    steps = p.store.step
    p.press("enter")
    assert p.asked() == ['meet Shara distance="Orc 1:4,Orc 3:4"']
    assert p.store.step == steps + 1
    squares = {
        c.name: c.fields.get("distance")
        for c in p.store.encounter.combatants.values()
        if c.name.startswith("Orc")
    }
    assert squares == {"Orc 1": 4, "Orc 2": None, "Orc 3": 4}
    assert p.store.system.due(p.store.encounter)
    assert p.desk.view.mode is None


@BOTH
def test_enter_at_once_meets_without_distances(system: str) -> None:
    p = Player(system, READY).press("m", "enter")
    assert p.asked() == ["meet Shara"]


@BOTH
def test_another_discoverer_a_named_enemy_and_a_broken_door(system: str) -> None:
    p = Player(system, READY).press("m", "t", "down", "right", "right", "down", "right", "down", "y", "enter")
    assert p.asked() == ['meet Tam vs "Orc 1" with="Orc 2" door=broken']


@BOTH
def test_one_room_of_several_is_chosen_by_its_group(system: str) -> None:
    p = Player(system, [*HEROES, "add 2 Orc group=Orcs", "add 2 Wolf group=Wolves", "begin"])
    p.press("m", "down", "w", "enter")
    assert p.asked() == ["meet Shara with=Wolves"]


@BOTH
def test_a_wrong_number_stays_in_the_form_and_nothing_is_sent(system: str) -> None:
    p = Player(system, READY).press("m", "down", "down", "down", "down", "'far'", "enter")
    assert "whole number" in p.message()
    assert p.store.step == len(READY)
    p.press("ctrl+u", "'12'", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:12"']


def test_a_distance_that_is_there_already_is_shown_and_not_sent_again() -> None:
    p = Player("dungeon-universalis", [*READY, 'set "Orc 2" distance=3', 'set "Orc 1" distance=9']).press("m")
    p.press("down", "down", "down", "down", "ctrl+u", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:"']
    assert p.store.encounter.combatants["c4"].fields["distance"] == 3


def test_a_placement_asks_too() -> None:
    p = Player("dungeon-universalis", READY).press("M", "down", "right", "down", "'5'", "enter")
    assert p.asked() == ['place "Orc 1" vs Shara distance="Orc 1:5"']


def test_a_placement_asks_how_far_the_heroes_are_of_whom_the_nearest_rolls() -> None:
    p = Player("dungeon-universalis", READY).press("M", *["down"] * 6, "'2'", "enter")
    assert p.asked() == ['place "Orc 1" distance=Tam:2']
    assert [ask.who for ask in p.store.system.due(p.store.encounter)] == ["c2", "c3"]


def test_without_enemies_or_heroes_the_word_is_begun_as_a_line() -> None:
    p = Player("dungeon-universalis", [*HEROES, "begin"]).press("m")
    assert ":meet" in p.text()


def test_while_a_contest_is_under_way_there_is_no_form() -> None:
    p = Player("dungeon-universalis", [*READY, 'meet Shara vs "Orc 1"'])
    assert p.store.system.form(p.store.encounter, "meet") == ()
    assert p.store.system.form(p.store.encounter, "calm") == ()


def test_many_enemies_scroll() -> None:
    p = Player("dungeon-universalis", [*HEROES, "add 30 Rat", "begin"]).press("m")
    p.press("down", "right", "right")
    assert "[Rat 2] 2 of 30" in p.text()
    p.press("left", "left")
    assert "[-] 0 of 30" in p.text()
    p.press(*["down"] * 32)
    assert ">Rat 30" in p.text()
    p.press("'7'", "enter")
    assert p.asked() == ['meet Shara distance="Rat 30:7"']

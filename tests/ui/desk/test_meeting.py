"""The forms of `meet` and `place` by keys: one list says who is there, how far away and who rolls."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.ui.state.scene import letters

HEROES = ("add Shara owner=Mia per=4 int=3", "add Tam owner=Tom per=1 int=2")
READY = (*HEROES, "add 3 Orc per=1", "begin")
BOTH = pytest.mark.parametrize("system", ["dungeon-universalis", "dungeon-track"])


def orders(p: Player) -> str:
    return "\n".join(p.picture()["orders"])


@BOTH
def test_distances_are_typed_down_a_list_and_then_they_meet(system: str) -> None:
    p = Player(system, READY).press("m")
    assert "meet: reveals a section" in p.text()
    p.press("'4'", "j", "down", "'4'")
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
def test_enter_at_once_meets_everybody_without_distances(system: str) -> None:
    p = Player(system, READY).press("m")
    assert orders(p).count("[x] Orc") == 3
    p.press("enter")
    assert p.asked() == ["meet Shara"]


@BOTH
def test_some_of_them_another_discoverer_who_rolls_and_a_broken_door(system: str) -> None:
    p = Player(system, READY).press("m", "up", "y", "up", "t", "down", "down")
    p.press("j", "r", "j", "space", "enter")
    assert p.asked() == ['meet Tam vs "Orc 2" with="Orc 1,Orc 2" door=broken']


@BOTH
def test_a_whole_group_goes_by_its_name(system: str) -> None:
    p = Player(system, [*HEROES, "add 2 Orc group=Orcs", "add 2 Wolf group=Wolves", "begin"])
    p.press("m", "space", "j", "space", "enter")
    assert p.asked() == ["meet Shara with=Wolves"]


def test_everybody_or_nobody_with_one_key_and_nobody_is_refused_in_words() -> None:
    p = Player("dungeon-universalis", READY).press("m", "A")
    assert "[x]" not in orders(p)
    assert "no creature is ticked" in orders(p)
    p.press("enter")
    assert "no creature is ticked" in p.message()
    assert p.store.step == len(READY)
    p.press("A", "enter")
    assert p.asked() == ["meet Shara"]


def test_whoever_is_hidden_stays_in_reserve_unless_all_are() -> None:
    p = Player("dungeon-universalis", [*HEROES, "add 2 Orc", "add Rat hidden=yes", "begin"]).press("m")
    assert "[ ] Rat" in orders(p)
    p.press("enter")
    assert p.asked() == ['meet Shara with="Orc 1,Orc 2"']
    p = Player("dungeon-universalis", [*HEROES, "add 2 Orc hidden=yes", "begin"]).press("m", "enter")
    assert p.asked() == ["meet Shara"]


def test_dun_19_who_is_too_far_to_be_caught_is_told_while_the_squares_are_typed() -> None:
    p = Player("dungeon-universalis", READY).press("m", "'6'")
    assert "cannot be caught" not in orders(p)
    p.press("backspace", "'7'")
    assert "beyond 6: cannot be caught" in orders(p)
    p.press("up", "y")  # the door is broken: nobody can be
    assert "cannot be caught" not in orders(p)


def test_letters_are_no_squares() -> None:
    p = Player("dungeon-universalis", READY).press("m", "'f'", "'1'", "'2'", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:12"']


def test_a_wrong_number_stays_in_the_form_and_nothing_is_sent() -> None:
    p = Player("dungeon-universalis", READY).press("m", "'1234'", "enter")
    assert "takes 0 to 999" in p.message()
    assert p.store.step == len(READY)
    p.press("backspace", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:123"']


def test_a_distance_that_is_there_already_is_shown_and_not_sent_again() -> None:
    p = Player("dungeon-universalis", [*READY, 'set "Orc 2" distance=3', 'set "Orc 1" distance=9']).press("m")
    p.press("backspace", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:"']
    assert p.store.encounter.combatants["c4"].fields["distance"] == 3


def test_the_first_digit_replaces_a_distance_that_was_there() -> None:
    p = Player("dungeon-universalis", [*READY, 'set "Orc 1" distance=9']).press("m", "'2'", "'0'", "enter")
    assert p.asked() == ['meet Shara distance="Orc 1:20"']


@BOTH
def test_several_are_placed_with_one_form_which_is_one_step_and_one_undo(system: str) -> None:
    p = Player(system, READY)
    steps, before = p.store.step, p.store.encounter
    p.press("M", "space", "j", "space", "'5'", *["down"] * 2, "t", "enter")
    assert p.asked() == ['place "Orc 1" "Orc 2" vs Tam distance="Orc 2:5"']
    assert p.store.step == steps + 1
    p.press("u")
    assert p.store.encounter == before


def test_whoever_was_selected_is_ticked_and_the_selection_ends_with_the_form() -> None:
    p = Player("dungeon-universalis", READY).press(
        "tab", "/", "'orc'", "enter", "g", "j", "space", "j", "space"
    )
    assert len(p.desk.view.selected) == 2
    p.press("M", "enter")
    assert p.asked() == ['place "Orc 2" "Orc 3"']
    assert not p.desk.view.selected


def test_one_enemy_in_reserve_needs_no_tick() -> None:
    p = Player("dungeon-universalis", [*HEROES, "add Ogre", "begin"]).press("M", "enter")
    assert p.asked() == ["place Ogre"]


def test_a_placement_asks_how_far_the_heroes_are_of_whom_the_nearest_rolls() -> None:
    p = Player("dungeon-universalis", READY).press("M", "space", *["up"] * 1, "'2'", "enter")
    assert p.asked() == ['place "Orc 1" distance=Tam:2']
    assert [ask.who for ask in p.store.system.due(p.store.encounter)] == ["c2", "c3"]


def test_without_enemies_to_be_met_the_key_says_so() -> None:
    p = Player("dungeon-universalis", [*HEROES, "begin"]).press("m")
    assert p.desk.view.mode is None
    assert "no enemies are in reserve" in p.message()


@pytest.mark.parametrize("size", [(80, 24), (120, 30), (60, 18), (40, 12)])
def test_many_enemies_scroll_and_say_how_many_there_are(size: tuple[int, int]) -> None:
    p = Player("dungeon-universalis", [*HEROES, "add 30 Rat", "begin"])
    p.size = size
    p.press("m")
    assert "of 30" in p.picture()["orders"][0]
    assert "who finds them" in orders(p)
    p.press(*["j"] * 29)
    assert "30 of 30" in p.picture()["orders"][0]
    assert ">  [x] Rat 30" in orders(p)
    p.press("'7'", "enter")
    assert p.asked() == ['meet Shara distance="Rat 30:7"']


@BOTH
def test_the_hero_under_the_cursor_finds_them_while_nobody_acts(system: str) -> None:
    p = Player(system, READY).press("j", "m", "enter")
    assert p.asked() == ["meet Tam"]


def test_a_fair_die_is_rolled_without_the_dice_that_it_decides_about() -> None:
    p = Player(
        "dungeon-universalis",
        [*HEROES, "add 3 Orc per=1 distance=3", 'set "Orc 2" int=4', "begin", "meet Tam"],
    )
    assert "A fair die chooses who rolls" in p.picture()["now"][0]
    p.press("r")
    assert p.asked() == ["roll GM"]
    assert "Still to roll 2d6: Tam, Orc" in p.picture()["now"][0]


def test_the_cursor_follows_when_the_other_side_begins() -> None:
    lines = (*READY, "place Orc*", "roll", "end")
    p = Player("dungeon-universalis", lines).press("G", "g", "j", "n")
    assert "The dark side's turn" in p.text()
    assert "Orc 1" in next(row for row in p.picture()["track"] if row.startswith(">"))


def test_who_shares_a_row_has_no_letter_and_is_not_hit_in_place_of_who_acts() -> None:
    p = Player(
        "dungeon-universalis", [*HEROES, "add Owl hp=3 side=heroes acts_with=Tam", *READY[2:], "turn Shara"]
    )
    key = key_of_name(p, "Owl")
    assert key not in letters(p.desk.scene)
    p.press("tab")
    assert key in letters(p.desk.scene)


def key_of_name(p: Player, name: str) -> str:
    """The key of a creature."""
    return next(c.id for c in p.store.encounter.combatants.values() if c.name == name)


@BOTH
def test_who_rolls_is_there_and_who_is_not_there_does_not_roll(system: str) -> None:
    p = Player(system, READY).press("m", "space", "r")
    assert "[x] Orc 1" in orders(p)
    assert 'meet Shara vs "Orc 1"' in p.text()
    p.press("space")
    assert "[ ] Orc 1" in orders(p)
    p.press("enter")
    assert p.asked() == ['meet Shara with="Orc 2,Orc 3"']


@BOTH
def test_j_and_k_leave_a_choice_by_the_way_they_came(system: str) -> None:
    p = Player(system, (*READY, "meet Shara with=orc* door=broken", "roll", "add Rat")).press("M")
    p.press("j")
    assert "> against" in " ".join(p.text().split())
    p.press("k")
    assert "> [" in " ".join(p.text().split())
    hero = Player(system, ("add Jo kind=pc per=1", *READY)).press("m", "k", "k")
    assert "[Shara]" in hero.press("'s'").text()
    assert "[Jo]" in hero.press("j").text(), "a letter that takes a choice takes it"

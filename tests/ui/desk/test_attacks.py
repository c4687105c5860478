"""Attacks by keys: the list, the target, the dice of the app or of the table, and what is proposed again."""

from __future__ import annotations

from tests.kit.keyboard import Player
from tui.ui.modes.menu import Menu
from tui.ui.modes.prompt import Prompt
from tui.ui.modes.rolls import RollList

APOSTROPHE = "'''"
"""The key itself, as a text that is typed."""
CAN = "Multiattack: one bite, two claws; Bite +7 3 piercing; Spew dc14 dex 2d6 acid half"
PEOPLE = (
    f'add Troll value=20 hp=60 ac=13 attacks="{CAN}"',
    "add Ana kind=pc value=10 hp=30 ac=1",
    "add Bo kind=pc value=9 hp=30 ac=1",
    "count Troll Spew 1",
    "begin",
    "next",
)


def hp(p: Player) -> list[int | None]:
    """Return the hit points of Ana and Bo."""
    return [p.store.encounter.combatants[k].hp for k in ("c2", "c3")]


def test_four_keys_attack_and_the_second_time_three() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "1", "1")
    assert isinstance(p.desk.view.mode, Prompt)
    p.press("enter")
    assert p.asked() == ["attack Troll Bite Ana"]
    p.press(APOSTROPHE, "1", "enter")
    assert p.asked() == ["attack Troll Bite Ana"]
    p.press(APOSTROPHE, "1", "down", "enter")
    assert p.asked() == ["attack Troll Bite Bo"]


def test_numbers_are_the_dice_of_the_table() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "1", "2", "'14 9'", "enter")
    assert (p.asked(), hp(p)) == (["attack Troll Bite Bo face=14 damage=9"], [30, 21])
    p.press(APOSTROPHE, "1", "'adv'", "enter")
    assert p.asked() == ["attack Troll Bite Bo adv=adv"]


def test_a_digit_that_is_a_die_and_no_target_is_announced_before_it_is_sent() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "1", "1")
    assert "Enter rolls" in p.text()
    p.press("enter", APOSTROPHE, "1", "1")
    assert "Enter takes the table's 1" in p.text()


def test_an_attack_with_a_save_has_its_own_hints_and_no_die_to_hit() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "2", "1")
    assert "Enter rolls the damage" in p.text()
    assert "d20" not in p.text()
    p.press("'24'")
    assert "Enter takes the table's 24" in p.text()


def test_who_has_fallen_is_not_proposed_again() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "1", "1", "'14 30'", "enter")
    p.press(APOSTROPHE, "1")
    assert isinstance(p.desk.view.mode, Menu)
    assert [x.text for x in p.desk.view.mode.items][:2] == ["Bo", "Ana"]
    p = Player(lines=PEOPLE).press(APOSTROPHE, "2", "A", "'2'", "enter", "f", "m")
    p.press("escape", "':'", "'damage Ana 30'", "enter", APOSTROPHE, "1")
    assert "attack Troll Bite Bo" in p.text()


def test_each_attacker_has_a_last_target_of_its_own() -> None:
    wolf = 'add Wolf value=19 attacks="Nip +9 1"'
    p = Player(lines=(*PEOPLE[:3], wolf, "begin", "next")).press(APOSTROPHE, "1", "1", "enter")
    p.press("n", APOSTROPHE, "1")
    assert isinstance(p.desk.view.mode, Menu)
    p.press("2", "enter", APOSTROPHE, "1", "enter")
    assert p.asked(2) == ["attack Wolf Nip Bo", "attack Wolf Nip Bo"]
    p.press("k", ":", "'attacks Troll Bite'", "enter")
    assert "attack Troll Bite Ana" in p.text()


def test_the_targets_of_a_breath_are_not_proposed_to_a_bite() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "2", "A", "'4'", "enter", "f", "f", "escape")
    p.press(APOSTROPHE, "1")
    assert isinstance(p.desk.view.mode, Menu)
    p.press("escape", ":", "'attacks Troll Spew'", "enter")
    assert "Ana,Bo" in p.text()


def test_the_list_of_targets_says_who_has_no_hit_points() -> None:
    p = Player(lines=(*PEOPLE, "add Ghost side=heroes ac=9")).press(APOSTROPHE, "1")
    assert "AC 9 no hp" in p.text()


def test_the_row_of_the_cursor_and_selected_rows_are_the_targets() -> None:
    p = Player(lines=PEOPLE).press("j", "j", APOSTROPHE, "1", "enter")
    assert p.asked() == ["attack Troll Bite Bo"]
    p = Player(lines=PEOPLE).press("j", "space", "j", "space", APOSTROPHE, "2", "'11'", "enter")
    assert p.asked() == ["attack Troll Spew Ana,Bo damage=11"]
    assert isinstance(p.desk.view.mode, RollList)
    p.press("m", "f")
    assert hp(p) == [25, 19]


def test_all_foes_at_once_and_a_use_that_is_spent() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "2", "A", "enter", "m", "m")
    assert p.asked(3) == ["attack Troll Spew @heroes", "made Ana", "made Bo"]
    p.press(APOSTROPHE, "2", "enter")
    assert "Troll has no Spew left" in str(p.desk.view.notice)


def test_a_text_is_said_and_rolls_nothing() -> None:
    p = Player(lines=PEOPLE).press(APOSTROPHE, "k", "enter")
    assert (p.store.step, p.desk.view.mode) == (len(PEOPLE), None)
    assert "one bite, two claws" in str(p.desk.view.notice)


def test_who_acts_without_attacks_leaves_them_to_the_row() -> None:
    p = Player(lines=(*PEOPLE, "next")).press(APOSTROPHE)
    assert "Ana has no attacks" in str(p.desk.view.notice)
    p.press("k", APOSTROPHE)
    assert isinstance(p.desk.view.mode, Menu)
    p.press("1", "1", "enter")
    assert p.asked() == ["attack Troll Bite Ana"]


def test_the_card_of_who_acts_begins_with_the_attacks() -> None:
    text = Player(lines=PEOPLE).text()
    assert text.index("1 Bite +7 3 piercing") < text.index("2 Spew") < text.index("Multiattack")
    assert text.index("Multiattack") < text.index("no conditions")


def test_of_a_group_one_who_stands_attacks() -> None:
    lines = ('add 3 Rat hp=2 group=Rats value=9 attacks="Nip +2 1"', "add Ana kind=pc ac=1 hp=9 value=5")
    p = Player(lines=(*lines, 'damage "Rat 1" 2', "begin", "next")).press(APOSTROPHE, "1", "1", "enter")
    assert p.asked() == ['attack "Rat 2" Nip Ana']

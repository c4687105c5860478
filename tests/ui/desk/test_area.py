"""Damage to many by keys: who is in it, the numbers, then the saves, and what comes of it."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.systems import Registry
from tui.ui.modes.form import Form
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


def test_a_side_is_ticked_and_taken_out_again_with_the_same_key() -> None:
    p = Player(lines=PEOPLE).press("*", "'8'", *["tab"] * 6, "A", "A", "k", "space", "enter")
    assert p.asked() == ["area Ana damage=8"]


def test_a_blank_in_a_field_is_nothing() -> None:
    p = Player(lines=PEOPLE).press("*", "'8'", "tab", "space", "tab", "space", *["tab"] * 3, "space", "enter")
    assert p.asked() == ["area Ana damage=8"]


def test_without_a_dc_it_is_dealt_at_once_and_half_may_be_none() -> None:
    p = Player(lines=PEOPLE).press("j", "space", "*", "'5'", "enter")
    assert p.asked() == ['area "Orc 1" damage=5']
    assert (p.store.encounter.combatants["c2"].hp, p.desk.view.mode) == (2, None)
    p.press("*", "tab", "'10'", "tab", "tab", "tab", "right", "tab", "space", "enter")
    assert p.asked() == ["area Ana damage=5 dc=10 half=no"]


def test_the_numbers_of_the_last_area_stand_there_and_whom_it_hit_does_not() -> None:
    p = Player(lines=(*PEOPLE, "area orc* damage=8d6 dc=15 save=dex made=orc*")).press("*")
    form = p.desk.view.mode
    assert isinstance(form, Form)
    assert {k: v for k, v in form.texts.items() if v} == {
        "damage": "8d6",
        "dc": "15",
        "save": "dex",
        "half": "half",
    }


def test_it_is_refused_with_what_is_missing_and_nothing_is_lost() -> None:
    p = Player(lines=PEOPLE).press("*", "enter")
    assert "how much damage" in p.message()
    p.press("'8'", "enter")
    assert "no target is selected" in p.message()
    p.press("shift+tab", "space", "enter")
    assert p.asked() == ['area "Wolf 2" damage=8']


def test_hidden_creatures_and_conditions_are_marked_beside_the_names() -> None:
    p = Player(lines=(*PEOPLE, "hide Ana", "condition Ana prone")).press("*")
    row = next(line for line in p.text().splitlines() if "[ ] Ana" in line)
    assert "HIDDEN  18/18" in row
    assert "prone" in row
    p = Player(lines=("option zero.pc=dying", *PEOPLE, "damage Ana 18")).press("*")
    row = next(line for line in p.text().splitlines() if "[ ] Ana" in line)
    assert "0/18  dying" in row
    assert row.count("dying") == 1


@pytest.mark.parametrize(
    ("field", "typed", "wrong"),
    [(0, "8 fire", '"fire" at letter 3'), (1, "abc", "dc="), (1, "0", "dc="), (2, "d3x", "save=")],
)
def test_a_wrong_field_is_named_while_it_is_typed_and_before_anybody_is_ticked(
    field: int, typed: str, wrong: str
) -> None:
    p = Player(lines=PEOPLE).press("*", "'8'", "tab", "'12'", "tab", "'dex'", "tab", "tab", "tab")
    p.press(*["shift+tab"] * (5 - field), "ctrl+u", f"'{typed}'")
    shown = "\n".join(p.picture()["orders"])
    assert wrong in shown.partition("\n! ")[2]
    steps = p.store.step
    p.press("enter")
    assert p.store.step == steps


def test_a_number_in_place_of_the_key_is_the_dc_and_a_key_without_one_is_asked_for_it() -> None:
    p = Player(lines=PEOPLE).press("j", "space", "*", "'5'", "tab", "tab", "'13'", "enter")
    assert p.asked() == ['area "Orc 1" damage=5 save=13']
    assert isinstance(p.desk.view.mode, RollList)


def test_a_save_without_a_number_is_never_dropped_silently() -> None:
    p = Player(lines=PEOPLE).press("j", "space", "*", "'5'", "tab", "tab", "'dex'", "enter")
    assert "save=dex needs to know what it must reach" in p.message()
    p.press("shift+tab", "'13'", "enter")
    assert p.asked() == ['area "Orc 1" damage=5 dc=13 save=dex']


def test_the_list_opens_where_the_first_ticked_row_stands() -> None:
    p = Player(lines=["add 20 Orc hp=7", "add Ogre hp=9"]).press("G", "space", "*")
    assert any("[x] Ogre" in row for row in p.picture()["orders"])


def test_an_area_does_not_reach_those_who_wait_in_reserve() -> None:
    lines = ("add Ana owner=Mia hp=18", "add 2 Orc hp=7", "add 2 Rat hp=3", "begin", "place orc*", "roll")
    p = Player("dungeon-universalis", lines).press("*", "'5'", *["tab"] * 5)
    form = "\n".join(p.picture()["orders"])
    assert "Orc 2" in form
    assert "Rat" not in form
    p.press("j", "A", "enter")
    assert p.asked() == ['area "Orc 1,Orc 2" damage=5']


@pytest.mark.parametrize(("variable", "asked"), [("true", True), ("false", False)])
def test_the_form_asks_whether_it_hits_where_the_system_counts_hits(variable: str, asked: bool) -> None:
    lines = ["add Ana kind=pc per=1 hp=9", f"option trk.variable={variable}", "begin"]
    p = Player("dungeon-track", lines).press("*", "'3'", *["tab"] * 5)
    p.press(*(["right", "tab"] if asked else []), "space", "enter")
    assert p.asked() == ["area Ana damage=3" + (" hit=yes" if asked else "")]


def test_of_many_in_it_the_list_gives_way_and_the_numbers_stay_in_sight() -> None:
    p = Player("classic", lines=("add Ana kind=pc hp=20", "add 12 Orc hp=15", "begin"))
    for keys in ((), ("tab",), ("tab",) * 8):
        p.press("*", *keys)
        shown = " ".join(p.picture()["orders"])
        assert all(word in shown for word in ("damage", "DC", "save", "type", "made", "Orc 1"))
        p.press("escape")

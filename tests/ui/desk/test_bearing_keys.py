"""Keys for what creatures bear: counters, damage over an area, hidden conditions, the card."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

THREE = ("add Ana owner=A hp=18", "add Bo owner=B hp=20", "add 2 Orc hp=15")


def test_the_only_counter_is_spent_by_one_key() -> None:
    p = Player(lines=["add Ana owner=A", "count Ana slots 3 max=3"]).press("$")
    assert p.asked() == ["count Ana slots -1"]
    assert "slots 2/3" in p.text()


def test_of_several_counters_a_digit_says_which() -> None:
    lines = ["add Ana owner=A", "count Ana slots 3 max=3", 'count Ana "War Cry" 1 max=1']
    p = Player(lines=lines).press("$")
    assert "spend slots" in p.text()
    p.press("2")
    assert p.asked() == ['count Ana "War Cry" -1']


def test_an_empty_counter_is_given_back_from_the_menu() -> None:
    p = Player(lines=["add Ana owner=A", "count Ana slots 1 max=1", "count Ana slots -1"]).press("$", "enter")
    assert p.asked() == ["count Ana slots +1"]


def test_a_new_counter_is_begun_in_the_prompt() -> None:
    p = Player(lines=["add Ana owner=A"]).press("$")
    assert "count Ana " in p.picture()["hints"][0]
    p.press("'slots 3'", "enter")
    assert p.asked() == ["count Ana slots 3"]
    p.press(":", "'counters'", "enter", "a")
    assert "count Ana " in p.picture()["hints"][0]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("space", "j", "space", "space", "d", "'14'", "enter"), "damage Ana 14 half=Bo"),
        (("space", "space", "j", "space", "space", "d", "'9'", "enter"), "damage Ana,Bo 9 half=Ana,Bo"),
        (("space", "j", "space", "space", "space", "d", "'5'", "enter"), "damage Ana 5"),
        (("space", "j", "space", "space", "d", "'2d6'", "h"), "damage Ana 2d6/2 half=Bo"),
        (("space", "j", "space", "space", "8", "d", "enter"), "damage Ana 8 half=Bo"),
    ],
)
def test_once_selected_takes_all_twice_half_and_thrice_nothing(keys: tuple[str, ...], line: str) -> None:
    p = Player(lines=THREE).press(*keys)
    assert p.asked() == [line]


def test_an_area_is_one_step_and_shown_while_it_is_chosen() -> None:
    p = Player(lines=THREE)
    before = p.store.step
    p.press("space", "j", "space", "space")
    assert "half of any damage for 1" in p.message()
    assert "½" in p.text()
    p.press("d", "'14'")
    assert "damage Ana 14 half=Bo" in p.picture()["hints"][0]
    p.press("enter")
    assert p.store.step == before + 1
    assert [c.hp for c in p.store.encounter.combatants.values()] == [4, 13, 15, 15]
    assert not p.desk.view.selected
    p.press("space")
    assert "half" not in p.message(), "what was half before is whole when it is selected anew"


def test_a_condition_is_hidden_and_shown_by_one_key() -> None:
    p = Player(lines=["add Ana owner=A", "condition Ana cursed"]).press("V")
    assert p.asked() == ["hide Ana cursed"]
    assert "cursed (hidden)" in p.text()
    p.press("V")
    assert p.asked()[-1] == "reveal Ana cursed"
    p.press(":", "'condition Ana sick'", "enter", "V", "2")
    assert p.asked()[-1] == "hide Ana sick"


def test_why_tells_what_a_condition_does_and_who_counts_it() -> None:
    lines = [
        *THREE,
        "begin",
        "roll",
        'condition "Orc 1" cursed rounds=2 of=Ana',
        "condition Bo blessed of=Ana conc=yes",
    ]
    p = Player(lines=lines)
    p.desk.show(track=next(c.id for c in p.store.encounter.combatants.values() if c.name == "Orc 1"))
    assert "2 of Ana's turns left" in " ".join(p.press("w").text().split())
    p.press("escape")
    p.desk.show(track=next(c.id for c in p.store.encounter.combatants.values() if c.name == "Bo"))
    assert "while Ana concentrates" in " ".join(p.press("w").text().split())


def test_the_card_stays_when_it_is_pinned_and_is_scrolled() -> None:
    card = " ".join(f"word{i}" for i in range(200))
    p = Player(lines=[*THREE, f'set Ana card="{card}"', "begin", "roll"])
    p.desk.show(track=next(iter(p.store.encounter.combatants)))
    p.press("j", "k")
    p.desk.rest()
    p.press("Z")
    p.press("G")
    p.desk.rest()
    assert "pinned" in p.text()
    assert "word0" in p.text()
    p.press(">")
    assert "word0 " not in p.text()
    p.press("<", "Z")
    p.desk.rest()
    assert "pinned" not in p.text()

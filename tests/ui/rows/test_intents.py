"""What the enemies are about to do is read whole while heroes declare, before anything else gives way."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

INTENTS = {
    "Gnolls": "drag somebody into the water",
    "Ettin": "throws a rock at the casters, and then another one at whoever stands nearest",
    "Stalker": "waits behind the cart until somebody comes near enough",
}
LINES = (
    "add Sela owner=Ann hp=20",
    "add Oren owner=Ben hp=13",
    "add Fay owner=Lu hp=16",
    "add 4 Gnoll group=Gnolls hp=9",
    "add Ettin hp=40",
    "add Stalker hp=15",
    "begin",
    *(f'order {name} intent="{words}"' for name, words in INTENTS.items()),
    "damage Gnoll* 2",
    "order Sela weapon=1d8 move=yes",
    "order Oren spell=3",
)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 24)])
def test_intents_are_whole_in_the_form_of_a_declaration(size: tuple[int, int]) -> None:
    p = Player("dynamic", LINES)
    p.size = size
    p.press("o")
    shown = " ".join(" ".join(p.picture()["summary"]).split())
    for name, words in INTENTS.items():
        assert f"{name}: intent {words}" in shown
    assert shown.index("Gnolls") < shown.index("Sela: weapon"), "what the own side does comes after it"


def test_where_there_is_little_room_the_form_stays_and_the_summary_gives_way() -> None:
    p = Player("dynamic", LINES)
    p.size = (60, 18)
    p.press("o")
    drawn = p.picture()
    assert any("weapon" in row for row in drawn["orders"])
    assert any("move" in row for row in drawn["orders"])
    assert "still owed: Fay" in " ".join(drawn["summary"])


def test_a_save_of_the_rounds_end_is_asked_for_before_the_intents_of_the_next() -> None:
    p = Player("dynamic", [*LINES[:5], "begin", "order Sela", "lock missing=empty", "roll"])
    for _ in range(5):
        p.store.run("next")
    p.store.run("condition Oren afraid save=wis dc=12")
    p.store.run("next")
    assert p.store.encounter.round == 1
    assert "Oren owes a save against afraid: DC 12" in p.picture()["now"][0]
    p.press("r", "n")
    assert p.store.encounter.round == 2
    assert "What will Gnolls do this round?" in p.picture()["now"][0]


def test_the_key_of_an_order_asks_the_intents_first_while_a_save_is_owed_and_not_once_they_are_left_out() -> (
    None
):
    p = Player("dynamic", [*LINES[:5], "begin", "condition Oren hex conc=yes of=Oren", "damage Oren 1"])
    assert "no player has said what Gnolls, Ettin will do: [o] order" in p.picture()["now"][1]
    p.press("o")
    assert "[Order: Gnolls]" in p.text()
    p.press("enter", "enter")
    assert "[Order: Sela" in p.text()
    p.press("escape")
    assert "Oren owes a concentration save" in p.picture()["now"][0]
    assert "[o] order" not in " ".join(p.picture()["now"])


def test_a_refused_roll_names_what_the_key_of_an_order_asks_first() -> None:
    p = Player("dynamic", LINES[:7]).press("r")
    assert p.message().endswith("What will Gnolls do this round? [o] order")
    assert "[Order: Gnolls]" in p.press("o").text()


def test_what_a_creature_means_to_do_goes_with_it_into_a_group_and_not_with_the_fallen() -> None:
    p = Player("dynamic", [*LINES[:10], "out Ettin", "group Ettin,Stalker Pair"])
    rows = " ".join(p.picture()["orders"])
    assert "throws a rock" not in rows
    p = Player("dynamic", [*LINES[:10], "group Ettin,Stalker Pair"])
    rows = " ".join(" ".join(p.picture()["orders"]).split())
    assert "Pair" in rows
    assert "throws a rock" in rows
    assert "Stalker" not in rows

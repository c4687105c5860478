"""What the enemies are about to do is read whole while heroes declare, before anything else gives way."""

from __future__ import annotations

import pytest

from tests.ui.keyboard import Player

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
    shown = " ".join(" ".join(p.picture()["track"]).split())
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
    assert "still owed: Fay" in " ".join(drawn["track"])


def test_a_save_that_is_left_from_the_round_before_is_asked_for_before_the_intents() -> None:
    p = Player("dynamic", [*LINES[:5], "begin", "order Sela", "lock missing=empty", "roll"])
    for _ in range(5):
        p.store.run("next")
    p.store.run("condition Oren afraid save=wis dc=12")
    p.store.run("next")
    assert p.store.encounter.round == 2
    assert "Oren owes a save against afraid: DC 12" in p.picture()["now"][0]
    p.press("r")
    assert "What will Gnolls do this round?" in p.picture()["now"][0]

"""The forms of `meet` and `place` by keys: one list says who is there, how far away and who rolls."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player
from tui.ui.state.scene import assign_letters

HEROES = ("add Shara owner=Mia per=4 int=3", "add Tam owner=Tom per=1 int=2")
READY = (*HEROES, "add 3 Orc per=1", "begin")
BOTH = pytest.mark.parametrize("system", ["dungeon-universalis", "dungeon-track"])


def orders(p: Player) -> str:
    return "\n".join(p.picture()["orders"])


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


def test_who_shares_a_row_has_no_letter_and_is_not_hit_in_place_of_who_acts() -> None:
    p = Player(
        "dungeon-universalis", [*HEROES, "add Owl hp=3 side=heroes acts_with=Tam", *READY[2:], "turn Shara"]
    )
    key = key_of_name(p, "Owl")
    assert key not in assign_letters(p.desk.scene)
    p.press("tab")
    assert key in assign_letters(p.desk.scene)


def key_of_name(p: Player, name: str) -> str:
    """The key of a creature."""
    return next(c.id for c in p.store.encounter.combatants.values() if c.name == name)


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

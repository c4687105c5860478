"""A system from a folder of the user's, played by keys alone."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player, lines
from tests.plugins import REGISTRY


@pytest.fixture
def p() -> Player:
    """An empty fight of a system that the program does not know."""
    return Player("torch", systems=REGISTRY)


def test_a_round_of_it_by_keys_and_two_into_the_next(p: Player) -> None:
    p.press(*lines("add Ana kind=pc hp=9", "add Bo kind=pc quick=yes", "add 2 Orc hp=4"), "b")
    assert "Who begins?" in p.text()
    p.press("enter", "space", "enter")
    assert p.asked() == ["pick Ana"]
    p.press("n")
    assert "Ana acts" in p.text()
    p.press(*lines("end"))
    assert "chooses the next creature" in p.text()
    p.press("S")
    assert ":seize" in p.text(), "its own key, its own word"
    p.press("ctrl+u", "'Bo'", "enter", "n")
    assert p.asked(2) == ["seize Bo", "next"]
    p.press("1", "d", "escape", *lines("end"), "G", "enter")
    assert p.store.encounter.acting == "c4"
    p.press("n", "n", "n")
    assert p.store.encounter.round == 2


def test_its_fields_rules_and_refusals_are_on_the_screen(p: Player) -> None:
    p.size = (120, 50)
    p.press(*lines("add Ana quick=yes", "add Bo"), "?", "'seize'")
    assert "may seize the baton" in p.text()
    p.press("ctrl+u", "escape", "b", "enter", "enter")
    assert p.store.encounter.running
    p.press(*lines("rule"))
    assert "names somebody who has not" in p.text()
    p.press("escape", *lines("verbs"))
    assert "takes the baton out of turn" in p.text()
    p.press("escape", *lines("seize Bo"))
    assert "cannot seize the baton now" in p.text()

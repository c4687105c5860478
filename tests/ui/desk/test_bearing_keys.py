"""Keys for what creatures bear: counters, damage over an area, hidden conditions, the card."""

from __future__ import annotations

from tests.kit.keyboard import Player

THREE = ("add Ana owner=A hp=18", "add Bo owner=B hp=20", "add 2 Orc hp=15")


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

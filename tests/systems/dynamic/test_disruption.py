"""Spell disruption: who owes a save, when, and what it costs (DIS-17, DIS-A22)."""

from __future__ import annotations

from msgspec.structs import replace

from tests.systems.dynamic.fights import kinds, rolled
from tui.store.history import History
from tui.store.store import Store


def test_dis_17_a_save_that_an_earlier_version_asked_for_is_rolled_with_its_bonus() -> None:
    """Journals of earlier versions note in the round what is owed, and nothing with the creature."""
    t = rolled(disruption="each_hit")
    t.do("set Oren con=2", "damage Oren 1")
    people = {k: replace(c, owes=()) for k, c in t.encounter.combatants.items()}
    t.store = Store("old", History(replace(t.encounter, combatants=people)), t.store.systems, t.store.effects)
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Oren", [20], "DIS-17")]
    assert [x.text for x in t.do("roll Oren 8").lines] == [
        "Oren rolls 10 (8+2) at the table", "Oren makes the save: the spell stands (DIS-17)"
    ]  # fmt: skip
    assert kinds(t) == []

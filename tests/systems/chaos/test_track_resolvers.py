"""Who may resolve an order where players lead the fight: the opponents, from the seat after its owner on."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.rules.system import Gmless, may_resolve, resolved_entry
from tui.systems.chaos.track import opponents


def hall() -> Table:
    """Ana is Mia's and Bo Jon's, of two sides; Cy is Eve's and on Mia's; nobody plays the wolf."""
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do(
        "add Ana owner=Mia side=red",
        "add Bo owner=Jon side=blue",
        "add Cy owner=Eve side=red",
        "add Wolf side=wild",
    )
    return t


@pytest.mark.parametrize(
    ("name", "players"),
    [("Ana", ["Jon"]), ("Bo", ["Eve", "Mia"]), ("Cy", ["Jon"]), ("Wolf", ["Mia", "Jon", "Eve"]), ("", [])],
)
def test_the_opponents_sit_round_the_table_from_the_owner_on(name: str, players: list[str]) -> None:
    e = hall().encounter
    key = next((c.id for c in e.combatants.values() if c.name == name), "c99")
    assert opponents(e, key) == players


def test_for_an_entry_that_is_gone_anybody_may_answer() -> None:
    t = hall()
    system = t.store.system
    assert isinstance(system, Gmless)
    assert system.resolvers(t.encounter, "c99") == ("Mia", "Jon", "Eve")
    assert system.resolvers(t.encounter, "c1") == ("Jon",)
    assert resolved_entry(system, t.encounter) == ""
    assert [may_resolve(system, t.encounter, "c1", name) for name in ("jon", "Mia", "")] == [
        True,
        False,
        False,
    ]

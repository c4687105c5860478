"""Who comes next is told truly, and to nobody who may not know it."""

from __future__ import annotations

import pytest

from tests.table import Table
from tui.core.fight.viewer import text
from tui.core.rules.now import on_deck

PEOPLE = (
    "add Ana owner=Mia side=heroes value=20",
    "add Bo owner=Tom side=heroes value=15",
    "add Orc side=dark value=10",
    "add Ogre side=dark hidden=yes value=5",
)
ORDERS = ("order Ana weapon=1d8", "order Bo move=yes")
BEGUN = {
    "classic": ("begin", "next"),
    "dungeon-universalis": ("begin", "turn Ana"),
    "unbound": ("begin", "roll heroes 9", "roll dark 3", "turn Ana"),
    "dynamic": ("begin", *ORDERS, "roll", "next"),
    "chaos": ("begin", "lock missing=empty", "ok", "next"),
}


def told(t: Table) -> str:
    """Who comes after the running turn, in words."""
    return text(t.encounter, on_deck(t.encounter, t.store.system))


@pytest.mark.parametrize("system", BEGUN)
def test_who_is_said_to_come_next_acts_next(system: str) -> None:
    t = Table(system)
    for line in PEOPLE:
        t.do(line)
    for line in BEGUN[system]:
        if line != "roll" or t.state()["due"]:
            t.do(line)
    said = 0
    for _ in range(8):
        names, before = told(t), t.encounter.round
        t.do("next")
        acting = t.encounter.acting
        if not acting:
            break
        said += 1
        assert t.encounter.combatants[acting].name in names
        assert (f"round {t.encounter.round}" in names) is (t.encounter.round != before)
    assert said or "chooses" in names or " or " in names or "then Bo" in names


def test_players_are_not_told_of_somebody_whom_they_do_not_see() -> None:
    t = Table("classic")
    for line in ("add Ana owner=Mia value=20", "add Ogre hidden=yes value=10", "add Bo owner=Tom value=5"):
        t.do(line)
    for line in ("begin", "next"):
        t.do(line)
    assert t.state(None)["now"].startswith("Ana acts, then Ogre")
    for name in ("Mia", "Tom", ""):
        assert "then" not in t.state(name)["now"]

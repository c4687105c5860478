"""Another system in mid-fight: the people stay as they are, and the new one begins from there."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.store.sources import SeededDice
from tui.systems import Registry

IDS = Registry().ids()


def started(system: str) -> Table:
    table = Table(system, dice=SeededDice(3))
    table.do(
        "add Ana owner=Lia hp=12",
        "add Bo kind=pc hp=9",
        "add 3 Orc group=Orcs hp=7",
        "add Bat hp=2 hidden=yes",
        "begin",
    )
    for line in ('meet "Ana"', "lock missing=empty", "roll", "pick none", "roll", "ok", "next", "turn Ana"):
        try:
            table.do(line)
        except RuleError:
            continue
    table.do("damage Ana 5", 'condition "Orc 2" Prone rounds=3', "temp Bo 4", 'out "Orc 3"', "note before")
    return table


@pytest.mark.parametrize(("old", "new"), list(permutations(IDS, 2)))
def test_people_hit_points_conditions_groups_and_log_stay(old: str, new: str) -> None:
    table = started(old)
    before = table.state()
    table.do(f"system {new}")
    after = table.state()
    assert (after["system"], after["round"], after["acting"], after["phase"]) == (new, 0, "", "setup")
    assert (after["due"], after["offer"], after["track"], after["orders"]) == ([], {}, [], [])
    kept = ("id", "name", "side", "group", "owner", "hp", "max_hp", "temp_hp", "out", "hidden", "fields")
    for was, now in zip(before["combatants"], after["combatants"], strict=True):
        assert {k: was[k] for k in kept} == {k: now[k] for k in kept}
        # The turn in which a condition was given has ended.
        assert [x | {"fresh": False} for x in was["conditions"]] == now["conditions"]
        assert set(now["marks"]) <= {"hidden"}
    assert table.store.done(table.store.step - 1).line == "note before"
    table.do("begin")
    assert table.state()["round"] == 1
    table.do("undo 2")
    assert {k: v for k, v in table.state().items() if k not in ("last", "can_redo")} == {
        k: v for k, v in before.items() if k not in ("last", "can_redo")
    }

"""Every system under random play: nobody twice, nobody skipped, never stuck, whatever is edited in
mid-round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.random_fights import fight
from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.systems.counting import calls
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import RollAsk
from tui.store.sources import SeededDice
from tui.systems import Registry


@pytest.mark.parametrize("system", Registry().ids())
@cases(25)
@given(seed=st.integers(0, 10**9), steps=st.integers(1, 50))
def test_random_fights_keep_the_laws(system: str, seed: int, steps: int) -> None:
    fight(system, seed, steps)


def work(system: str, sides: Sequence[str], before: Sequence[str], line: str, creatures: int) -> int:
    """The calls behind a line, among so many creatures of two sides."""
    table = Table(system, dice=SeededDice(5))
    table.do(f"add {creatures // 2} Elf side={sides[0]}", f"add {creatures // 2} Orc side={sides[1]}")
    for text in before:
        table.do(text.format(many=creatures))
    return calls(partial(table.do, line.format(many=creatures)))


@pytest.mark.parametrize(
    ("system", "before", "line"),
    [
        ("classic", ["begin"], "roll"),
        ("classic", ["begin", "roll", "next", "add {many} Ogre"], "roll"),
        ("dynamic", ["begin"], "roll"),
        ("dungeon-track", ["begin", 'meet "Orc 1" vs "Elf 1" door=broken'], "roll"),
        ("unbound", ["begin", "surprise red by=blue"], "roll"),
        ("classic", [], "add {many} Ogre"),
        ("classic", [], "group @red Mob"),
        ("classic", [], "set orc* side=green"),
    ],
)
def test_a_line_works_no_more_than_the_dice_grow(system: str, before: Sequence[str], line: str) -> None:
    sides = ("dark", "heroes") if system.startswith("dungeon") else ("blue", "red")
    few, many = (work(system, sides, before, line, creatures) for creatures in (20, 200))
    assert many / few < 20, f"{few} {many}"


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


def test_damage_in_the_own_turn_disrupts_a_spell_that_is_switched_to() -> None:
    t = Table("dynamic", {"dis.disruption": "once"})
    t.do("add Ana kind=pc hp=9", "add Orc", "begin", "order Ana action=1")
    t.do("roll", dice=[1, 8])
    t.do("next", "damage Ana 2", "switch Ana spell=2")
    assert [x.save.cause for x in t.due() if isinstance(x, RollAsk) and x.save] == ["disruption"]

"""Adding, naming, grouping, hiding, hit points and conditions, by lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table
from tui.core.fight.combatant import Combatant
from tui.core.language.select import resolve
from tui.core.rules.newcomers import MOST_COMBATANTS


def names(table: Table) -> list[str]:
    return [c.name for c in table.encounter.combatants.values()]


def one(table: Table, name: str) -> Combatant:
    return next(c for c in table.encounter.combatants.values() if c.name == name)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["add Orc"], ["Orc"]),
        (["add 1 Orc"], ["Orc 1"]),
        (["add 2 Orc", "add 2 orc"], ["Orc 1", "Orc 2", "orc 3", "orc 4"]),
        (["add 2 Orc", 'remove "Orc 1"', "add 1 Orc"], ["Orc 2", "Orc 3"]),
        (['add "5 Orc"'], ["5 Orc"]),
        (["add Orc", "rename Orc Ogre"], ["Ogre"]),
    ],
)
def test_numbers_continue(lines: list[str], expected: list[str]) -> None:
    table = Table("classic")
    table.do(*lines)
    assert names(table) == expected


def test_a_number_may_be_dice_which_are_recorded() -> None:
    table = Table("classic")
    table.do("add 1d4 Orc", dice=[3])
    assert len(names(table)) == 3
    assert table.ledger.steps[0].events[0].faces == (3,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("add Ana", "already there"),
        ("add ana", "already there"),
        ("add Orcs", "name of a group"),
        ("add heroes", "name of a side"),
        ("add GM", "means something else"),
        ("add @x", "cannot be a name"),
        ('add "A,B"', "comma"),
        ("add Zed group=Ana", "name of a creature"),
        ("add Zed group=heroes", "it is a side"),
        ("add Zed side=Ana", "name of a creature"),
        ("add Zed group=Orcs side=heroes", "is on the side dark"),
        ("add Zed colour=red", "no system has colour"),
        ("add Zed mod=x", "whole number"),
        ("add Zed md=3", "did you mean mod?"),
        ("add Zed kind=god", "pc, npc or monster"),
        ("add 0 Zed", "1 to"),
        (f"add {MOST_COMBATANTS} Zed", "at the most"),
        ("rename Ana Bo", "already there"),
        ("damage Ghost 2", 'no combatant is called "Ghost"'),
        ("damage An 2", "fits"),
        ("damage xyz* 2", "no combatant fits"),
        ("damage Ana x", "x"),
        ("damage Ana 101d6", "100"),
        ("heal Rat 1", "no hit points"),
        ("clear Ana Prone", "no conditions"),
        ("back Ana", "already in the fight"),
        ("ungroup Ana", "in no group"),
        ("set Ana side=", "side="),
        ("option foo=1", "has no foo"),
        ("option classic.tie=never", "rolloff or mod"),
        ("system nope", "there are"),
        ("next", "has not begun"),
        ("lock", "has not begun"),
        ("condition Ana X rounds=99999", "0 to 9999"),
    ],
)
def test_bad_input_is_one_clear_line_and_changes_nothing(line: str, says: str) -> None:
    table = Table("classic")
    table.do("add Ana hp=5 owner=Lia", "add Andy", "add Bo", "add 2 Orc group=Orcs hp=4", "add Rat")
    table.refuse(line, says)


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("Ana", ["Ana"]),
        ("ANA", ["Ana"]),
        ("B", ["Bo"]),
        ("orc*", ["Orc 1", "Orc 2"]),
        ("Orc ?", ["Orc 1", "Orc 2"]),
        ("Bo,Ana,Bo", ["Bo", "Ana"]),
        ("@dark", ["Bo", "Orc 1", "Orc 2"]),
        ("@Orcs", ["Orc 1", "Orc 2"]),
        ("orcs", ["Orc 1", "Orc 2"]),
        ("Orc 1,Ana", ["Orc 1", "Ana"]),
    ],
)
def test_who(who: str, expected: list[str]) -> None:
    table = Table("classic")
    table.do("add Ana owner=Lia", "add Bo", "add 2 Orc group=Orcs")
    assert [table.encounter.combatants[k].name for k in resolve(table.encounter, who)] == expected


def test_without_a_side_players_are_heroes_and_the_rest_is_dark() -> None:
    table = Table("classic")
    table.do("add Ana owner=Lia", "add Bo kind=pc", "add Orc", "add Cat side=pets")
    assert [c.side for c in table.encounter.combatants.values()] == ["heroes", "heroes", "dark", "pets"]


@given(st.integers(0, 40), st.integers(0, 20), st.integers(0, 60))
def test_damage_takes_temporary_points_first_and_stops_at_0(hp: int, temp: int, amount: int) -> None:
    table = Table("classic")
    table.do(f"add Ana hp={hp} temp_hp={temp}", f"damage Ana {amount}")
    ana = one(table, "Ana")
    assert ana.temp_hp == max(0, temp - amount)
    assert ana.hp == max(0, hp - max(0, amount - temp))
    assert not ana.out


@pytest.mark.parametrize(("amount", "left"), [("5/2", 8), ("5*2", 0), ("2d4/2", 7), ("0", 10), ("7", 3)])
def test_scaled_amounts(amount: str, left: int) -> None:
    table = Table("classic")
    table.do("add Ana hp=10")
    table.do(f"damage Ana {amount}", dice=[3, 4] if "d" in amount else None)
    assert one(table, "Ana").hp == left


def test_one_roll_hits_all_alike() -> None:
    table = Table("classic")
    table.do("add 3 Orc hp=9")
    table.do("damage orc* 2d6", dice=[2, 3])
    assert [c.hp for c in table.encounter.combatants.values()] == [4, 4, 4]


def test_healing_stops_at_the_maximum_and_never_lowers() -> None:
    table = Table("classic")
    table.do("add Ana hp=9", "set Ana max_hp=12", "heal Ana 3")
    assert one(table, "Ana").hp == 12
    table.do("damage Ana 8", "heal Ana 30")
    assert one(table, "Ana").hp == 12


def test_temporary_points_do_not_add_up() -> None:
    table = Table("classic")
    table.do("add Ana hp=9", "temp Ana 5", "temp Ana 3")
    assert one(table, "Ana").temp_hp == 5


def play(table: Table) -> None:
    table.do("add Ana mod=5 kind=pc", "add Bo mod=1", "begin")
    table.do("roll", dice=[10, 10])


def test_groups_keep_what_their_members_are() -> None:
    table = Table("classic")
    table.do("add 3 Orc hp=7", 'damage "Orc 2" 3', 'condition "Orc 3" Prone', "group orc* Orcs")
    assert [c.hp for c in table.encounter.combatants.values()] == [7, 4, 7]
    table.do("ungroup Orcs")
    assert one(table, "Orc 3").conditions[0].name == "Prone"
    assert [c.group for c in table.encounter.combatants.values()] == ["", "", ""]


def test_staged_creatures_arrive_with_their_round() -> None:
    table = Table("classic")
    play(table)
    table.do("add Cy round=2 value=3")
    assert table.order() == ["Ana", "Bo"]
    table.do("next", "next", "next")
    assert table.state()["round"] == 2
    assert table.order() == ["Ana", "Bo", "Cy"]

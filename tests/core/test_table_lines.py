"""The table in lines carries the fight for who has no screen: what is owed, written, left, and on its way."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.table_lines import table_lines


def lines(t: Table, viewer: str | None = None) -> str:
    return "\n".join(table_lines(t.store.table(viewer_of(viewer))))


def test_it_says_which_dice_are_owed_and_by_whom() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Mia", "add Orc", "begin")
    assert "owed    Ana: an order" in lines(t)
    t.do("order Ana weapon=2d6 move=yes")
    shown = lines(t)
    assert "owed    Ana: d6 d6 d4" in shown
    assert "owed    Orc: d8" in shown
    assert "written Ana: weapon 2d6; move" in shown


def test_it_says_who_is_still_to_come_and_what_is_left_of_conditions() -> None:
    t = Table("classic")
    t.do("add Ana", "add Boss round=4", "condition Ana blessed rounds=3", "condition Ana marked of=Boss")
    shown = lines(t)
    assert "Boss" in shown
    assert "arrives in round 4" in shown
    assert "blessed 3, marked (of Boss)" in shown


def test_a_choice_names_whom_it_is_among() -> None:
    t = Table("classic", {"tie.by_hand": True})
    t.do("add Ana", "add Bo", "begin", "roll Ana 9", "roll Bo 9")
    assert "owed    GM: a choice of 2 among Ana, Bo" in lines(t)


def test_a_column_that_means_nothing_is_not_there() -> None:
    t = Table("unbound")
    t.do("add Ana side=heroes", "add Orc side=foes", "begin", "roll heroes 7", "roll foes 3")
    assert [line for line in table_lines(t.store.table()) if " 0  " in line] == []


def test_a_group_is_named_and_its_row_has_its_tags() -> None:
    t = Table("classic")
    t.do(
        "add 2 Orc group=Orcs hp=3",
        "add Ana hp=9",
        "begin",
        "roll Orcs 9",
        "roll Ana 3",
        "out Ana",
        "hide Orcs",
    )
    row = next(line for line in lines(t).splitlines() if line.startswith("  1 "))
    assert row.endswith("[hidden]")
    assert "group Orcs, hidden" in lines(t)


@pytest.mark.parametrize("viewer", [None, "Mia", "Jon"])
def test_who_died_is_called_dead_and_who_is_only_out_is_not(viewer: str | None) -> None:
    t = Table("classic")
    t.do(
        "option zero.massive=dead", "option zero.pc=dying", "add Ana owner=Mia hp=9", "add Bo owner=Jon hp=5"
    )
    t.do("add Orc hp=5", "damage Ana 18", "out Orc", "begin")
    t.do("damage Bo 5", "damage Bo 1", "damage Bo 1", "damage Bo 1")
    rows = {
        row.split()[1]: row
        for row in lines(t, viewer).splitlines()
        if row.split()[-1:] in (["dead"], ["out"])
    }
    assert {name: row.split()[-1] for name, row in rows.items()} == {
        "Ana": "dead",
        "Bo": "dead",
        "Orc": "out",
    }

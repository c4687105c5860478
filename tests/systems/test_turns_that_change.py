"""Turns whose creatures leave them, running or interrupted: who leaves has had the turn of the round."""

from __future__ import annotations

import pytest

from tests.table import Table, acting, marks, row

IMPS = ("add 2 Imp group=Imps", "add Ana kind=pc", "begin")


def imps() -> Table:
    t = Table("classic")
    t.do(*IMPS)
    t.do("roll", dice=[15, 5])
    t.do("next")
    return t


@pytest.mark.parametrize(
    "line", ['ungroup "Imp 2"', 'group "Imp 2" Alone', 'set "Imp 2" group=Alone', 'remove "Imp 2"']
)
def test_a_turn_is_over_when_the_last_who_stands_leaves_it(line: str) -> None:
    t = imps()
    t.do('out "Imp 1"', line)
    assert acting(t) == ""
    t.do("next")
    assert acting(t) == "Ana"


def test_a_creature_that_acts_alone_and_joins_a_group_has_had_its_turn() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "begin")
    t.do("roll", dice=[15, 5])
    t.do("next", "group Ana,Bo Team")
    assert (acting(t), "acted" in marks(t, "Ana"), "acted" in marks(t, "Bo")) == ("", True, False)
    t.do("next")
    assert t.encounter.actors == ("c2",)


def interrupted() -> Table:
    t = Table("classic")
    t.do("add 2 Orc group=Orcs", "add Ana kind=pc", "add Bo kind=pc", "begin")
    t.do("roll", dice=[10, 15, 5])
    t.do("next", "hold Ana", "next", "act Ana")
    return t


@pytest.mark.parametrize("line", ["ungroup Orcs", 'group "Orc 1,Orc 2" Foes', "out Orcs", "remove Orcs"])
def test_an_interrupted_turn_is_over_when_all_leave_it(line: str) -> None:
    t = interrupted()
    t.do(line)
    assert [r["entry"] for r in t.state()["track"] if r["state"] == "now"] == ["Ana"]
    t.do("next")
    assert acting(t) == "Bo"
    assert not any("goes on" in x["text"] or "go on" in x["text"] for x in t.state()["last"])


def test_an_interrupted_turn_goes_on_for_those_who_stay() -> None:
    t = interrupted()
    t.do('ungroup "Orc 2"')
    assert row(t, "Orc 2")["state"] == "done"
    t.do("next")
    assert (acting(t), t.encounter.actors) == ("Orcs", ("c1",))

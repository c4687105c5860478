"""Turns whose creatures leave them, running or interrupted: who leaves has had the turn of the round."""

from __future__ import annotations

import pytest

from tests.table import Table, acting, marks, row
from tui.core.fight.agenda import RollAsk

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


def test_a_save_at_the_end_of_a_chaos_round_is_owed_before_the_next_one() -> None:
    t = Table("chaos")
    t.do("add Ana saves=wis+1", "add Bo", "begin", "lock missing=empty")
    t.do("roll", dice=[15, 5])
    t.do("ok", "next", "next", "condition Ana scared save=wis dc=12", "next")
    assert (t.encounter.round, [x.who for x in t.due()]) == (1, ["c1"])
    t.do("roll Ana 15", "next")
    assert (t.encounter.round, t.encounter.phase) == (2, "orders")
    assert t.encounter.combatants["c1"].conditions == ()


def test_a_save_at_the_end_of_a_dynamic_round_is_owed_before_the_next_one() -> None:
    t = Table("dynamic")
    t.do("add Ana", "add Bo", "begin")
    t.do("roll", dice=[3, 5])
    t.do("next", "next", "condition Ana scared save=wis dc=12 rounds=2", "next")
    assert t.encounter.round == 1
    t.do("failed Ana", "next")
    assert t.encounter.round == 2
    scared = t.encounter.combatants["c1"].conditions[0]
    assert (scared.rounds, scared.fresh) == (2, False)


def test_the_dying_hold_nothing_and_a_group_reacts_by_its_only_living_member() -> None:
    t = Table("chaos")
    t.do("option zero.pc=dying", "add Ana hp=9 kind=pc", "add 2 Orc group=Orcs", "begin")
    t.do('order Ana ready="a bolt"', "lock missing=empty")
    t.do("roll", dice=[15, 5])
    t.do("ok", "next", "next", "damage Ana 9")
    assert "ready" not in marks(t, "Ana")
    t.refuse("fire Ana", "holds no readied action")
    t.do('out "Orc 1"', "react Orcs")
    assert "reaction" in marks(t, "Orc 2")


def test_damage_in_the_own_turn_disrupts_a_spell_that_is_switched_to() -> None:
    t = Table("dynamic", {"dis.disruption": "once"})
    t.do("add Ana kind=pc hp=9", "add Orc", "begin", "order Ana action=1")
    t.do("roll", dice=[1, 8])
    t.do("next", "damage Ana 2", "switch Ana spell=2")
    assert [x.save.cause for x in t.due() if isinstance(x, RollAsk) and x.save] == ["disruption"]

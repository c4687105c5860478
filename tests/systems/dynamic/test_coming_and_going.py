"""The Dynamic Initiative System: who is added, goes, comes back, is grouped or given a fixed place."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import dice_owed, kinds, rolled, table, values
from tests.table import Table, marks, order_of, row


def test_who_is_added_before_the_first_face_declares_and_rolls() -> None:
    t = table("order Sela weapon=1d8", "order Oren spell=3", "add Bo kind=pc", "add Wolf size=large")
    assert kinds(t) == [("form", "Bo")]
    t.do("order Bo move=yes")
    assert dice_owed(t) == [[8], [8], [8], [4], [10]]


def test_who_is_added_after_the_first_face_acts_from_the_next_round() -> None:
    t = table("order Sela weapon=1d8", "order Oren spell=3", "roll Orc 2")
    t.do("add Bo kind=pc", "add Wolf")
    assert kinds(t) == [("roll", "Sela"), ("roll", "Oren")]
    t.do("roll Sela 5", "roll Oren 4", "add Bear")
    assert t.order() == ["Orc", "Sela", "Oren", "Bo", "Wolf", "Bear"]
    assert [row(t, n)["state"] for n in ("Bo", "Wolf", "Bear")] == ["barred"] * 3
    assert "next round" in row(t, "Wolf")["why"]
    t.do("next", "next", "next", "next")
    assert t.encounter.round == 2
    assert kinds(t) == [("form", "Sela"), ("form", "Oren"), ("form", "Bo")]


def test_a_newcomer_to_a_type_waits_while_the_others_act() -> None:
    t = Table("dynamic")
    t.do("add 2 Rat group=Rats", "add Orc", "begin", "roll Rats 1", "roll Orc 5", "add 1 Rat group=Rats")
    t.do("next", "next")
    assert [c["marks"] for c in t.state()["combatants"]][:2] == [{"acted": True}] * 2
    assert marks(t, "Rat 3") == {"barred": True}
    assert row(t, "Rats")["state"] == "done"
    t.do("next")
    assert t.encounter.round == 2


def test_a_row_switches_in_its_turn_whoever_of_it_is_out_or_came_too_late() -> None:
    t = Table("dynamic")
    t.do("add 2 Bo kind=pc group=Gang", "add Orc", "begin", "order Gang weapon=1d6")
    t.do("roll", dice=[2, 3])
    t.do("next", "add Cy kind=pc group=Gang")
    assert t.refuse("switch Cy action=1", "after the dice").rule == "DIS-26"
    t.do('out "Bo 1"', "switch Gang action=1")
    assert t.order() == ["Orc", "Gang"]


def test_who_was_out_while_the_dice_fell_waits_for_the_next_round() -> None:
    t = table("out Sela", "order Oren move=yes", "roll Orc 1", "back Sela", "roll Oren 2")
    assert row(t, "Sela")["state"] == "barred"
    assert t.state()["phase"] == "turns"


def test_the_order_of_who_went_out_before_the_slot_is_void() -> None:
    t = rolled()
    t.do("out Oren")
    assert order_of(t, "Oren")["state"] == "void"  # type: ignore[index]
    t.do("remove Oren", "next", "next", "next")
    assert t.encounter.round == 2


def test_grouping_and_ungrouping_in_mid_round_takes_the_number_along() -> None:
    t = rolled()
    t.do("next", "next", "group Sela,Oren Pair")
    assert (values(t), t.state()["acting"]) == ({"Orc": 2, "Pair": 5}, "")
    t.do("next")
    assert t.state()["acting"] == "Pair"
    assert t.encounter.turn is not None
    assert t.encounter.turn.members == ("c2",)
    t.do("ungroup Sela", "next")
    assert t.encounter.round == 2


def test_an_ungrouped_type_acts_in_roster_order_and_is_settled_as_one_with_others() -> None:
    t = Table("dynamic")
    t.do("add 3 Rat group=Rats size=small", "add Orc", "begin", "roll Rats 2", "roll Orc 5", "ungroup @Rats")
    assert t.order() == ["Rat 1", "Rat 2", "Rat 3", "Orc"]
    assert t.state()["due"] == []
    t.do("next", "next", "next", "next")
    assert t.state()["acting"] == "Orc"


@pytest.mark.parametrize("line", ["hold Orc", "act Orc", "unlock", "pick Orc", "pass", "ok", "turn Oren"])
def test_what_the_system_does_not_know_is_refused(line: str) -> None:
    t = rolled()
    t.do("next")
    error = t.refuse(line)
    assert not line.startswith(("hold", "act")) or error.rule.startswith("DIS-")


def test_a_newcomer_before_the_dice_reopens_a_round_that_had_none_to_roll() -> None:
    t = Table("dynamic")
    t.do("add Sela kind=pc", "begin", "order Sela weapon=3")
    assert t.state()["phase"] == "turns"
    t.do("add Bo kind=pc")
    assert (t.state()["phase"], kinds(t)) == ("orders", [("form", "Bo")])
    t.do("order Bo weapon=2", "next", "add Kim kind=pc")
    assert t.state()["acting"] == "Bo"
    assert (marks(t, "Kim"), kinds(t)) == ({"barred": True}, []), "a turn closes the round as a die does"


def test_who_comes_back_is_late_by_the_own_row_alone() -> None:
    t = table("out Oren", "out Orc", "order Sela weapon=1d8")
    t.do("add Rat", "roll Sela 5")
    t.do("back Orc")
    assert ("roll", "Orc") in kinds(t), "who declares nothing has missed nothing before the last die"
    t.do("roll Orc 2", "roll Rat 3", "back Oren")
    assert marks(t, "Oren") == {"barred": True}

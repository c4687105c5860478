"""The Dynamic Initiative System: its house rules, each value of each."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import dice_owed, kinds, rolled, table
from tests.table import Table, marks


def test_dis_9_surprise_may_belong_to_the_first_round_only() -> None:
    t = rolled("surprised Orc", surprise_each_round="first_only")
    t.do("next", "next", "next", "next")
    assert t.refuse("surprised Orc", "dis.surprise_each_round=ask").rule == "DIS-A2"
    assert t.refuse("notice").rule == "DIS-A2"


def test_dis_29_the_player_may_choose_the_die() -> None:
    t = table("set Sela bonus=1,1", "order Sela weapon=1d8 move=yes", "order Oren", "out Orc", resize="ask")
    assert kinds(t) == [("pick", "Sela")]
    assert t.state()["due"][0]["names"] == ["d8", "d4"]
    t.refuse("roll", "owes a choice")
    t.do("pick d4", "pick d8")
    assert dice_owed(t) == [[6, 3]]
    t.do("order Sela weapon=2d8")
    assert kinds(t) == [("pick", "Sela")]
    t.do("pick d8")
    assert dice_owed(t) == [[6, 6]]


@pytest.mark.parametrize("option", ["dis.tie=by_hand", "tie.by_hand=true"])
def test_dis_6_the_gm_may_put_the_tied_in_order(option: str) -> None:
    t = table(f"option {option}", "order Sela weapon=1d8", "order Oren weapon=1d6")
    t.do("roll Sela 4", "roll Oren 4", "roll Orc 4")
    assert kinds(t) == [("pick", "GM")]
    assert t.state()["due"][0]["names"] == ["Sela", "Oren", "Orc"]
    t.refuse("pick Oren", "3")
    t.do("pick Orc Sela Oren")
    assert t.order() == ["Orc", "Sela", "Oren"]


def test_dis_22_noticing_none_or_missing_any() -> None:
    lines = ["add Ana side=party stealth=15", "add Bo side=party", "add Orc side=foes", "begin", "notice"]
    strict, kind = Table("dynamic", {"dis.notice": "any"}), Table("dynamic")
    strict.do(*lines)
    kind.do(*lines)
    assert strict.state()["outcome"]["caught"] == ["Orc"]
    assert kind.state()["outcome"]["caught"] == []
    assert Table("dynamic").do("add Ana", "begin", "notice").lines[-1].text.startswith("Nobody hides")


def test_dis_22_noticing_takes_back_what_was_said_before() -> None:
    t = table("surprised Sela", "notice")
    assert marks(t, "Sela") == {}


@pytest.mark.parametrize(("many", "works"), [(8, True), (9, False)])
def test_dis_4_so_many_actions_and_no_more(many: int, works: bool) -> None:
    line = "order Sela weapon=" + ",".join(["1d4"] * many)
    if works:
        table().do(line)
    else:
        assert table().refuse(line, "too many").rule == "DIS-4"


def test_what_nobody_gave_is_said_to_count_as() -> None:
    defaults = {f.key: f.default for f in Table("dynamic").store.system.fields if f.default != ""}
    assert defaults == {"size": "medium", "count": 1, "passive": 10, "con": 0}


def test_dis_a12_a_group_at_a_fixed_place_is_one_row_whatever_the_rule_says_of_many_of_a_type() -> None:
    t = Table("dynamic")
    t.do("add 2 Rat value=4", "group rat* Nest", "add Orc", "begin", "roll", dice=[6])
    assert t.order() == ["Nest", "Orc"]
    for way in ("staggered", "off", "shared"):
        t.do(f"option dis.group={way}")
        assert t.order() == ["Nest", "Orc"]

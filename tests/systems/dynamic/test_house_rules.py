"""The Dynamic Initiative System: its house rules, each value of each."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import dice_owed, kinds, marks, rolled, row, table, values
from tests.table import COMMON, Table


def test_every_house_rule_has_the_first_value_as_its_default() -> None:
    assert Table("dynamic").state()["options"] == {
        "dis.surprise_each_round": "ask",
        "dis.switch_pays": "new",
        "dis.switch_level": True,
        "dis.multi_dice": "all",
        "dis.floor": 1,
        "dis.resize": "largest",
        "dis.group": "shared",
        "dis.tie": "rolloff",
        "dis.stealth_tie": "noticed",
        "dis.notice": "none",
        "dis.disruption": "off",
        "tie.by_hand": False,
        **COMMON,
    }
    t = Table("dynamic")
    for line in (
        "option dis.floor=5",
        "option dis.tie=dice",
        "option dis.switch_level=maybe",
        "option dis.x=1",
    ):
        t.refuse(line)


def test_dis_9_surprise_may_belong_to_the_first_round_only() -> None:
    t = rolled("surprised Orc", surprise_each_round="first_only")
    t.do("next", "next", "next", "next")
    assert t.refuse("surprised Orc", "dis.surprise_each_round=ask").rule == "DIS-A2"
    assert t.refuse("notice").rule == "DIS-A2"


@pytest.mark.parametrize(
    ("pays", "level", "line", "price"),
    [
        ("new", True, "switch Sela spell=2", 10),
        ("old", True, "switch Sela spell=2", 12),
        ("higher", True, "switch Sela spell=2", 12),
        ("higher", True, "switch Sela spell=6", 14),
        ("higher", False, "switch Sela spell=6", 12),
        ("new", False, "switch Sela spell=6", 8),
        ("old", True, "switch Sela spell=6 from=none", 14),
        ("new", True, "switch Sela action=1 weapon=1d4 from=weapon,none", 10),
    ],
)
def test_dis_16_what_a_switch_pays(pays: str, level: bool, line: str, price: int) -> None:
    t = table("order Sela weapon=2d6", "order Oren spell=9", switch_pays=pays, switch_level=level)
    t.do("roll Sela 1 1", "roll Oren 8", "roll Orc 8", "next", line)
    assert values(t)["Sela"] == 2 + price


def test_dis_12_one_of_a_weapons_dice_may_count() -> None:
    t = table("order Sela weapon=2d6,1d8", "order Oren action=2", "out Orc", multi_dice="one")
    assert dice_owed(t) == [[6, 8], [6, 6]]
    t.do("roll Sela 1 1", "roll Oren 6 6", "next", "switch Sela weapon=3d4")
    assert values(t)["Sela"] == 6


@pytest.mark.parametrize(("floor", "dice"), [(1, []), (2, [2]), (3, [3]), (4, [4])])
def test_dis_29_the_smallest_die_is_a_house_rule(floor: int, dice: list[int]) -> None:
    t = table("set Sela bonus=1,1,1,2", "order Sela move=yes", "order Oren", "out Orc", floor=floor)
    assert [sides for due in dice_owed(t) for sides in due] == dice


def test_dis_29_each_number_is_one_effect_on_one_die_the_largest_at_that_moment() -> None:
    t = table("set Sela bonus=2,1", "order Sela weapon=1d8,1d6", "order Oren", "out Orc")
    assert dice_owed(t) == [[4, 6]]
    t.do("set Sela bonus=2,1,-1")
    assert dice_owed(t) == [[6, 6]]
    t.do("set Sela bonus=-5")
    assert dice_owed(t) == [[10, 6]]


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


def test_dis_20_a_type_may_act_one_after_the_other() -> None:
    t = Table("dynamic", {"dis.group": "staggered"})
    t.do(
        "add 4 Rat group=Rats size=small",
        "add Sela kind=pc",
        "begin",
        'surprised "Rat 1"',
        "order Sela weapon=1d6",
    )
    assert [d["who"] for d in t.state()["due"]] == ["Rats", "Sela"]
    t.do("roll Rats 4", "roll Sela 6")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("Rat 3", [20]), ("Sela", [20])]
    t.do("roll", dice=[3, 17])
    assert t.order() == ["Rat 2", "Sela", "Rat 3", "Rat 4", "Rat 1"]
    assert values(t) == {"Rat 2": 5, "Sela": 6, "Rat 3": 6, "Rat 4": 6, "Rat 1": 14}
    assert "+ 2 in line = 6" in row(t, "Rat 3")["why"]
    t.do('move "Rat 4" before Sela', "next", "next")
    assert t.state()["acting"] == "Rat 4"
    t.do("next")
    assert t.state()["acting"] == "Sela"


def test_dis_20_the_number_of_a_type_may_mean_nothing() -> None:
    t = Table("dynamic", {"dis.group": "off"})
    t.do("add 4 Rat group=Rats size=small", "begin", "roll Rats 2")
    assert values(t) == {"Rats": 2}


def test_dis_6_players_first_and_then_a_roll_off() -> None:
    t = table("order Sela weapon=1d8", "order Oren weapon=1d6", tie="players_first")
    t.do("roll Sela 4", "roll Oren 4", "roll Orc 4")
    assert kinds(t) == [("roll", "Sela"), ("roll", "Oren")]
    t.do("roll", dice=[2, 1])
    assert t.order() == ["Sela", "Oren", "Orc"]


def test_dis_6_fewest_dice_first_and_then_a_roll_off() -> None:
    t = table("order Sela weapon=1d8 move=yes", "order Oren weapon=1d6", tie="fewest_dice")
    t.do("roll Sela 3 1", "roll Oren 4", "roll Orc 4")
    assert kinds(t) == [("roll", "Oren"), ("roll", "Orc")]
    t.do("roll", dice=[2, 1])
    assert t.order() == ["Oren", "Orc", "Sela"]


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


def test_dis_30_a_penalty_goes_to_the_largest_die_that_still_can_grow() -> None:
    t = table("set Sela bonus=-1", "order Sela weapon=1d20 move=yes", "order Oren", "out Orc")
    assert dice_owed(t) == [[20, 6]]
    t.do("set Sela bonus=-1,-1,-1,-1,-1,-1,-1,-1")
    assert dice_owed(t) == [[20, 20]], "lost only when all are d20"


def test_dis_29_a_choice_is_between_dice_that_still_can_change() -> None:
    t = table(
        "set Sela bonus=-1,-1", "order Sela weapon=1d20,1d6 move=yes", "order Oren", "out Orc", resize="ask"
    )
    assert t.state()["due"][0]["names"] == ["d6", "d4"]
    t.do("pick d4")
    assert dice_owed(t) == [[20, 8, 6]], "both are d6 now: nothing to choose"


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

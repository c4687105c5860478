"""The Dynamic Initiative System: its house rules, and what the contract rules beside the clauses."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import kinds, marks, order_of, rolled, row, table, values
from tests.table import Table


def pool(t: Table) -> list[list[int]]:
    return [d["dice"] for d in t.state()["due"]]


# --- house rules


def test_every_house_rule_has_the_first_value_as_its_default() -> None:
    assert Table("dynamic").state()["options"] == {
        "dis.surprise_each_round": "ask", "dis.switch_pays": "new", "dis.switch_level": True,
        "dis.multi_dice": "all", "dis.floor": 1, "dis.resize": "largest", "dis.group": "shared",
        "dis.tie": "rolloff", "dis.stealth_tie": "noticed", "dis.notice": "none", "dis.disruption": "off",
        "tie.by_hand": False,
    }  # fmt: skip
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
    assert t.refuse("surprised Orc").rule == "DIS-2"
    assert t.refuse("notice").rule == "DIS-2"


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
    assert pool(t) == [[6, 8], [6, 6]]
    t.do("roll Sela 1 1", "roll Oren 6 6", "next", "switch Sela weapon=3d4")
    assert values(t)["Sela"] == 6


@pytest.mark.parametrize(("floor", "dice"), [(1, []), (2, [2]), (3, [3]), (4, [4])])
def test_dis_29_the_smallest_die_is_a_house_rule(floor: int, dice: list[int]) -> None:
    t = table("set Sela bonus=1,1,1,2", "order Sela move=yes", "order Oren", "out Orc", floor=floor)
    assert [sides for due in pool(t) for sides in due] == dice


def test_dis_29_each_number_is_one_effect_on_one_die_the_largest_at_that_moment() -> None:
    t = table("set Sela bonus=2,1", "order Sela weapon=1d8,1d6", "order Oren", "out Orc")
    assert pool(t) == [[4, 6]]
    t.do("set Sela bonus=2,1,-1")
    assert pool(t) == [[6, 6]]
    t.do("set Sela bonus=-5")
    assert pool(t) == [[10, 6]]


def test_dis_29_the_player_may_choose_the_die() -> None:
    t = table("set Sela bonus=1,1", "order Sela weapon=1d8 move=yes", "order Oren", "out Orc", resize="ask")
    assert kinds(t) == [("pick", "Sela")]
    assert t.state()["due"][0]["names"] == ["d8", "d4"]
    t.refuse("roll", "owes a choice")
    t.do("pick d4", "pick d8")
    assert pool(t) == [[6, 3]]
    t.do("order Sela weapon=2d8")
    assert kinds(t) == [("pick", "Sela")]
    t.do("pick d8")
    assert pool(t) == [[6, 6]]


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
    _ = strict.do(*lines), kind.do(*lines)
    assert strict.state()["outcome"]["caught"] == ["Orc"]
    assert kind.state()["outcome"]["caught"] == []
    assert Table("dynamic").do("add Ana", "begin", "notice").lines[-1].text.startswith("Nobody hides")


def test_dis_22_noticing_takes_back_what_was_said_before() -> None:
    t = table("surprised Sela", "notice")
    assert marks(t, "Sela") == {}


# --- spell disruption


def test_dis_17_a_save_is_due_at_once_for_a_caster_who_has_not_acted() -> None:
    t = rolled(disruption="each_hit")
    t.do("next", "damage Oren 3")
    assert t.state()["acting"] == "Orc"
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Oren", [20], "DIS-17")]
    t.do("damage Oren 1", "roll Oren 12")
    assert kinds(t) == [("roll", "Oren")]
    t.do("set Oren con=-3", "roll Oren 12")
    assert row(t, "Oren")["tags"] == ["cantrips"]
    t.do("damage Oren 1")
    assert kinds(t) == []


def test_dis_17_one_save_a_round_by_house_rule() -> None:
    t = rolled(disruption="once")
    t.do("damage Oren 3", "roll Oren 10", "damage Oren 3")
    assert kinds(t) == []
    assert marks(t, "Oren") == {}


def test_dis_17_who_casts_nothing_or_acts_or_has_acted_saves_nothing() -> None:
    t = rolled(disruption="each_hit")
    t.do("damage Sela 1", "damage Orc 1", "next", "next", "next", "damage Oren 1", "end", "damage Oren 1")
    assert kinds(t) == []
    off = rolled()
    off.do("damage Oren 1")
    assert kinds(off) == []


def test_dis_17_monsters_too_and_the_gone_owe_nothing() -> None:
    t = rolled("order Orc spell=2", disruption="each_hit")
    t.do("damage Orc 1", "damage Oren 1")
    assert kinds(t) == [("roll", "Oren"), ("roll", "Orc")]
    assert t.state()["due"][1]["dice"] == [20]
    t.refuse("next", "Oren")
    t.do("out Orc")
    assert kinds(t) == [("roll", "Oren")]


def test_dis_17_cantrips_only_is_said_and_forbids_switching_to_more() -> None:
    t = rolled(disruption="once")
    t.do("damage Oren 3", "roll Oren 1", "next", "next", "next")
    assert "cantrips only" in t.state()["now"]
    assert t.refuse("switch Oren spell=1").rule == "DIS-17"
    t.do("switch Oren spell=0")


# --- who comes and goes


def test_who_is_added_before_the_first_face_declares_and_rolls() -> None:
    t = table("order Sela weapon=1d8", "order Oren spell=3", "add Bo kind=pc", "add Wolf size=large")
    assert kinds(t) == [("form", "Bo")]
    t.do("order Bo move=yes")
    assert pool(t) == [[8], [8], [8], [4], [10]]


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


def test_out_and_back_loses_no_turn() -> None:
    t = rolled()
    t.do("out Sela", "next", "back Sela", "next")
    assert t.state()["acting"] == "Sela"
    t.do("out Sela")
    assert t.state()["acting"] == ""
    t.do("back Sela", "next")
    assert t.state()["acting"] == "Oren"
    t.do("next")
    assert t.encounter.round == 2


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


def test_what_the_gone_owed_is_not_due() -> None:
    t = table("order Sela move=yes", "out Oren")
    assert kinds(t) == [("roll", "Sela"), ("roll", "Orc")]
    t.do("remove Sela", "roll Orc 1")
    assert t.state()["phase"] == "turns"


def test_grouping_and_ungrouping_in_mid_round_takes_the_number_along() -> None:
    t = rolled()
    t.do("next", "next", "group Sela,Oren Pair")
    assert values(t) == {"Orc": 2, "Pair": 5}
    t.do("end", "next")
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


def test_a_fixed_place_loses_ties_and_rolls_nothing() -> None:
    t = Table("dynamic")
    t.do("add Lair value=5", "add Orc", "begin")
    assert kinds(t) == [("roll", "Orc")]
    t.do("roll Orc 5")
    assert t.order() == ["Orc", "Lair"]


def test_another_system_in_mid_fight_ends_the_round() -> None:
    t = rolled()
    t.do("next", "system classic")
    assert (t.encounter.round, t.encounter.acting, t.encounter.notes, t.encounter.orders) == (0, "", {}, {})
    t.do("system dynamic", "begin")
    assert kinds(t) == [("form", "Sela"), ("form", "Oren")]


@pytest.mark.parametrize("line", ["hold Orc", "act Orc", "unlock", "pick Orc", "pass", "ok", "turn Oren"])
def test_what_the_system_does_not_know_is_refused(line: str) -> None:
    t = rolled()
    t.do("next")
    error = t.refuse(line)
    assert not line.startswith(("hold", "act")) or error.rule.startswith("DIS-")


# --- before confirming


def test_dis_16_the_price_and_the_place_are_known_before_confirming() -> None:
    t = rolled()
    t.do("next", "next")
    system = t.store.system
    assert system.preview(t.encounter, "c1", {"action": "1"}).notes == ("+6: 11, place 3, behind Oren",)
    assert system.preview(t.encounter, "c1", {"dance": "1"}).errors
    found = {x.line: x.note for x in system.choices(t.encounter, "switch")}
    assert found["switch Sela from=none move=yes"].startswith("+4: 9")
    for line, note in found.items():
        t.do(line)
        price, total = note.split(", place")[0].removeprefix("+").split(": ")
        place = int(note.split("place ")[1].split(",")[0])
        assert values(t)["Sela"] == int(total) == 5 + int(price), line
        assert t.order().index("Sela") + 1 == place, line
        t.do("undo")


def test_the_pool_is_known_before_declaring() -> None:
    t = table()
    system = t.store.system
    assert system.preview(t.encounter, "c1", {"weapon": "1d8", "spell": "3"}).notes == (
        "pool d8 + d8 + 3: 5 to 19",
    )
    t.do("set Sela bonus=1 adv=dis")
    assert system.preview(t.encounter, "c1", {"weapon": "1d8"}).notes == (
        "pool d6 twice, the higher: 1 to 6",
    )
    assert system.preview(t.encounter, "c1", {"weapon": "sword"}).errors
    assert system.preview(t.encounter, "c3", {"intent": "x"}).notes == ()
    assert system.choices(t.encounter, "switch") == ()


def test_dis_20_how_many_hidden_ones_there_are_is_nobodys() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Lia", "add 2 Rat group=Rats", "add 1 Rat group=Rats hidden=yes", "begin", "order Ana")
    said = t.do("roll Rats 2").lines
    assert "2 + 2 for the others" in " ".join(line.text for line in said)
    assert "for the others" in row(t, "Rats")["why"]
    state = t.state("Lia")
    assert "others" not in str(state)
    assert [r["entry"] for r in state["track"]] == ["Ana", "Rats"]


def test_dis_7_the_table_hears_what_a_switch_comes_to() -> None:
    t = rolled()
    t.do("next", "next")
    said = [line.text for line in t.do("switch Sela action=1").lines]
    assert said == [
        "Sela: action 1", "Sela switches: +6, 11 in all (DIS-16)", "Sela goes behind Oren (DIS-7)", "Sela waits",
    ]  # fmt: skip
    assert order_of(t, "Sela", "Lia")["text"] == {"action": "1"}  # type: ignore[index]


def test_a_fixed_place_that_is_taken_away_owes_a_roll_at_once() -> None:
    t = rolled("add Lair value=20")
    t.do("next", "set Lair value=")
    assert kinds(t) == [("roll", "Lair")]
    t.do("roll Lair 3")
    assert t.order() == ["Orc", "Lair", "Sela", "Oren"]


def test_another_rule_for_types_in_mid_round_takes_nobodys_turn() -> None:
    t = Table("dynamic")
    t.do(
        "add 2 Rat group=Rats", "add Orc", "begin", "roll Rats 1", "roll Orc 5", "option dis.group=staggered"
    )
    assert t.order() == ["Rats", "Orc"]
    t.do("next", "next", "next")
    assert [d["who"] for d in t.state()["due"]] == ["Rats", "Orc"]
    t.do("roll Rats 1", "roll Orc 5")
    assert t.order() == ["Rat 1", "Rat 2", "Orc"]

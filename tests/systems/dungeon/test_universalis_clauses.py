"""Dungeon Universalis, clause by clause: the opposed roll, surprise, and whose turn it is."""

from __future__ import annotations

import pytest

from tests.systems.dungeon.fights import acts, caught, played, rules, side
from tests.table import Table, acting, who

CREW = ("add Ana kind=pc per=4 int=4", "add Bo kind=pc per=3 int=5", "add 3 Orc per=3 int=3", "begin")


def crypt(*lines: str, **options: object) -> Table:
    t = Table("dungeon-universalis", {k.replace("__", "."): v for k, v in options.items()})
    t.do(*CREW, *lines)
    return t


def won(*lines: str, **options: object) -> Table:
    """Ana has won a meeting that caught nobody; the heroes have a new turn."""
    return crypt('meet Ana vs "Orc 1"', "roll Ana 6 2", 'roll "Orc 1" 1 2', *lines, **options)


def lost(*lines: str, **options: object) -> Table:
    """Ana has lost a meeting that caught nobody; the Dark Player has the turn."""
    return crypt('meet Ana vs "Orc 1"', "roll Ana 1 2", 'roll "Orc 1" 6 2', *lines, **options)


def said(t: Table, line: str) -> str:
    return " ".join(x.text for x in t.do(line).lines)


# --- the roll


def test_dun_1_the_result_is_a_side_and_no_order() -> None:
    t = won()
    assert acts(t, "turn") == ["Ana", "Bo"]
    assert {r["value"] for r in t.state()["track"]} == {0}
    assert t.refuse("move Ana before Bo", "any order").rule == "DUN-24"


def test_dun_1_two_sides_are_all_there_are() -> None:
    t = Table("dungeon-universalis")
    t.refuse("add Elf side=forest", "side=heroes or side=dark")
    old = Table("classic")
    old.do("add Elf side=forest", "add Orc", "system dungeon-universalis")
    assert old.refuse("begin", "side=heroes").rule == "DUN-1"


def test_dun_3_a_tie_is_won_on_intelligence_and_said_so() -> None:
    t = crypt('meet Bo vs "Orc 1"', "roll Bo 3 4")
    assert "wins on Intelligence" in said(t, 'roll "Orc 1" 5 2')
    assert t.state()["outcome"]["winner"] == "Bo"


def test_dun_4_the_deciding_roll_is_the_roll() -> None:
    t = crypt("set Ana per=3 int=3", "set @dark distance=2", 'meet Ana vs "Orc 1"', "roll Ana 6 6")
    assert "both roll again" in said(t, 'roll "Orc 1" 6 6')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 1"]
    t.do("roll", dice=[1, 2, 1, 1])
    assert t.state()["outcome"]["totals"] == {"Ana": 6, "Orc 1": 5}
    assert caught(t) == ["Orc 1", "Orc 2", "Orc 3"]


def test_dun_5_a_lone_double_1_loses_whatever_the_totals() -> None:
    t = crypt("set Ana per=20", 'meet Ana vs "Orc 1"', "roll Ana 1 1")
    assert "Critical failure" in said(t, 'roll "Orc 1" 1 2')
    assert t.state()["outcome"] | {"caught": []} == {
        "kind": "opposed",
        "winner": "Orc 1",
        "loser": "Ana",
        "by": "critical",
        "totals": {"Ana": 22, "Orc 1": 6},
        "caught": [],
    }


def test_dun_a2_by_house_rule_a_winning_double_one_tests_surprise_as_any_dice_do() -> None:
    t = crypt("set @dark int=1 distance=1", "set Ana per=20", dun__double_one_loses=False)
    t.do('meet Ana vs "Orc 1"', "roll Ana 1 1", 'roll "Orc 1" 1 2')
    assert (t.state()["outcome"]["winner"], t.state()["outcome"]["by"]) == ("Ana", "total")
    assert caught(t) == ["Orc 1", "Orc 2", "Orc 3"]
    t = crypt("set @dark int=2 distance=1", "set Ana per=20", dun__double_one_loses=False)
    t.do('meet Ana vs "Orc 1"', "roll Ana 1 1", 'roll "Orc 1" 1 2')
    assert caught(t) == []


def test_dun_7_then_perception_then_a_fair_die_of_the_gm() -> None:
    t = crypt("set @dark distance=4", 'set "Orc 1" per=1', "meet Ana")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 2"]  # equals need no die
    t = crypt("set @dark distance=4", 'set "Orc 1" per=1', 'set "Orc 3" int=9', "meet Ana")
    assert [(d["kind"], d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [
        ("roll", "GM", [2], "DUN-7")
    ]
    assert "The die chooses Orc 3" in said(t, "roll GM 2")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 3"]
    t.do("undo", 'set "Orc 3" per=9')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 3"]


def test_dun_7_no_die_is_thrown_between_creatures_of_one_group_that_nothing_tells_apart() -> None:
    t = crypt("set @dark distance=4", 'set "Orc 1,Orc 2,Orc 3" group=Orcs', "meet Ana")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 1"]
    t.do("undo", 'set "Orc 3" int=9', "meet Ana")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("GM", [3])]
    t.do("undo", 'set "Orc 3" int=', 'ungroup "Orc 2"', "meet Ana")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("GM", [3])]


def test_dun_8_against_an_artificial_dark_player_the_most_perceptive_rolls() -> None:
    t = crypt('set "Orc 1" distance=1', 'set "Orc 2" per=5', 'set "Orc 3" distance=3 per=5', dun__adp=True)
    t.do("meet Ana")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("GM", [2])]
    t.do("roll GM 1")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 2"]


# --- meetings


def test_dun_10_a_meeting_ends_the_running_turn_and_starts_none() -> None:
    t = crypt("turn Bo", 'meet Ana vs "Orc 1"')
    assert acting(t) == ""
    assert who(t, "Bo")["marks"] == {"acted": True}
    assert t.state()["phase"] == "rolls"
    assert t.state()["round"] == 1
    assert t.refuse("next").hint == "Ana, Orc 1 owe a roll: `roll`"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("meet", "nobody is named"),
        ("meet Ana vs Bo", "no enemy"),
        ("meet Ana with=Bo", "no enemy"),
        ("meet Ana vs @dark", "one of them"),
        ("meet Ana distance=Bo", "no distance"),
        ("meet Ana distance=Bo:far", "whole number"),
        ("meet Ana Bo", "one name"),
        ("meet Ana vs", "vs takes one name"),
        ("meet Ana door=open", "door= is broken"),
        ("meet Ana window=broken", "no key window"),
        ("meet Nobody", "no combatant"),
        ("place Ana", "no enemy"),
        ("place", "nobody is named"),
        ('place "Orc 1" vs "Orc 2"', "not a hero"),
        ("place @dark door=broken", "no key door"),
        ("calm", "no combat"),
        ("calm now", "no words"),
        ("moved Ana", "not caught"),
        ("moved Ana vs Bo", "only names"),
        ("hold Ana", "DUN-24"),
        ("act Ana", "DUN-24"),
        ("pass", "nobody can pass"),
        ("lock", "no orders"),
        ("hit Ana", "belongs to dungeon-track"),
        ("hit Ana", "here it is `damage who n`"),
        ("kill Ana", "here it is `out who`"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(line: str, says: str) -> None:
    crypt().refuse(line, says)


def test_dun_10_no_enemy_no_meeting() -> None:
    t = crypt("out @dark")
    assert t.refuse("meet Ana", "no enemy").rule == "DUN-10"
    assert t.refuse('meet Ana vs "Orc 1"', "is out").rule == "DUN-10"
    t.do("back @dark", "out Ana")
    assert t.refuse("meet Ana", "back").rule == "DUN-10"
    t.do("meet Bo")
    t.refuse("meet Bo", "has to wait")
    t.refuse("calm", "has to wait")


def test_dun_10_prepared_rooms_wait_in_reserve() -> None:
    t = crypt(
        'set "Orc 3" distance=9', 'meet Ana with="Orc 1" vs "Orc 2"', "roll Ana 6 2", 'roll "Orc 2" 1 2'
    )
    assert side(t, "dark")["of"] == 2
    assert "Orc 3" not in t.order()
    assert who(t, "Orc 3")["fields"]["distance"] == 9
    assert t.refuse('meet Bo vs "Orc 1"', "in play already", "Orc 3").rule == "DUN-10"


def test_dun_10_now_says_who_rolls_against_whom_and_why() -> None:
    t = crypt('set "Orc 2" distance=4', "meet Ana")
    assert "Ana (who discovers them) rolls 2d6 + Perception against Orc 2 (the nearest)" in t.state()["now"]
    t = crypt('set "Orc 3" per=4', "meet Ana", dun__adp=True)
    assert "against Orc 3 (the most perceptive)" in t.state()["now"]


def test_dun_11_the_heroes_win_a_new_turn_and_the_dark_player_loses_his() -> None:
    t = crypt("turn Ana", "end", "turn Bo", 'meet Bo vs "Orc 1"', "roll Bo 6 2")
    assert "draws no card" in said(t, 'roll "Orc 1" 1 2')
    assert side(t, "heroes") == {"name": "heroes", "turn": True, "left": 2, "of": 2, "in_combat": True}
    assert t.state()["offer"]["rule"] == "DUN-11"
    assert t.state()["round"] == 1
    assert t.state()["phase"] == "turns"
    assert sorted(played(t)) == ["Ana", "Bo"]
    t.do("next")
    assert side(t, "dark")["turn"]
    assert len(played(t)) == 3


def test_dun_12_the_heroes_lose_the_rest_of_their_turn() -> None:
    t = crypt("turn Bo", "end", 'meet Ana vs "Orc 1"', "roll Ana 1 2")
    assert "Ana may no longer act" in said(t, 'roll "Orc 1" 6 2')
    assert t.may() == ["Orc 1", "Orc 2", "Orc 3"]
    assert t.state()["offer"]["chooser"] == "dark"
    assert side(t, "heroes")["turn"] is False
    played(t)
    t.do("next")
    assert t.state()["round"] == 2
    assert t.may() == ["Ana", "Bo"]


def test_a_roller_who_is_gone_owes_nothing_and_another_takes_over() -> None:
    t = crypt('set "Orc 2" distance=1', 'meet Ana vs "Orc 1"', "roll Ana 6 2", 'remove "Orc 1"')
    assert [d["who"] for d in t.state()["due"]] == ["Orc 2"]
    t.do("out Ana")
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Orc 2"]
    t.do("out @dark")
    assert t.state()["due"] == []
    assert t.state()["phase"] == "exploration"
    assert t.may() == ["Bo"]


# --- surprise


def test_dun_17_only_a_meeting_in_a_new_section_can_catch() -> None:
    t = crypt("set @dark int=1 distance=1", 'set "Orc 1" per=4', "place @dark vs Ana", "roll Ana 6 6")
    t.do('roll "Orc 1" 1 2')
    assert t.state()["outcome"]["winner"] == "Ana"
    assert caught(t) == []
    assert "DUN-17" in rules(t)


def test_dun_18_by_house_rule_only_those_who_can_be_caught_are_asked_about() -> None:
    t = crypt('set "Orc 1" int=6', 'set "Orc 3" int=4', dun__surprise_int="each")
    t.do('meet Ana vs "Orc 1"', "roll Ana 6 3", 'roll "Orc 1" 1 2')
    assert [d["names"] for d in t.state()["due"]] == [["Orc 2"]]


def test_dun_19_a_pick_is_due_for_those_without_a_distance() -> None:
    t = crypt('set "Orc 1" distance=6', 'meet Ana vs "Orc 1"', "roll Ana 6 4", 'roll "Orc 1" 1 2')
    assert caught(t) == ["Orc 1"]
    assert t.state()["due"][0] | {"why": ""} == {
        "kind": "pick",
        "who": "GM",
        "why": "",
        "rule": "DUN-19",
        "names": ["Orc 2", "Orc 3"],
        "least": 0,
        "most": 2,
    }
    assert t.refuse("next").hint == "the GM owes a choice: `pick none`"
    t.do('pick "Orc 3"')
    assert caught(t) == ["Orc 1", "Orc 3"]
    assert t.may() == ["Ana", "Bo"]
    t.do("undo", "pick none")
    assert caught(t) == ["Orc 1"]
    t.do("undo", 'set "Orc 2" distance=2', 'set "Orc 3" distance=7')
    assert caught(t) == ["Orc 1", "Orc 2"]
    assert t.state()["due"] == []


def test_a_distance_holds_for_one_contest() -> None:
    t = crypt(
        "set @dark distance=9", "set Bo distance=3", 'meet Ana vs "Orc 1"', "roll Ana 6 4", 'roll "Orc 1" 1 2'
    )
    assert all("distance" not in c["fields"] for c in t.state()["combatants"])
    assert "distance" not in " ".join(line["text"] for line in t.state()["last"])


def test_dun_20_each_victim_may_be_moved_once_and_nothing_is_due() -> None:
    t = crypt("set @dark distance=2", 'set "Orc 3" distance=8', 'meet Ana vs "Orc 1"', "roll Ana 6 4")
    t.do('roll "Orc 1" 1 2')
    assert t.state()["due"] == []
    assert "Orc 1 and Orc 2 may be moved one square each (" in t.state()["now"]
    t.do('moved "Orc 2"')
    assert "Orc 1 may be moved one square (" in t.state()["now"]
    assert t.refuse('moved "Orc 2"', "already").rule == "DUN-20"
    assert t.refuse('moved "Orc 3"', "not caught").rule == "DUN-20"
    t.do('moved "Orc 1"')
    assert "one square" not in t.state()["now"]
    assert who(t, "Orc 1")["marks"] == {"surprised": True, "moved": True}


def test_dun_21_behind_a_broken_door_nobody_is_caught() -> None:
    t = crypt("set @dark distance=2", 'meet Ana vs "Orc 1" door=broken', "roll Ana 6 4")
    assert "door was broken" in said(t, 'roll "Orc 1" 1 1')
    assert caught(t) == []


def test_dun_23_a_side_in_combat_cannot_be_caught() -> None:
    t = won("add Rat int=1 distance=1", "meet Bo", "roll Bo 6 6", "roll Rat 1 1")
    assert t.state()["outcome"]["winner"] == "Bo"
    assert caught(t) == []
    assert "DUN-23" in rules(t)


def test_dun_27_nothing_stays_of_a_roll_but_turn_and_bars() -> None:
    t = won()
    assert t.encounter.notes == {"news": "DUN-11", "combat": True}
    assert {m for c in t.encounter.combatants.values() for m in c.marks} == {"met"}

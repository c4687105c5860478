"""The initiative track, clause by clause: how it is rolled, the first turn, ties, the hit and the kill."""

from __future__ import annotations

from typing import Any

import pytest

from tests.systems.dungeon.fights import mode, played, rolls, rules, side, values
from tests.table import Table, acting, row, who

CREW = (
    "add Ana kind=pc per=4 int=4",
    "add Bo kind=pc per=3 int=5",
    "add 2 Orc group=Orcs per=3 int=3",
    "add Rat per=1 int=1",
)
FACES = {"Ana": (3, 2), "Bo": (4, 3), "Orc 1": (3, 1), "Rat": (2, 2), "Orcs": (3, 1)}


def crypt(*lines: str, **options: Any) -> Table:
    t = Table("dungeon-track", {k.replace("__", "."): v for k, v in options.items()})
    t.do(*CREW, *lines)
    return t


def tracked(*lines: str, winner: str = "heroes", **options: Any) -> Table:
    """Bo 10, Ana 9, Orcs 7 (8 if they won), Rat 5; the heroes have the first turn unless the dark side
    won."""
    t = crypt("begin", 'meet Ana vs "Orc 1"', **options)
    rolls(t, FACES if winner == "heroes" else FACES | {"Ana": (2, 3), "Orc 1": (6, 1), "Orcs": (6, 1)})
    if lines:
        t.do(*lines)
    return t


def second(*lines: str, **options: Any) -> Table:
    """The same track at the beginning of round 2: Bo is acting."""
    t = tracked(**options)
    played(t)
    t.do("next")
    assert (acting(t), t.state()["round"]) == ("Bo", 2)
    if lines:
        t.do(*lines)
    return t


# --- rolling it


def test_trk_1_without_a_commander_a_track_with_one_sides() -> None:
    t = tracked()
    assert mode(t) == "track"
    t = crypt("set Rat rank=champion", "begin", "set @dark distance=9", 'meet Ana vs "Orc 1"')
    t.do("roll Ana 6 6", 'roll "Orc 1" 1 2')
    assert mode(t) == "sides"
    assert t.state()["due"] == []
    assert t.state()["offer"]["rule"] == "DUN-11"
    assert "Rat commands" in t.state()["now"]
    assert values(t) == {"Ana": 0, "Bo": 0, "Orcs": 0, "Rat": 0}


def test_trk_1_a_heroes_rank_commands_nobody() -> None:
    t = crypt("set Ana rank=leader", "begin", 'meet Ana vs "Orc 1"')
    rolls(t, FACES)
    assert mode(t) == "track"


def test_trk_2_the_discoverer_against_the_most_perceptive_creature() -> None:
    t = crypt("begin", "set Rat distance=1", "meet Bo")
    assert [(d["who"], d["rule"]) for d in t.state()["due"]] == [("Bo", "TRK-2"), ("Orc 1", "TRK-2")]
    t.do("undo", 'set "Orc 2" int=1', "meet Bo")
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("GM", [2], "DUN-7")]
    t.do("roll GM 2")
    assert [(d["who"], d["rule"]) for d in t.state()["due"]] == [("Bo", "TRK-2"), ("Orc 2", "TRK-2")]
    t.do("undo 2", "set Rat rank=leader", "meet Bo")
    assert [(d["who"], d["rule"]) for d in t.state()["due"]] == [("Bo", "DUN-10"), ("Rat", "DUN-10")]


def test_trk_3_surprise_comes_before_the_rest_of_the_track() -> None:
    t = crypt("begin", 'meet Ana vs "Orc 1"', "roll Ana 6 6", 'roll "Orc 1" 1 2')
    assert [d["kind"] for d in t.state()["due"]] == ["pick"]
    t.do("pick Rat")
    assert t.state()["outcome"]["caught"] == ["Rat"]
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Rat"]


def test_trk_4_everybody_else_rolls_in_roster_order_and_a_fumble_means_nothing() -> None:
    t = crypt(
        "add Cleo kind=pc per=2 mod=1", "set @dark distance=9", "begin", 'meet Ana vs "Orc 1"', "roll Ana 3 4"
    )
    t.do('roll "Orc 1" 1 2')
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [
        ("Bo", [6, 6], "TRK-4"),
        ("Rat", [6, 6], "TRK-6"),
        ("Cleo", [6, 6], "TRK-4"),
    ]
    t.do("roll", dice=[1, 1, 6, 6, 1, 1])
    assert values(t) == {"Rat": 13, "Ana": 11, "Orcs": 6, "Bo": 5, "Cleo": 5}
    assert {n for n in ("Bo", "Cleo") if who(t, n)["marks"]} == set()
    assert "2d6 (1, 1) + 2 Perception + 1 = 5" in row(t, "Cleo")["why"]


def test_trk_4_a_companion_has_no_roll_of_its_own_unless_it_has_no_hero() -> None:
    t = crypt(
        "add Dog side=heroes acts_with=Ana per=9",
        "add Cat side=heroes per=9",
        "set @dark distance=9",
        "begin",
        'meet Bo vs "Orc 1"',
    )
    t.do("roll Bo 3 4", 'roll "Orc 1" 1 2')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Rat", "Cat"]
    rolls(t, {})
    assert row(t, "Ana")["members"] == ["Ana", "Dog"]
    assert row(t, "Ana")["value"] == 11


def test_trk_4_a_companion_left_alone_keeps_the_number_and_a_discovering_one_has_none() -> None:
    t = crypt("add Dog side=heroes acts_with=Ana per=9", "begin", 'meet Dog vs "Orc 1"', "roll Dog 1 2")
    t.do('roll "Orc 1" 3 2')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Bo", "Rat"]
    rolls(t, FACES)
    before = values(t)["Ana"]
    t.do("out Ana")
    assert values(t)["Dog"] == before
    assert t.state()["due"] == []


def test_trk_7_ties_go_to_intelligence_then_to_a_roll_off_that_changes_no_value() -> None:
    t = crypt("set Bo int=4", "begin", 'meet Ana vs "Orc 1"')
    for line in ("roll Ana 3 2", 'roll "Orc 1" 3 2', "roll Bo 3 3", "roll Rat 4 3"):
        t.do(line)
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [
        ("Ana", [6, 6], "TRK-7"),
        ("Bo", [6, 6], "TRK-7"),
    ]
    t.do("roll Ana 1 1", "roll Bo 1 2")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Bo"]
    t.do("roll", dice=[1, 1, 6, 6])
    assert t.order()[:2] == ["Bo", "Ana"]
    assert values(t) == {"Bo": 9, "Ana": 9, "Orcs": 8, "Rat": 8}
    assert t.order()[2:] == ["Orcs", "Rat"]
    assert "roll-off 6, 15" in row(t, "Bo")["why"]


@pytest.mark.parametrize("option", [{"trk__tie": "by_hand"}, {"tie__by_hand": True}])
def test_trk_7_by_house_rule_the_gm_orders_the_tied(option: dict[str, Any]) -> None:
    t = crypt("set Ana per=5", "begin", 'meet Ana vs "Orc 1"', **option)
    rolls(t, FACES | {"Rat": (5, 4)})
    assert [(d["kind"], d["who"], d["names"], d["least"]) for d in t.state()["due"]] == [
        ("pick", "GM", ["Ana", "Bo", "Rat"], 3)
    ]
    t.do("pick Rat Bo Ana")
    assert t.order() == ["Rat", "Bo", "Ana", "Orcs"]
    assert "ordered by hand" in row(t, "Bo")["why"]


def test_trk_8_places_are_counted_anew_at_every_change() -> None:
    t = tracked("out Ana")
    assert [(r["entry"], r["place"]) for r in t.state()["track"]] == [("Bo", 1), ("Orcs", 2), ("Rat", 3)]
    t.do("back Ana", "move Rat before Bo")
    assert t.order() == ["Rat", "Bo", "Ana", "Orcs"]
    assert "by hand" in row(t, "Rat")["why"]
    assert t.refuse("move Rat before Rat", "itself").rule == "TRK-8"


# --- the first turn, and the others


def test_trk_9_the_characters_won_and_go_first_in_any_order() -> None:
    t = tracked()
    assert t.state()["offer"] | {"why": ""} == {
        "chooser": "heroes",
        "acts": [{"kind": "turn", "who": "Ana"}, {"kind": "turn", "who": "Bo"}],
        "why": "",
        "rule": "TRK-9",
    }
    assert side(t, "heroes")["turn"] is True
    assert t.order() == ["Bo", "Ana", "Orcs", "Rat"]
    t.do("turn Ana", "end")
    assert t.may() == ["Bo"]
    t.do("next", "next")
    assert acting(t) == "Orcs"
    t.do("next")
    assert acting(t) == "Rat"


def test_trk_10_the_same_track_every_turn() -> None:
    t = second("end")
    for _ in range(3):
        assert played(t) in (["Ana", "Orcs", "Rat"], ["Bo", "Ana", "Orcs", "Rat"])
        t.do("next", "end")
    assert t.state()["round"] == 5
    assert t.refuse("end", "no side").rule == "TRK-10"
    assert t.refuse("hold Ana", "nobody delays").rule == "TRK-10"
    assert t.refuse("turn Rat").rule == "TRK-10"


def test_trk_11_the_creatures_won_and_the_track_counts_at_once() -> None:
    t = tracked(winner="dark")
    assert values(t) == {"Orcs": 10, "Bo": 10, "Ana": 9, "Rat": 5}
    assert t.may() == ["Bo"]
    assert played(t) == ["Bo", "Orcs", "Ana", "Rat"]
    assert "TRK-11" in rules(t)


def test_trk_10_calm_clears_the_track_and_exploration_goes_on() -> None:
    t = second("end", "calm")
    assert (mode(t), t.state()["phase"], t.state()["round"]) == ("sides", "exploration", 2)
    assert t.may() == ["Ana"]
    assert "places" not in t.encounter.notes


# --- law and order


def test_trk_21_nobody_acts_twice_or_is_skipped_whatever_is_edited() -> None:
    t = second("end", "move Bo after Rat", 'ungroup "Orc 2"')
    assert played(t) == ["Ana", "Orcs", "Orc 2", "Rat"]
    t.do("next")
    assert t.order() == ["Ana", "Orcs", "Orc 2", "Rat", "Bo"]


def test_trk_21_a_regrouped_creature_keeps_its_number_and_never_rolls_off() -> None:
    t = second('ungroup "Orc 1"')
    assert t.state()["due"] == []
    assert values(t) == {"Bo": 10, "Ana": 9, "Orcs": 7, "Orc 1": 7, "Rat": 5}
    t.do('group "Orc 1",Rat Odd')
    assert values(t) == {"Bo": 10, "Ana": 9, "Orcs": 7, "Odd": 7}
    assert t.state()["due"] == []


def test_trk_22_everybody_gone_is_no_endless_round() -> None:
    t = second("out @heroes", "out @dark")
    assert t.state()["offer"] == {}
    t.refuse("next")

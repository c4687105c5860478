"""The Dynamic Initiative System, clause by clause: from the dice to the next round."""

from __future__ import annotations

import pytest

from tests.systems.dynamic.fights import rolled, table, values
from tests.table import Table, order_of, row


def test_dis_6_ties_roll_a_d20_and_the_higher_goes_first() -> None:
    t = table("order Sela weapon=1d8", "order Oren spell=0", "roll Sela 4", "roll Oren 4", "roll Orc 4")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [
        ("Sela", [20]),
        ("Oren", [20]),
        ("Orc", [20]),
    ]
    t.do("roll Sela 9", "roll Oren 9", "roll Orc 20")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("Sela", [20]), ("Oren", [20])]
    t.do("roll", dice=[1, 2])
    assert t.order() == ["Orc", "Oren", "Sela"]
    assert set(values(t).values()) == {4}
    assert "roll-off 9, 2" in row(t, "Oren")["why"]


def test_dis_7_a_switch_belongs_to_ones_own_running_turn() -> None:
    t = rolled()
    assert t.refuse("switch Sela action=1", "own turn").rule == "DIS-7"
    t.do("next")
    assert t.refuse("switch Sela action=1", "Orc").rule == "DIS-7"
    t.do("next", "end")
    assert t.refuse("switch Sela action=1").rule == "DIS-7"


def test_dis_7_a_switch_ends_the_turn_untaken_and_next_may_give_it_back() -> None:
    t = rolled()
    t.do("next", "next", "next")
    assert t.state()["acting"] == "Oren"
    t.do("switch Oren action=1")
    assert t.state()["acting"] == ""
    assert t.may() == ["Oren"]
    assert values(t)["Oren"] == 13
    t.do("next", "switch Oren spell=1")
    assert values(t)["Oren"] == 22
    assert "+15 for switching" in row(t, "Oren")["why"]
    t.do("next", "end")
    assert [a["kind"] for a in t.state()["offer"]["acts"]] == ["round"]


def test_dis_7_a_row_moved_by_hand_leaves_that_place_by_switching() -> None:
    t = rolled()
    t.do("move Oren before Orc", "move Sela before Oren")
    assert t.order() == ["Sela", "Oren", "Orc"]
    t.do("next", "switch Sela weapon=1d4")
    assert t.order() == ["Oren", "Orc", "Sela"]
    t.do("next")
    assert t.state()["acting"] == "Oren"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("switch Sela", "DIS-7"),
        ("switch Sela from=none", "DIS-7"),
        ("switch Sela spell=2 from=spell", "DIS-7"),
        ("switch Sela spell=2 from=dance", "DIS-7"),
        ("switch Sela spell=2 from=weapon,move", "DIS-7"),
        ("switch Sela dance=1", "DIS-4"),
        ("switch Sela move=yes from=none", "DIS-15"),
        ("switch", "DIS-7"),
        ("switch Sela Oren action=1", "DIS-7"),
    ],
)  # fmt: skip
def test_dis_7_a_switch_that_cannot_be_is_refused(line: str, rule: str) -> None:
    t = table(
        "order Sela weapon=1d8 move=yes", "order Oren action=1", "roll Orc 8", "roll Sela 1 1", "roll Oren 6"
    )
    t.do("next")
    assert t.refuse(line).rule == rule


def test_dis_8_a_reaction_is_had_once_a_round() -> None:
    t = rolled()
    t.do("next", "react Sela with shield")
    assert t.state()["acting"] == "Orc"
    assert row(t, "Sela")["tags"] == ["reaction"]
    assert t.refuse("react Sela").rule == "DIS-28"
    t.do("next", "next", "next", "order @heroes move=yes")
    assert row(t, "Sela")["tags"] == []


def test_dis_11_a_modifier_is_no_part_of_the_pool() -> None:
    t = table()
    t.refuse("add Vim +3", "no modifier")
    t.do("order Sela weapon=1d8", "order Oren", "roll Orc 8", "roll Sela 7")
    assert values(t)["Sela"] == 7


def test_dis_18_only_players_characters_declare_and_switch() -> None:
    t = table("add Guide kind=npc side=heroes size=small", "order Sela", "order Oren")
    assert [(d["who"], d["dice"]) for d in t.state()["due"]] == [("Orc", [8]), ("Guide", [6])]
    t.do("roll Orc 1", "roll Guide 2", "roll Sela 20", "roll Oren 1", "next", "end", "next", "end", "next")
    assert t.state()["acting"] == "Orc"
    assert t.refuse("switch Orc action=1").rule == "DIS-18"


@pytest.mark.parametrize(
    ("keys", "dice"),
    [("", [8]), ("size=tiny", [4]), ("size=gargantuan", [20]), ("die=d10", [10]), ("die=12", [12]),
     ("size=huge die=2d6", [6, 6]), ("die=0", [8])],
)  # fmt: skip
def test_dis_19_all_others_roll_the_die_of_their_size(keys: str, dice: list[int]) -> None:
    t = Table("dynamic")
    t.do(f"add Beast {keys}", "begin")
    assert [d["dice"] for d in t.state()["due"]] == [dice]


def test_dis_20_the_living_of_a_type_count_and_one_row_may_stand_for_many() -> None:
    t = Table("dynamic")
    t.do("add 3 Rat group=Rats size=tiny", "add Swarm size=large count=4", 'out "Rat 1"', "begin")
    t.do("roll Rats 1", "roll Swarm 2")
    assert values(t) == {"Rats": 2, "Swarm": 5}
    assert "d4 (1) + 1 for the others of the type = 2" in row(t, "Rats")["why"]
    t.do('out "Rat 2"')
    assert values(t)["Rats"] == 2


def test_dis_23_a_wholly_surprised_group_is_not_cut() -> None:
    t = table("add 2 Rat group=Rats", 'surprised "Rat 1"', 'surprised "Rat 2"', "lock missing=empty")
    t.do("roll Orc 1", "roll Rats 1")
    assert values(t)["Rats"] == 12


def test_dis_24_surprise_comes_last_and_locks_the_reaction() -> None:
    t = rolled("surprised Orc,Sela")
    assert values(t) == {"Oren": 7, "Orc": 12, "Sela": 15}
    assert "+10: surprised" in row(t, "Orc")["why"]
    assert t.refuse("react Orc").rule == "DIS-24"
    t.do("react Oren", "next", "next", "next", "next", "react Orc")


def test_dis_25_what_was_declared_may_be_dropped_for_nothing() -> None:
    t = rolled()
    t.do("next", "next", "end")
    assert values(t)["Sela"] == 5
    assert order_of(t, "Sela")["state"] == "done"  # type: ignore[index]


def test_dis_26_nothing_is_carried_into_the_next_round() -> None:
    t = rolled()
    t.do("move Oren before Orc", "next", "next", "next", "switch Sela action=1", "next", "next")
    assert (t.encounter.round, t.encounter.rolls, t.encounter.shifts) == (2, {}, ())
    assert set(values(t).values()) == {0}
    t.do("order Sela", "order Oren")
    assert [d["who"] for d in t.state()["due"]] == ["Orc"]


def test_dis_27_turn_edges_are_the_rounds_edges() -> None:
    t = rolled("condition Orc slowed rounds=1 until=end", "condition Orc dazed rounds=1 until=start of=Sela")
    t.do("next", "next", "next")
    assert len(t.state()["combatants"][2]["conditions"]) == 2
    said = [line.text for line in t.do("next").lines]
    wanted = ["Orc: slowed has ended", "Round 2 begins", "Orc: dazed has ended"]
    assert [line for line in said if line in wanted] == wanted


def test_dis_28_an_interrupted_turn_goes_on_and_no_number_changes() -> None:
    t = rolled("surprised none")
    t.do("next")
    before = t.state()["track"]
    t.do("react Oren with counterspell")
    assert t.state()["acting"] == "Orc"
    assert [r["value"] for r in t.state()["track"]] == [r["value"] for r in before]


def test_dis_7_who_is_made_a_pc_in_its_own_turn_may_switch() -> None:
    types = Table("dynamic", {"dis.group": "staggered"})
    types.do(
        "add 2 Rat group=Rats",
        "begin",
        "roll Rats 1",
        "next",
        'set "Rat 1" kind=pc',
        'switch "Rat 1" action=1',
    )
    assert types.order() == ["Rat 2", "Rat 1"]


def test_dis_7_a_switch_pays_only_for_what_it_brings() -> None:
    """Whatever is bought stands in the declaration afterwards, and nothing bought is given up in the same
    line."""
    for bought, price in (
        (("weapon=1d6", "spell=1"), 6 + 9),
        (("weapon=1d6", "action=1"), 6 + 6),
        (("spell=1,2",), 9 + 10),
    ):
        t = Table("dynamic")
        t.do("add Fay kind=pc", "add Orc", "begin", "order Fay weapon=1d8 move=yes", "roll", dice=(4, 2, 8))
        t.do("next", f"switch Fay {' '.join(bought)}")
        assert values(t)["Fay"] == 6 + price
        written = t.encounter.orders["c1"]
        assert {k: written[k] for k in (x.partition("=")[0] for x in bought)} == dict(
            x.split("=") for x in bought
        )
        assert written["move"] == "yes", "what was declared before and not given up stays"
    t = Table("dynamic")
    t.do("add Fay kind=pc", "add Orc", "begin", "order Fay weapon=1d8 move=yes", "roll", dice=(4, 2, 8))
    t.do("next")
    assert t.refuse("switch Fay weapon=1d6 move=yes").rule == "DIS-15"

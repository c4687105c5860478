"""The common d20 order: places that hold, ties that stay settled, groups in mid-fight, reactions,
advantage."""

from __future__ import annotations

from typing import Any

import pytest

from tests.systems.test_classic import owed, states
from tests.table import Table, acting, marks


def four(*lines: str, **options: Any) -> Table:
    """Ana 20, Bo 15, Orc 10, Wolf 5."""
    t = Table("classic", {f"classic.{k}": v for k, v in options.items()})
    t.do("add Ana", "add Bo", "add Orc", "add Wolf", "begin")
    t.do("roll", dice=[20, 15, 10, 5])
    t.do(*lines) if lines else None
    return t


# --- places that hold (CLASSIC-3)

DELAY = ("hold Ana", "next", "end", "next", "act Ana", "end")


@pytest.mark.parametrize("gone", ["out Orc", "remove Orc", "group Orc,Wolf Pack"])
def test_a_delay_holds_when_the_row_beside_it_goes(gone: str) -> None:
    t = four(*DELAY)
    assert t.order() == ["Bo", "Ana", "Orc", "Wolf"]
    t.do(gone)
    assert t.order() == ["Bo", "Ana", "Pack" if "Pack" in gone else "Wolf"]
    assert not [x["why"] for x in t.state()["track"] if "c3" in x["why"]]
    assert "c3" not in t.state()["now"]


# --- groups in mid-fight, by CLASSIC-4


def test_who_joins_a_group_that_has_acted_acts_from_the_next_round() -> None:
    t = Table("classic")
    t.do("add 2 Orc group=Orcs", "add Ana", "begin")
    t.do("roll", dice=[15, 5])
    t.do("next", "add 1 Orc group=Orcs", "add 1 Orc group=Orcs", "next")
    assert acting(t) == "Ana"
    assert (marks(t, "Orc 3").get("barred"), states(t)["Orcs"]) == (True, "done")
    assert marks(t, "Orc 4") == {"barred": True}
    t.do("next")
    assert (t.encounter.round, acting(t)) == (2, "Orcs")
    assert t.encounter.turn is not None
    assert len(t.encounter.turn.members) == 4


def test_a_group_made_in_mid_fight_has_the_place_of_its_best_and_nobody_acts_twice() -> None:
    t = four("next", "group Wolf,Bo,Ana Pack")
    assert t.order() == ["Pack", "Orc"]
    assert {r["entry"]: r["value"] for r in t.state()["track"]} == {"Pack": 20, "Orc": 10}
    t.do("next")
    assert acting(t) == "Pack"
    assert t.encounter.turn is not None
    assert t.encounter.turn.members == ("c2", "c4")
    assert "of Pack only Bo, Wolf" in t.state()["now"]
    t.do("next")
    assert acting(t) == "Orc"


def test_a_group_that_owes_a_roll_takes_the_number_of_who_joins_it() -> None:
    t = four("add Rat group=Gang")
    assert owed(t) == [["Gang", 20]]
    t.do("group Bo Gang")
    assert (owed(t), t.order()) == ([], ["Ana", "Gang", "Orc", "Wolf"])
    assert next(x["value"] for x in t.state()["track"] if x["entry"] == "Gang") == 15


def test_who_waits_for_the_next_round_is_told_so_once_whatever_group_it_joins() -> None:
    t = four("group Ana,Bo Pair", "group Orc,Wolf Pack", "next", "next", "end")
    assert "from the next round on" in " ".join(line.text for line in t.do("add Rat group=Pair").lines)
    assert [line.text for line in t.do("group Rat Pack").lines] == ["Rat joins the group Pack"]
    assert states(t) == {"Pair": "done", "Pack": "done"}


# --- delays are seen


def test_who_delays_is_named_with_the_line_that_ends_it() -> None:
    t = Table("classic")
    t.do('add "Ana Maria"', "add Bo", "add Cy", "begin")
    t.do("roll", dice=[15, 10, 5])
    t.do("next", 'hold "Ana Maria"')
    assert 'Ana Maria delays: `act "Ana Maria"`' in t.state()["now"]
    t.do("next", "next")
    assert 'Ana Maria delays: `act "Ana Maria"`' in t.state()["now"]
    said = [line.text for line in t.do("next").lines]
    assert "Ana Maria's delayed turn comes after Cy" in said
    assert not [x for x in said if "hand" in x]
    assert "delayed: acts after Cy" in t.state()["track"][2]["why"]


# --- reactions (CLASSIC-5), advantage and fixed places (CLASSIC-1)


def test_a_reaction_comes_back_at_the_start_of_ones_own_turn() -> None:
    t = four("next", "react Bo", "react Orc")
    assert t.refuse("react Bo", "own turn").rule == "CLASSIC-5"
    t.do("next", "react Bo")
    t.do("next", "next", "react Orc", "react Wolf", "next", "next")
    assert t.encounter.round == 2
    assert t.refuse("react Orc").rule == "CLASSIC-5"
    assert "reaction" not in marks(t, "Bo")
    t.do("next", "react Orc")
    assert t.refuse("react Wolf").rule == "CLASSIC-5"


@pytest.mark.parametrize(("edge", "value", "counts"), [("adv", 16, 14), ("dis", 5, 3)])
def test_advantage_and_disadvantage_roll_two_d20(edge: str, value: int, counts: int) -> None:
    t = Table("classic")
    t.do(f"add Ana mod=2 adv={edge}", "begin")
    assert owed(t) == [["Ana", 20, 20]]
    assert "rolls 2d20" in t.state()["due"][0]["why"]
    t.do("roll Ana 3 14")
    assert t.state()["track"][0]["value"] == value
    t.do("set Ana adv=", "set Ana mod=5")
    assert t.state()["track"][0]["why"] == f"d20 (3, 14), {counts} counts +2 = {value}"


def test_a_fixed_place_is_told_when_a_fight_begins() -> None:
    t = Table("classic")
    t.do("add Lair value=20", "add Ana")
    said = [line.text for line in t.do("begin").lines]
    assert "Lair has the fixed place 20; the highest acts first" in said
    said = [line.text for line in t.do("system dynamic", "begin").lines]
    assert not [x for x in said if "highest" in x]
    said = [line.text for line in t.do("system unbound", "begin").lines]
    assert "Lair has the fixed place 20, which means nothing here" in said


def test_a_move_of_a_group_at_a_fixed_place_holds_when_it_is_dissolved() -> None:
    t = four("add Lair value=7 group=Den", "move Den before Bo", "ungroup Lair")
    assert t.order() == ["Ana", "Lair", "Bo", "Orc", "Wolf"]


def test_a_group_that_loses_its_fixed_place_stands_by_the_number_it_rolls_then() -> None:
    t = four("add Lair value=7", "move Ana after Wolf", "group Lair,Bo Den")
    assert t.order() == ["Orc", "Den", "Wolf", "Ana"]
    t.do("remove Lair")
    t.do("roll", dice=[19])
    assert t.order() == ["Den", "Orc", "Wolf", "Ana"]


def test_a_member_that_takes_its_fixed_place_away_again_does_not_follow_the_roll_of_the_rest() -> None:
    t = four("add Lair value=7", "move Lair before Ana", "group Lair,Bo Den")
    assert t.order()[0] == "Den"
    t.do("ungroup Lair")
    t.do("roll Den", dice=[1])
    assert (t.order()[0], t.order()[-1]) == ("Lair", "Den")


def test_classic_2_each_of_a_tie_is_told_the_others() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "begin", "roll Ana 5", "roll Bo 5", "roll Cy 5")
    assert [d["why"] for d in t.state()["due"]] == [
        "Ana is tied with Bo, Cy: roll-off",
        "Bo is tied with Ana, Cy: roll-off",
        "Cy is tied with Ana, Bo: roll-off",
    ]


@pytest.mark.parametrize(
    ("who", "after"), [("Bo", ["Bo goes on"]), ("Cy", ["Bo goes on", "Bo's turn ends", "Cy acts"])]
)
def test_a_turn_that_was_cut_into_is_gone_on_with_or_ended_and_never_dropped(
    who: str, after: list[str]
) -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "add Dee", "begin", "total Ana 20 Bo 15 Cy 10 Dee 5")
    t.do("hold Ana", "next", "act Ana")
    assert [line.text for line in t.do(f"turn {who}").lines] == ["Ana's turn ends", *after]
    assert acting(t) == who


def test_classic_3_nobody_goes_on_where_nobody_was_cut_into() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "begin", "roll Ana 9", "roll Bo 5", "next", "end")
    assert "TurnResumed" not in [type(event).__name__ for event in t.ledger.steps[-1].events]


def test_who_of_a_group_acts_is_told_also_when_it_is_one_of_two() -> None:
    t = Table("classic")
    t.do("add 1 Rat group=Rats", "add Ana", "begin", "roll Rats 9", "roll Ana 5", "next")
    alone = t.state()["now"]
    t.do("add 1 Rat group=Rats")
    assert "Rat 1" not in alone
    assert "Rat 1" in t.state()["now"]


def test_classic_6_who_comes_above_the_row_that_acts_is_next_and_the_clause_says_so() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "begin", "roll", "next", "next", dice=(15, 5))
    t.do("add Cy", "roll Cy 18")
    assert t.state()["acting"] == "Bo"
    t.do("end")
    offer = t.state()["offer"]
    assert ([x["who"] for x in offer["acts"]], offer["rule"]) == (["Cy"], "CLASSIC-6")


def test_a_fixed_place_says_behind_whom_it_stands() -> None:
    t = Table("classic")
    t.do("add Ana", "add Lair value=15", "add Bo", "begin", "roll", dice=(15, 5))
    why = next(row["why"] for row in t.state()["track"] if row["entry"] == "Lair")
    assert "a fixed place" in why
    assert "after Ana, who rolled the same number" in why


def test_who_comes_to_a_tie_that_was_ordered_by_hand_is_put_into_it_by_hand() -> None:
    t = Table("classic", {"tie.by_hand": True})
    t.do("add Ana", "add Bo", "begin", "roll Ana 10", "roll Bo 10", "pick Bo Ana", "option tie.by_hand=false")
    t.do("add Cay", "roll Cay 10")
    t.refuse("next", "pick")
    t.do("pick Bo Ana Cay")
    assert t.order() == ["Bo", "Ana", "Cay"]
    # Equals of another number roll off.
    t.do("add Dan", "add Eve", "roll Dan 7", "roll Eve 7", "roll Dan 3", "roll Eve 9")
    assert t.order() == ["Bo", "Ana", "Cay", "Eve", "Dan"]

"""Conditions count whole turns: `rounds=N` lasts N turns after the one in which it was given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table, carried
from tui.core.fight.viewer import viewer_of


def classic(*lines: str) -> Table:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy", "begin")
    t.do("roll", dice=[15, 10, 5])
    for line in lines:
        t.do(line)
    return t


@given(n=st.integers(1, 4), own=st.booleans(), start=st.booleans())
def test_rounds_are_whole_turns_after_this_one(n: int, own: bool, start: bool) -> None:
    """Given in one's own turn, it lasts to the end (start) of the Nth turn after it; else of the Nth."""
    t = classic("next" if own else "next 2")
    bearer = "Ana"
    t.do(f"condition {bearer} rage rounds={n} until={'start' if start else 'end'}")
    turns = 0
    while True:
        t.do("next")
        acting = t.state()["acting"]
        if acting == bearer:
            turns += 1
            if start:
                assert (carried(t, bearer) == []) == (turns == n)
                if turns == n:
                    return
            else:
                assert carried(t, bearer) == ["rage"], "it lasts to the end of the turn"
        elif not start and turns == n:
            assert carried(t, bearer) == []
            return


def test_an_edge_without_a_number_is_the_next_one() -> None:
    t = classic("next", "condition Ana shaken until=end", "next")
    assert carried(t, "Ana") == []


def test_two_of_one_name_are_of_two_others_and_cleared_apart() -> None:
    t = classic("condition Cy marked of=Ana", "condition Cy marked of=Bo rounds=3")
    assert carried(t, "Cy") == ["marked", "marked"]
    t.do("clear Cy marked of=Bo")
    assert [x["of"] for x in t.state()["combatants"][2]["conditions"]] == ["Ana"]
    t.refuse("clear Cy marked of=Bo", "of bo")
    t.do("condition Cy marked of=Bo", "clear Cy marked")
    assert carried(t, "Cy") == []


def test_it_may_be_of_a_group_whose_turn_is_one() -> None:
    t = Table("classic")
    t.do("add Ana", "add 2 Orc group=Orcs", "begin")
    t.do("roll", dice=[15, 10])
    t.do("next", "condition Ana fear rounds=1 of=Orcs", "next")
    assert (t.state()["acting"], carried(t, "Ana")) == ("Orcs", ["fear"])
    t.do("next")
    assert carried(t, "Ana") == []
    t.refuse("condition Ana fear of=Ana,Orcs", "names 3 creatures")


def test_whose_it_is_stays_a_name_after_the_creature_is_struck() -> None:
    t = classic("condition Cy marked of=Ana rounds=3", "remove Ana")
    assert t.state()["combatants"][-1]["conditions"][0]["of"] == "Ana"


def test_rounds_may_be_dice_thrown_once_for_all() -> None:
    t = classic()
    t.do("condition Ana,Bo stunned rounds=1d4", dice=[3])
    assert [c["conditions"][0]["rounds"] for c in t.state()["combatants"][:2]] == [3, 3]
    t.refuse("condition Ana stunned rounds=-1", "0 to 9999")
    t.refuse("condition Ana stunned rounds=soon")


def test_a_hidden_condition_is_the_game_masters_alone() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia", "add Orc", "condition Orc prone", "condition Orc cursed", "hide Orc cursed")
    seen = t.state("Mia")["combatants"][1]["conditions"]
    assert [x["name"] for x in seen] == ["prone"]
    assert carried(t, "Orc") == ["prone", "cursed"]
    t.do("condition Orc cursed rounds=2")
    assert list(t.store.messages(t.store.step, viewer_of("Mia"))) == []
    assert "cursed" not in str(t.state("Mia")["combatants"])
    t.do("reveal Orc cursed")
    assert "cursed" in str(t.state("Mia")["combatants"])
    t.refuse("hide Ana cursed", "no conditions")


def test_a_refusal_names_the_bearer_where_there_is_one() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "condition Ana,Bo prone")
    t.refuse("clear Ana zz", "no condition of Ana is called")
    t.refuse("clear Ana,Bo zz", "no condition is called")

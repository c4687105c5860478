"""Going on, choosing, finishing: `next N`, `finish`, `pick` of a group, free dice, refusals that are true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table
from tui.systems import Registry


def classic(*lines: str) -> Table:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=9", "add 2 Orc hp=7", "begin")
    t.do("roll", dice=[15, 10, 5])
    for line in lines:
        t.do(line)
    return t


@given(st.integers(1, 9))
def test_next_n_is_n_times_next_as_one_step(n: int) -> None:
    many, single = classic(), classic()
    many.do(f"next {n}")
    for _ in range(n):
        single.do("next")
    assert many.encounter == single.encounter
    assert many.store.step == single.store.step - n + 1


def test_next_n_stops_at_the_first_thing_due_and_says_so() -> None:
    t = Table("classic", {"classic.reroll": "each_round"})
    t.do("add Ana", "add Bo", "begin")
    t.do("roll", dice=[15, 10])
    said = [x.text for x in t.do("next 9").lines]
    assert any(x.startswith("stopped after 3 of 9: Ana, Bo owe a roll") for x in said)
    t.refuse("next 2", "has to wait", "owe a roll")


def test_finish_ends_the_fight_and_what_belongs_to_it() -> None:
    t = classic(
        "next",
        "condition Ana rage rounds=3",
        "condition Ana cursed",
        "group orc* Orcs",
        "temp Ana 3",
        "add Late round=4",
        'out "Orc 2"',
    )
    before = t.encounter
    t.do("finish")
    state = t.state()
    assert (state["round"], state["acting"], state["due"], state["track"], state["phase"]) == (
        0,
        "",
        [],
        [],
        "setup",
    )
    ana = state["combatants"][0]
    assert [x["name"] for x in ana["conditions"]] == ["cursed"]
    assert (ana["temp_hp"], state["combatants"][2]["out"], state["combatants"][1]["group"]) == (
        3,
        True,
        "Orcs",
    )
    assert state["combatants"][3]["arrives"] == 4
    t.refuse("finish", "not begun")
    t.do("undo")
    assert t.encounter == before


def test_who_arrived_in_a_fight_is_there_after_it() -> None:
    t = classic("add Late round=2", "next 4")
    assert t.state()["round"] == 2
    t.do("finish" if not t.state()["due"] else "roll Late 3")
    if t.encounter.running:
        t.do("finish")
    assert all(c["arrives"] == 0 for c in t.state()["combatants"])


def test_begin_twice_does_not_advise_to_throw_the_fight_away() -> None:
    hint = classic().refuse("begin", "already running").hint
    assert "system" not in hint


def test_who_has_had_a_turn_is_told_so() -> None:
    t = Table("unbound")
    t.do("add 2 Ana side=heroes", "add 2 Imp side=cult", "begin")
    t.do("roll", dice=[9, 5])
    t.do('turn "Ana 1"', "end", 'turn "Imp 1"', "end")
    assert t.refuse('turn "Ana 1"', "has had a turn this round").rule == "UNB-10"
    t.do('out "Ana 2"')
    assert "is out" in t.refuse('turn "Ana 2"').message


def test_a_pass_before_the_dice_says_only_what_is_true() -> None:
    t = Table("unbound")
    t.do("add Ana side=heroes", "add Imp side=cult", "begin")
    assert t.refuse("pass").hint == "heroes, cult owe a roll: `roll`"


def test_with_nobody_left_the_refusal_says_what_would_work() -> None:
    t = classic("next", "out Ana,orc*")
    assert "`finish`" in t.refuse("next").hint


def test_a_verb_of_another_system_says_whose_it_is() -> None:
    assert "belongs to" in classic().refuse("surprised Ana").message


def test_a_pick_of_a_group_means_its_members_among_those_asked() -> None:
    t = Table("dungeon-universalis")
    t.do(
        "add Ana kind=pc per=9 int=9", "add 2 Gob per=1 int=1 group=Gobs", "add Orc int=1 distance=9", "begin"
    )
    t.do("meet Ana vs Orc")
    t.do("roll", dice=[6, 5, 2, 1])
    assert t.state()["due"][0]["names"][:2] == ["Gob 1", "Gob 2"]
    t.refuse("pick Ana", "no choice is called")
    t.do("pick Gobs")
    assert {"Gob 1", "Gob 2"} <= set(t.state()["outcome"]["caught"])


@given(st.lists(st.integers(1, 6), min_size=2, max_size=2), st.booleans())
def test_free_dice_change_nothing_and_are_the_game_masters_unless_open(faces: list[int], open_: bool) -> None:
    t = classic()
    before = t.encounter
    t.do("dice 2d6+1 the bridge" + (" open=yes" if open_ else ""), dice=faces)
    assert t.encounter == before
    told = [x["text"] for x in t.state()["last"]]
    assert any(x.startswith(f"GM rolls {sum(faces) + 1} for the bridge: 2d6+1 (") for x in told)
    assert ("the bridge" in str(t.state("Mia")["last"])) == open_


@pytest.mark.parametrize(
    ("line", "says"),
    [("dice 5", "no dice"), ("dice 2d6 open=maybe", "yes or no"), ("dice 2e6", "not understood")],
)
def test_free_dice_that_are_none_are_refused(line: str, says: str) -> None:
    classic().refuse(line, says)


@pytest.mark.parametrize("system", Registry().ids())
def test_before_the_fight_who_is_back_is_only_back(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "out Orc", "back Orc")
    assert [type(event).__name__ for event in t.ledger.steps[-1].events] == ["CameBack"]
    t.refuse("back Orc", "already in the fight")


def test_a_die_is_rolled_for_one_and_with_a_face_that_it_has() -> None:
    t = Table("classic")
    t.do("add Ana", "add 2 Orc", "begin")
    assert t.refuse("roll or 5", '"or" fits Orc 1, Orc 2').kind == "ambiguous"
    for face in (0, 21, 5_000, -3):
        t.refuse(f"roll Ana {face}", f"{face} is not on a d20")
    for total in (0, 21, 100_000, -5_000):
        t.refuse(f"total Ana {total}", f"{total} is no total of Ana", "1 to 20")
    t.do("roll Ana 20", 'roll "Orc 1" 1')


def test_what_follows_a_rename_or_a_change_of_system_is_told_once() -> None:
    t = Table("dungeon-universalis")
    t.do("add Bo kind=pc", "add Dog side=heroes acts_with=Bo")
    assert [x.text for x in t.do("rename Bo Bob").lines] == ["Bo is now called Bob"]
    assert t.encounter.combatants["c2"].word("acts_with") == "Bob"
    t = Table("chaos")
    t.do("add Ana bonus=3")
    told = [x.text for x in t.do("system dynamic").lines]
    assert [x for x in told if "bonus" in x] == [x for x in told if "bonus=3 stays Chaos" in x] != []


@pytest.mark.parametrize("system", Registry().ids())
def test_who_has_not_arrived_has_no_reaction_to_spend(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "add Late round=3", "begin")
    assert "not here before round 3" in t.refuse("react Late").message

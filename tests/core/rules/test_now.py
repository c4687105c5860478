"""The Now line: dice that are owed, creatures at 0, who may come back, lines that can be typed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table
from tui.core.fight.agenda import reasoned, say
from tui.systems import Registry


def now(t: Table, viewer: str | None = None) -> str:
    return str(t.state(viewer)["now"])


def typed(t: Table) -> list[str]:
    """The whole lines between backticks."""
    return [
        line
        for line in re.findall(r"`([^`]+)`", now(t))
        if line.split()[0] in ("out", "back", "roll", "next", "begin", "turn")
    ]


def test_now_says_which_dice_are_owed() -> None:
    t = Table("classic")
    t.do("add Ana", "begin")
    assert now(t) == "Ana rolls d20 for a place in the order; `roll`"
    t.do("add Bo")
    assert "Still to roll d20: Ana, Bo" in now(t)
    track = Table("dungeon-track")
    track.do("add Ana kind=pc per=1", "add Orc per=1", "begin", "meet Ana")
    assert "2d6" in now(track)


def test_who_owes_the_same_save_is_named_with_it() -> None:
    t = Table("classic")
    t.do("add Ana hp=9", "add 3 Orc hp=9", "area Ana,Orc* damage=6 dc=13 save=dex")
    assert now(t) == "Owe a save, DC 13 dex: Ana, Orc 1 to 3; d20: `roll`"
    t.do("made Ana", 'made "Orc 1"', 'made "Orc 2"')
    assert now(t) == "Orc 3 owes a save: DC 13 dex; d20: `roll`"
    t.do("failed Orc*", "condition Ana slow save=wis dc=12", "condition Ana weak save=con dc=12", "begin")
    t.do("roll", dice=[20, 3, 2, 1])
    t.do("next", "next")
    assert now(t).startswith("Still to roll d20: Ana twice; `roll`; Ana owes a save against slow")


@given(
    st.lists(st.sampled_from(["Ana", "Orc 1", "Orc 2", "Bo the Bold"]), min_size=1, max_size=4, unique=True)
)
def test_everybody_at_0_is_pointed_out_by_a_line_that_can_be_typed(down: list[str]) -> None:
    t = Table("classic")
    t.do("add Ana hp=5", "add 2 Orc hp=5", 'add "Bo the Bold" hp=5', "begin")
    t.do("roll", dice=[15, 10, 5, 3])
    for name in down:
        t.do(f'damage "{name}" 9')
    assert all(name in now(t) for name in down)
    t.do(next(line for line in typed(t) if line.startswith("out ")))
    assert {c["name"] for c in t.state()["combatants"] if c["out"]} == set(down)
    for name in down:
        t.do(f'heal "{name}" 3')
    t.do(next(line for line in typed(t) if line.startswith("back ")))
    assert not any(c["out"] for c in t.state()["combatants"])
    assert "hit points again" not in now(t)


def test_who_fled_is_not_called_back() -> None:
    t = Table("classic")
    t.do("add Ana hp=5", "add Bo hp=5", "begin")
    t.do("roll", dice=[15, 10])
    t.do("out Bo")
    assert "back" not in now(t)


def test_now_ends_with_more_when_it_cannot_name_all() -> None:
    t = Table("classic")
    t.do("add Orc", "add Elf", "add Rat", "add Cat", "add 9 Wolf", "begin")
    assert "Orc, Elf, Rat, Cat and 9 more" in now(t)


@given(st.integers(2, 12))
def test_who_owes_is_named_and_those_who_count_on_are_one_name_of_four(many: int) -> None:
    t = Table("classic")
    t.do("add Ana", f"add {many} Orc hp=1", "add 3 Wolf", "add Bo", "add Cay", "begin")
    names = (
        "Ana, Orc 1, Orc 2, Wolf 1 to 3 and 2 more"
        if many == 2
        else f"Ana, Orc 1 to {many}, Wolf 1 to 3, Bo and 1 more"
    )
    assert f" d20: {names};" in now(t)


def test_of_a_choice_now_names_who_chooses_who_may_go_and_why() -> None:
    t = Table("unbound")
    t.do("add Ana side=heroes", "add Bo side=heroes", "add 5 Orc side=dark", "begin")
    t.do("roll", dice=[1, 12])
    assert now(t).startswith(
        'The dark side chooses: Orc 1, Orc 2 and 3 more; `turn "Orc 1"`, or another; may not pass: 5 left'
    )
    t.do('turn "Orc 1"', "next")
    assert now(t).startswith("The heroes choose: Ana or Bo; `turn Ana`, or another; may not pass: 2 left")


def test_the_order_of_whoever_acts_is_in_now_for_who_sees_no_pane() -> None:
    t = Table("chaos")
    t.do("add Ana", "add Bo", "begin", 'order Ana action="strike or else dodge"', "lock missing=empty")
    t.do("roll", dice=[15, 5])
    t.do("ok", "next")
    assert "action: strike or else dodge" in now(t)


def test_when_one_side_is_left_now_says_how_the_fight_ends() -> None:
    t = Table("classic")
    t.do("add Ana side=heroes hp=5", "add 2 Orc hp=5", "begin")
    t.do("roll", dice=[15, 10, 5])
    assert "`finish`" not in now(t)
    t.do('out "Orc 1"')
    assert "`finish`" not in now(t)
    t.do('out "Orc 2"')
    assert "only the heroes left: `finish` ends the fight" in now(t)
    assert "`finish`" not in now(t, "Mia"), "a player ends no fight"
    alone = Table("classic")
    alone.do("add Ana", "begin")
    alone.do("roll", dice=[15])
    assert "`finish`" not in now(alone)


@given(st.text(min_size=1), st.text(min_size=1), st.sampled_from([": ", "; "]))
def test_what_is_the_case_and_why_are_told_apart_whatever_stands_in_them(
    head: str, reason: str, joint: str
) -> None:
    told = reasoned(head, reason, "c1", rule="TRK-9", joint=joint)
    assert told.text == head + joint + reason
    assert told.brief == say(head, "c1", rule="TRK-9")
    assert told.because == say(reason, "c1", rule="TRK-9")
    plain = say(told.text)
    assert (plain.brief, plain.because.text) == (plain, "")


def test_names_stand_between_what_is_the_case_and_why() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana side=heroes", "add Bo side=heroes", "begin")
    assert (
        "The heroes' turn: Ana or Bo; `turn Ana`, or another; any of them, in any order" in t.state()["now"]
    )


def test_after_a_fight_that_one_side_has_won_enemies_come_before_the_next() -> None:
    t = Table("classic")
    t.do("add Ana side=heroes", "add 2 Orc", "begin", "out orc*", "finish")
    assert now(t) == "Only the heroes left: `add 5 Orc` brings enemies, `begin` the next fight"
    t.do("add Wolf")
    assert now(t) == "Ready: `begin` starts the next fight"


@pytest.mark.parametrize("system", Registry().ids())
def test_the_system_that_runs_already_ends_no_fight(system: str) -> None:
    t = Table(system)
    t.do("add Ana kind=pc", "add Orc", "begin")
    assert "is the system already" in t.refuse(f"system {system}", "finish").message


def test_a_turn_that_ends_with_a_save_says_so_before_it_ends() -> None:
    t = Table("classic")
    t.do("add Ana hp=5", "add Bo hp=5", "begin")
    t.do("roll", dice=[15, 10])
    t.do("next", "condition Ana poisoned save=13")
    assert now(t).startswith("Ana acts, then Ana owes a save")


def test_who_owes_two_saves_is_named_once_and_saves_stand_apart_from_the_order() -> None:
    t = Table("dynamic", {"dis.disruption": "once"})
    t.do("add Ana kind=pc hp=20", "add Bo kind=pc hp=20", "add Orc", "begin", "order Ana spell=2", "order Bo")
    t.do("condition Bo blessed of=Ana conc=yes", "damage Ana 3")
    assert t.state()["now"].startswith("Still to roll d20: Ana twice; `roll`")
    t.do("made Ana", "made Ana")
    assert t.state()["now"].startswith("Still to roll d8: Ana, Orc; `roll`")


def test_who_is_dying_does_nothing_in_its_turn() -> None:
    t = Table("classic")
    t.do(
        "option zero.pc=dying",
        "add Ana kind=pc hp=20",
        "add Orc",
        "begin",
        "roll Ana 20",
        "roll Orc 1",
        "damage Ana 20",
        "next",
    )
    assert "it is Ana's turn" in t.state()["now"]
    t.do("made Ana")
    assert t.state()["now"].startswith("Ana is dying and does nothing, then Orc; `next`")
    t.do("stable Ana")
    assert t.state()["now"].startswith("Ana is stable and does nothing, then Orc; `next`")
    assert "has no reaction: it is stable" in t.refuse("react Ana with shield").message
    result = t.do("next", "next")
    assert "Ana's turn: stable" in " ".join(x.text for x in result.lines)

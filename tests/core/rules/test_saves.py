"""Saving throws that are owed, damage to many, rests, 0 hit points: rulings first, then laws."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.table import Table, carried, who
from tests.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import FormAsk, PickAsk, RollAsk
from tui.core.fight.encounter import GM, SIDE, members
from tui.core.fight.standpoint import Standpoint
from tui.core.fight.viewer import GAME_MASTER, viewer_of
from tui.core.language.grammar import parse, words
from tui.core.rules.upkeep import owed
from tui.core.views.rights import allowed
from tui.store.sources import SeededDice
from tui.systems import Registry

SYSTEMS = Registry().ids()


def due(t: Table, viewer: str | None = None) -> list[tuple[str, str]]:
    """Who owes what: the cause of a save, or the kind of anything else."""
    return [(x["who"], x.get("save", {}).get("for", x["kind"])) for x in t.state(viewer)["due"]]


def said(t: Table, viewer: str | None = None) -> list[str]:
    return [m.text for m in t.store.messages(t.store.step, viewer_of(viewer) if viewer else GAME_MASTER)]


def fight(*lines: str, system: str = "classic") -> Table:
    """Ana, Mia's; Bo, Jon's; two orcs in a group; a hidden imp. In classic Ana acts first."""
    t = Table(system)
    t.do(
        'add Ana owner=Mia hp=20 saves="con+2 dex+5"',
        "add Bo owner=Jon hp=9 con=1",
        "add 2 Orc hp=20 group=Orcs",
        "add Imp hp=9 hidden=yes",
        *lines,
        "begin",
    )
    if system == "classic":
        t.do("roll", dice=[20, 15, 10, 5])
        t.do("next")
    return t


# --- concentration


def test_each_damage_to_who_concentrates_owes_a_save_and_one_failure_ends_all() -> None:
    t = fight("condition Bo concentration", 'condition "Orc 1" held of=Bo conc=yes', "temp Bo 3")
    t.do("damage Bo 2", "damage Bo 1", "damage Bo 0")
    assert due(t) == [("Bo", "concentration")] * 2
    assert t.state()["due"][0]["save"] == {
        "for": "concentration",
        "name": "",
        "dc": 10,
        "key": "con",
        "bonus": 1,
    }
    t.refuse("made Ana", "Ana owes no save")
    t.do("roll Bo 9")
    assert due(t) == [("Bo", "concentration")]
    assert "Bo makes the concentration save" in said(t)
    t.do("failed Bo")
    assert due(t) == []
    assert (carried(t, "Bo"), carried(t, "Orc 1")) == ([], [])


def test_the_save_is_dc_10_or_half_after_resistance_and_a_house_rule_asks_for_none() -> None:
    t = fight("condition Ana concentration", "set Ana resist=fire", "temp Ana 60")
    t.do("damage Ana 44 type=fire")
    assert t.state()["due"][0]["save"]["dc"] == 11
    t.do("total Ana 11")
    assert (due(t), carried(t, "Ana")) == ([], ["concentration"])
    t.do("option concentration.dc=none", "damage Ana 5")
    assert due(t) == []


@pytest.mark.parametrize(
    "line", ["damage Bo 99", "clear Bo concentration", "out Bo", "set Bo hp=0", "remove Bo"]
)
def test_without_concentration_nothing_is_owed_for_it(line: str) -> None:
    t = fight("condition Bo concentration")
    t.do("damage Bo 1", "damage Bo 1", line)
    assert due(t) == []


def test_what_others_owe_lets_a_turn_end_and_next_stops_there() -> None:
    t = fight("condition Bo concentration")
    t.do("damage Bo 1")
    t.do("next")
    assert t.state()["acting"] == ""
    t.refuse("next", "Bo owes a roll")
    t.do("turn Bo")
    t.refuse("next", "Bo owes a roll")
    t.refuse("end", "Bo owes a roll")
    t.do("made Bo", "next")


def test_holding_keeps_what_is_owed_until_the_creature_acts() -> None:
    t = fight("condition Ana concentration")
    t.do("damage Ana 1", "hold Ana")
    assert due(t) == []
    t.do("next")
    assert t.state()["acting"] == "Bo"
    t.do("act Ana")
    assert due(t) == [("Ana", "concentration")]
    t.refuse("next", "Ana owes a roll")


# --- several at once, and totals


def test_faces_go_to_the_names_in_the_order_in_which_they_are_written() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add 2 Orc group=Orcs", "begin")
    t.refuse("roll Bo,Ana 5", "Bo owes d20, Ana owes d20", "2 faces")
    t.refuse("roll Bo,Ana 5 6 7", "2 faces")
    t.refuse("roll Bo,Ana 5 21", "21 is not on a d20")
    t.do("roll Bo,Ana,Orcs 5 6 7")
    assert {r["entry"]: r["value"] for r in t.state()["track"]} == {"Orcs": 7, "Ana": 6, "Bo": 5}


def test_a_group_whose_members_save_takes_a_face_each_in_roster_order() -> None:
    t = fight()
    t.do("area Orcs damage=9 dc=12")
    t.refuse("roll Orcs 3", "Orc 1 owes d20, Orc 2 owes d20")
    t.do("roll Orcs 12 11")
    assert [who(t, n)["hp"] for n in ("Orc 1", "Orc 2")] == [16, 11]


def test_a_total_is_recorded_as_the_face_that_gives_it() -> None:
    t = Table("classic")
    t.do("add Ana +3", "add Bo adv=adv", "add Cy adv=dis mod=-1", "begin")
    t.refuse("total Ana 24", "4 to 23")
    t.refuse("total Ana 17 Bo", "the total of Bo is missing")
    t.refuse("total Ana 17 Dov 3", "Dov")
    t.do("total Ana 17 Bo 12 Cy 0")
    assert {r["entry"]: r["value"] for r in t.state()["track"]} == {"Ana": 17, "Bo": 12, "Cy": 0}
    assert t.store.encounter.rolls["init c2"].faces == (12,)
    assert "Ana rolls 17 (14+3) at the table" in said(t)


def test_a_pool_s_total_is_recorded_without_faces() -> None:
    t = Table("dungeon-track")
    t.do(
        "add Ana kind=pc per=4 int=3",
        "add Bo kind=pc per=1 int=2",
        "add Orc per=0 int=2 distance=1",
        "begin",
        "meet Ana",
    )
    t.refuse("total Ana 12", "the two dice decide", "gives the faces")
    t.do("roll Ana 5 3", "roll Orc 4 3", "total Bo 9")
    assert {r["entry"]: r["value"] for r in t.state()["track"]} == {"Ana": 12, "Orc": 7, "Bo": 9}
    assert t.store.encounter.rolls["track c2"].faces == ()
    t = Table("dynamic")
    t.do("add Ana kind=pc", "add 3 Rat size=small group=Rats", "begin", "order Ana weapon=2d6 spell=3")
    t.refuse("total Ana 5", "6 to 23")
    t.do("total Ana 17 Rats 5")
    assert {r["entry"]: r["value"] for r in t.state()["track"]} == {"Ana": 17, "Rats": 5}


def test_a_placement_s_total_of_two_ones_is_a_double_one() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc per=4 int=3 distance=1", "add Orc per=9 int=2 distance=1", "begin", "meet Ana")
    t.do("roll Ana 6 6", "roll Orc 4 3", "add Imp per=9 int=1 distance=1", "place Imp")
    t.do("total Imp 11 Ana 10")
    assert t.state()["outcome"]["by"] == "critical"


# --- an area


def test_an_area_falls_when_the_last_save_is_known() -> None:
    t = fight("set Bo immune=fire", "set Ana vulnerable=fire")
    t.do('area Ana,Bo,Orcs damage=9 dc=13 save=dex type=fire made="Orc 1" failed=Bo')
    assert t.state()["area"] == {
        "damage": 9,
        "type": "fire",
        "dc": 13,
        "key": "dex",
        "half": True,
        "who": ["Ana", "Bo", "Orc 1", "Orc 2"],
        "made": ["Orc 1"],
        "failed": ["Bo"],
        "more": [],
    }
    assert due(t) == [("Ana", "area"), ("Orc 2", "area")]
    for line in ("next", "end", "turn Bo", "hold Ana", "area Bo damage=3"):
        t.refuse(line, "saves against the area are owed first")
    t.do("roll Ana 8")
    assert who(t, "Ana")["hp"] == 20
    t.do('out "Orc 2"')
    assert [who(t, n)["hp"] for n in ("Ana", "Bo", "Orc 1", "Orc 2")] == [20 - 8, 9, 16, 20]
    assert t.state()["area"] == {}
    t.do("undo 2")
    assert due(t) == [("Ana", "area"), ("Orc 2", "area")]


def test_an_area_without_a_dc_falls_at_once_and_may_leave_nothing_to_who_made_it() -> None:
    t = fight()
    t.do('area Orcs damage=9/2 made="Orc 1" half=no')
    assert [who(t, n)["hp"] for n in ("Orc 1", "Orc 2")] == [20, 16]


def test_a_number_as_save_is_the_dc_and_bad_areas_change_nothing() -> None:
    t = fight()
    for line, text in (
        ("area Orcs", "damage= is missing"), ("area Orcs damage=x", "dice"), ("area Orcs damage=5 dc=x",
        "dc="),
        ("area Orcs damage=5 dc=0", "dc="), ("area Orcs damage=5 save=dex", "what it must reach"),
        ("area Orcs damage=5 save=13 dc=13", "two DCs"), ("area Orcs damage=5 save=d-x dc=3", "save="),
        ("area Orcs damage=5 made=Bo", "not in the area"), ("area Nemo damage=5", "Nemo"),
        ('area Orcs damage=5 made="Orc 1" failed="Orc 1"', "made= and in failed="), ("area damage=5", "WHO"),
        ("area Orcs damage=5 half=maybe", "half="), ("area Orcs damage=5 rounds=2", "rounds="),
    ):  # fmt: skip
        t.refuse(line, text)
    t.do("area Orcs damage=5 save=13")
    assert t.state()["due"][0]["save"]["dc"] == 13


def test_finish_and_another_system_give_an_area_up() -> None:
    for line in ("finish", "system unbound"):
        t = fight()
        t.do("area Orcs damage=5 dc=13", line)
        assert (t.state()["area"], due(t), who(t, "Orc 1")["hp"]) == ({}, [], 20)
        assert any("given up" in x for x in said(t))


def test_an_area_works_before_a_fight_and_holds_it_up() -> None:
    t = Table("classic")
    t.do("add 2 Orc hp=9", "area orc* damage=4 dc=10")
    t.refuse("begin", "saves against the area are owed first")
    t.do("roll", dice=[10, 9])
    assert [who(t, n)["hp"] for n in ("Orc 1", "Orc 2")] == [7, 5]
    t.do("begin")


def test_a_player_sees_of_an_area_those_it_sees() -> None:
    t = fight()
    t.do("area Imp damage=2d4 dc=10", dice=[1, 2])
    assert (t.state("Mia")["area"], due(t, "Mia"), said(t, "Mia")) == ({}, [], [])
    t.do("made Imp", "area Imp,Bo damage=4 dc=10")
    assert t.state("Mia")["area"]["who"] == ["Bo"]
    assert due(t, "Mia") == [("Bo", "area")]
    assert "bonus" not in t.state("Mia")["due"][0]["save"]
    assert t.state("Jon")["due"][0]["save"]["bonus"] == 0


# --- a condition with a save


def test_a_condition_with_a_save_owes_one_at_the_end_of_each_turn_of_its_bearer() -> None:
    t = fight()
    t.do("condition Ana poisoned save=con dc=14")
    assert (
        who(t, "Ana")["conditions"][0] | {"name": "poisoned", "dc": 14, "key": "con"}
        == who(t, "Ana")["conditions"][0]
    )
    t.do("next")
    assert due(t) == [("Ana", "condition")]
    assert t.state()["due"][0]["save"]["name"] == "poisoned"
    t.do("roll Ana 11")
    assert carried(t, "Ana") == ["poisoned"]
    t.do("next", "next", "next", "next", "next")
    assert due(t) == [("Ana", "condition")]
    t.do("roll Ana 12")
    assert (carried(t, "Ana"), due(t)) == ([], [])


def test_what_ends_by_its_rounds_owes_no_save_and_who_loses_it_owes_none() -> None:
    t = fight("condition Ana dazed rounds=1 save=12", "condition Bo slowed save=12")
    t.do("next")
    assert (carried(t, "Ana"), due(t)) == ([], [])
    t.do("next")
    assert due(t) == [("Bo", "condition")]
    t.do("clear Bo slowed")
    assert due(t) == []


def test_a_hidden_condition_s_save_is_the_game_master_s() -> None:
    t = fight("condition Ana cursed save=wis dc=12", "hide Ana cursed")
    t.do("next")
    assert (due(t), due(t, "Mia")) == ([("Ana", "condition")], [])
    t.do("roll Ana 3")
    assert said(t, "Mia") == []
    assert any("fails the save against cursed" in x for x in said(t))


@pytest.mark.parametrize("system", ["chaos", "dynamic"])
def test_where_turns_end_with_the_round_so_do_saves(system: str) -> None:
    t = Table(system, dice=SeededDice(3))
    t.do("add Ana kind=pc hp=9", "add Orc hp=9", "begin", "condition Ana poisoned save=12")
    t.do("lock missing=empty", *(["roll", "ok"] if system == "chaos" else ["roll"]), "next", "next")
    assert due(t) == []
    t.do("next")
    assert ("Ana", "condition") in due(t)


# --- dying


def test_made_and_failed_are_one_success_or_one_failure_of_the_dying() -> None:
    t = fight("option zero.pc=dying")
    t.do("damage Bo 9", "next")
    assert due(t) == [("Bo", "dying")]
    t.do("made Bo")
    assert who(t, "Bo")["saves"] == {"successes": 1, "failures": 0, "stable": False}
    t.do("next", "next", "next", "next", "failed Bo", "damage Bo 1", "damage Bo 1")
    assert (who(t, "Bo")["out"], who(t, "Bo")["dead"]) == (True, True)


def test_in_chaos_death_saves_and_recharges_fall_due_when_the_round_begins() -> None:
    t = Table("chaos", dice=SeededDice(5))
    t.do(
        "option zero.pc=dying",
        "add Ana kind=pc hp=5",
        "add Bo kind=pc hp=5",
        "add Orc hp=9",
        "count Orc breath 0 max=1 reset=1d6>=5",
    )
    t.do("count Orc legs 1 max=3 reset=turn", "damage Bo 5", "begin")
    assert who(t, "Orc")["counters"][1]["n"] == 3
    assert [x for x in due(t) if x[1] not in ("form", "lock")] == [("Bo", "dying"), ("Orc", "roll")]
    assert [x for x in due(t) if x[1] == "form"] == [("Ana", "form"), ("Orc", "form")]
    t.refuse("lock missing=empty", "lock has to wait")
    t.do("made Bo", "roll Orc 5", "lock missing=empty", "roll", "ok", "damage Ana 5")
    assert who(t, "Orc")["counters"][0]["n"] == 1
    assert due(t) == []
    t.do("next 9")
    assert [x for x in due(t) if x[1] == "dying"] == [("Ana", "dying"), ("Bo", "dying")]


def test_in_dis_who_is_dying_declares_nothing() -> None:
    t = Table("dynamic")
    t.do(
        "option zero.pc=dying",
        "add Ana kind=pc hp=5",
        "add Bo kind=pc hp=5",
        "add Orc",
        "damage Bo 5",
        "begin",
    )
    assert [x for x in due(t) if x[1] == "form"] == [("Ana", "form")]


@pytest.mark.parametrize("line", ["set Bo hp=0", "damage Bo 9", "set Bo max_hp=0"])
def test_at_0_by_any_line_the_same_rule_applies(line: str) -> None:
    for rule, found in (
        ("nothing", (False, {})),
        ("out", (True, {})),
        ("dying", (False, {"successes": 0, "failures": 0, "stable": False})),
    ):
        t = fight(f"option zero.pc={rule}")
        t.do(line)
        assert (who(t, "Bo")["out"], who(t, "Bo")["saves"]) == found


def test_an_option_that_is_set_later_acts_on_all_at_0_and_so_does_another_kind() -> None:
    t = fight()
    t.do("damage Bo 9", "damage Imp 9", "option zero.pc=dying")
    assert who(t, "Bo")["saves"]
    t.do("option zero.pc=nothing")
    assert not who(t, "Bo")["saves"]
    t.do("option zero.pc=out")
    assert who(t, "Bo")["out"]
    t.do("back Bo")
    assert not who(t, "Bo")["out"]
    t.do("option zero.npc=out", "set Imp kind=npc")
    assert who(t, "Imp")["out"]
    t.do("add Fay hp=0 kind=npc")
    assert who(t, "Fay")["out"]


def test_massive_damage_is_death_whatever_0_does() -> None:
    t = fight("option zero.massive=dead", "option zero.pc=dying")
    t.do("damage Bo 17")
    assert (who(t, "Bo")["dead"], bool(who(t, "Bo")["saves"])) == (False, True)
    t.do("damage Bo 9")
    assert (who(t, "Bo")["dead"], who(t, "Bo")["out"]) == (True, True)
    t.do("damage Ana 40")
    assert who(t, "Ana")["dead"]
    t.do("back Ana")
    assert not who(t, "Ana")["dead"]


def test_temp_0_takes_temporary_points_away() -> None:
    t = fight("temp Ana 5")
    t.do("temp Ana 3", "temp Ana 0")
    assert who(t, "Ana")["temp_hp"] == 0


def test_a_condition_of_somebody_has_no_end_unless_a_length_is_given() -> None:
    t = fight(
        "condition Bo grappled of=Ana",
        "condition Bo marked of=Ana until=end",
        "condition Bo seen rounds=0 until=end",
    )
    found = {x["name"]: (x["rounds"], x["until"], x["of"]) for x in who(t, "Bo")["conditions"]}
    assert found == {"grappled": (0, "", "Ana"), "marked": (1, "end", "Ana"), "seen": (0, "", "")}


# --- rest


def test_a_rest_gives_back_what_resets_say() -> None:
    lines = [f"count Ana {r} 1 max=3 reset={r}" for r in ("turn", "round", "short", "long", "never")]
    t = Table("classic")
    t.do(
        "option zero.pc=dying",
        "add Ana owner=Mia hp=20",
        "add Bo kind=pc hp=9",
        "add Cy kind=npc side=heroes hp=5",
        "add Orc hp=9",
        *lines,
    )
    t.do(
        "count Ana gold 7",
        "count Ana breath 0 max=1 reset=1d6>=5",
        "damage Ana 5",
        "damage Bo 9",
        "temp Ana 4",
        "damage Orc 3",
    )
    t.do("out Cy", "set Cy hp=0", "rest short")
    assert [x["n"] for x in who(t, "Ana")["counters"]] == [3, 3, 3, 1, 1, 7, 1]
    assert who(t, "Ana")["hp"] == 15
    t.do("rest long")
    assert [x["n"] for x in who(t, "Ana")["counters"]] == [3, 3, 3, 3, 1, 7, 1]
    assert [
        (who(t, n)["hp"], who(t, n)["out"], who(t, n)["temp_hp"]) for n in ("Ana", "Bo", "Cy", "Orc")
    ] == [(20, False, 0), (9, False, 0), (5, False, 0), (6, False, 0)]
    t.do("rest long")
    assert "nobody needed anything" in said(t)[0]
    t.do("damage Ana 1", "rest short")
    assert "no counters to restore; hit points need a long rest" in said(t)[0]
    t.do("heal Ana 1")
    t.do("rest short Orc")
    t.do("begin")
    t.refuse("rest long", "while the fight runs", "finish")
    for line in ("rest", "rest nap", "rest long Nemo", "rest long Ana Bo"):
        t.refuse(line)


def test_the_dead_rest_only_by_name() -> None:
    t = Table("classic")
    t.do(
        "option zero.massive=dead",
        "add Ana owner=Mia hp=5",
        "add Bo owner=Jon hp=5",
        "damage Ana 10",
        "rest long",
    )
    assert who(t, "Ana")["dead"]
    t.do("rest long Ana")
    assert (who(t, "Ana")["dead"], who(t, "Ana")["out"], who(t, "Ana")["hp"]) == (False, False, 5)


def test_exploration_is_a_time_to_rest() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc hp=5 per=1", "add Orc hp=4 per=0", "begin", "damage Ana 2", "rest long")
    assert who(t, "Ana")["hp"] == 5
    t.do("meet Ana")
    t.refuse("rest long", "finish")


# --- who is gone owes nothing


def test_a_recharge_of_somebody_who_is_out_holds_nobody_up() -> None:
    t = Table("classic")
    t.do("add 2 Drake group=Ds", "add Ana", "count Drake* breath 0 max=1 reset=1d6>=5", "begin")
    t.do("roll", dice=[15, 5])
    t.do("next", 'out "Drake 2"')
    assert due(t) == [("Drake 1", "roll")]
    t.do('roll "Drake 1" 3', "next")
    assert t.state()["acting"] == "Ana"


def test_a_contest_whose_roller_goes_is_rolled_by_the_next_and_the_other_s_faces_stay() -> None:
    t = Table("dungeon-universalis")
    t.do(
        "add Ana kind=pc per=4 int=3",
        "add Bo kind=pc per=1 int=2",
        "add Orc per=0 int=2 distance=1",
        "add Imp per=0 distance=3",
    )
    t.do("begin", "meet Ana", "roll Orc 4 3", "out Ana")
    assert due(t) == [("Bo", "roll")]
    t.do("out Orc")
    assert due(t) == [("Bo", "roll"), ("Imp", "roll")]
    t.do("roll Bo 5 5", "out Imp")
    assert [x for x in due(t) if x[1] == "roll"] == []
    assert t.state()["outcome"] == {}


def test_a_player_answers_for_the_player_s_own_creatures() -> None:
    t = fight()
    t.do("area Ana,Bo damage=4 dc=10")
    e, system, mia = t.encounter, t.store.system, viewer_of("Mia")
    saw = Standpoint(e.round, e.phase, "Ana", 0)
    for line in ("total Ana 12", "made Ana", "failed Ana"):
        assert words(allowed(e, system, mia, parse(line), saw)) == line
    for line in (
        "total Bo 12",
        "made Bo",
        "failed Ana Bo",
        "total Ana 12 Bo 3",
        "made Nemo",
        "area Bo damage=3",
        "rest long",
    ):
        with pytest.raises(RuleError):
            allowed(e, system, mia, parse(line), saw)


POOL = (
    "damage {one} {n}", "damage {one} {n} type=fire", "heal {one} {n}", "condition {one} concentration",
    "condition {one} bane of={two} conc=yes", "condition {one} slow save=wis dc=12",
    "condition {one} weak save=11 rounds=2",
    "clear {one} slow", "out {one}", "back {one}", "remove {two}", "set {one} hp={n}",
    "set {one} immune=fire",
    "area @dark damage=2d4 dc=12 save=dex", "area {one},{two} damage={n} dc=10",
    "area {one} damage={n} made={one}",
    "count {one} breath 0 max=1 reset=1d6>=5", "made {one}", "failed {one}", "total {one} {n}", "roll {one}",
    "roll",
    "roll {one},{two} 3 4", "next", "next", "next", "end", "turn {one}", "hold {one}", "act {one}", "pass",
    "ok",
    "lock missing=empty", "group {one},{two} Band", "ungroup {one}", "rest short", "rest long {one}",
    "finish", "begin",
    "option zero.pc=dying", "option zero.monster=out", "option zero.massive=dead", "meet {one}",
    "place {two}", "temp {one} 0",
    "add {two} hp=5 side=dark", "pick none", "hide {one} slow", "hide {one}", "order {one}",
    "surprised {one}",
)  # fmt: skip
PEOPLE = ("Ana", "Bo", "Orc", "Rat")


def random_line(random: Random) -> str:
    return random.choice(POOL).format(
        one=random.choice(PEOPLE), two=random.choice(PEOPLE), n=random.randint(0, 9)
    )


def able(t: Table, key: str) -> bool:
    """Whether somebody is there and not out behind a key."""
    e = t.store.encounter
    return (
        key == GM
        or any(not c.out for c in members(e, key))
        or (key.startswith(SIDE) and bool(members(e, key)))
    )


@pytest.mark.parametrize("system", SYSTEMS)
@cases(6)
@given(seed=st.integers(0, 10**6))
def test_nobody_who_is_gone_is_ever_due_and_undo_restores_all(system: str, seed: int) -> None:
    check(system, seed, 60)


def check(system: str, seed: int, steps: int) -> None:
    """Random lines: what is due is owed by somebody who is there, and each line can be undone."""
    random = Random(seed)
    t = Table(system, dice=SeededDice(seed))
    t.do(
        "add Ana hp=9 kind=pc per=2 int=1",
        "add Bo hp=6 kind=pc per=1",
        "add Orc hp=9 int=2",
        "add Rat hp=3",
        "begin",
    )
    for _ in range(steps):
        before, line = t.state(), random_line(random)
        try:
            t.do(line)
        except RuleError:
            assert t.state() == before, line
            continue
        e = t.store.encounter
        for ask in owed(e, t.store.system):
            if isinstance(ask, RollAsk | FormAsk):
                assert able(t, ask.who), (line, ask)
            if isinstance(ask, RollAsk) and ask.save:
                assert not e.combatants[ask.who].out, (line, ask)
            if isinstance(ask, PickAsk):
                assert all(able(t, k) for k in ask.names if k in e.combatants), (line, ask)
        assert not e.area or any(x.cause == "area" for c in e.combatants.values() for x in c.owes), line
        for c in e.combatants.values():
            assert not (c.out and (c.owes or any(x.owes for x in c.counters))), line
        after = t.state()
        t.do("undo")
        assert {**t.state(), "last": 0, "can_redo": 0} == {**before, "last": 0, "can_redo": 0}, line
        t.do("redo")
        assert {**t.state(), "last": 0} == {**after, "last": 0}, line


@given(
    st.sampled_from(
        [
            'total Ana 17 "Orc 1" -3',
            "made Ana Bo",
            "failed @dark",
            'area @dark damage=8d6 type="cold iron" dc=15 save=dex half=no',
            "area Ana damage=3 made=Ana",
            "rest short",
            "rest long Ana,Bo",
            "condition Ana slow rounds=2 save=wis dc=15",
            "party crew fresh=yes",
            "roll A,B 5 6",
            "count Ana slots 3 reset=long",
        ]
    )
)
def test_what_is_read_is_written_again(line: str) -> None:
    assert words(parse(line)) == line
    assert parse(words(parse(line))) == parse(line)


@pytest.mark.parametrize("system", SYSTEMS)
def test_bad_lines_are_refused_in_every_phase_and_change_nothing(system: str) -> None:
    t = Table(system, dice=SeededDice(7))
    bad = (
        "total", "total Ana", "total Ana x", "total Nemo 5", "total Ana 5 Bo", "made", "made Nemo", "failed",
        'failed ""',
        "area", "area Nemo damage=3", "area Ana damage=-3", "area Ana damage=3 dc=999", "rest", "rest x",
        "rest long Nemo",
        "condition Ana x save=dex", "condition Ana x dc=y", "condition Ana x save=5 dc=5", "set Ana saves=x",
        "party nowhere fresh=x",
        "area Ana damage=3 dc=", "area Ana damage=3 made= failed=Ana", 'condition Ana x dc=""',
        "condition Ana x conc=", "condition Ana x until=' '", "damage Ana 3 half=", "count Ana x ++1",
        "count Ana x --1", "count Ana x 1 max=",
        "count Ana x 1 reset=week", "made Ana key=3", "total Ana 1 key=3",
    )  # fmt: skip
    t.do("add Ana hp=9 kind=pc per=2 int=1", "add Orc hp=9 int=2")
    for line in (
        "add Bo kind=pc int=1",
        "begin",
        "lock missing=empty",
        "roll",
        "ok",
        "next",
        "damage Ana 3",
        "next",
        "finish",
    ):
        for wrong in bad:
            t.refuse(wrong)
        try:
            t.do(line)
        except RuleError:
            continue


def test_who_is_said_to_be_concentrating_concentrates() -> None:
    t = fight("condition Ana concentrating rounds=3")
    t.do("damage Ana 5")
    assert ("Ana", "concentration") in [
        (x["who"], x.get("save", {}).get("for", "")) for x in t.state()["due"]
    ]
    t.do("undo", "clear Ana concentrating")
    assert not who(t, "Ana")["conditions"]


def test_who_stays_out_after_a_rest_is_named() -> None:
    t = fight()
    t.do("finish", "out Bo", "rest long")
    assert any(line.startswith("Bo stays out: `back Bo`") for line in said(t))
    t.do("undo", "set Bo hp=0", "rest short")
    assert any(line.startswith("Bo stays out: `back Bo`") for line in said(t))
    t.do("undo", "rest long")
    assert not any("stays out" in line for line in said(t))

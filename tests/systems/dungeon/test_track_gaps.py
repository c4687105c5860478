"""The initiative track in its corners: totals after a commander's fall, ties of newcomers, what is
announced."""

from __future__ import annotations

import pytest

from tests.systems.dungeon.fights import mode, played, rolls, rules, values
from tests.systems.dungeon.test_track_clauses import FACES, crypt, second, tracked
from tests.systems.dungeon.test_track_turns import placed
from tests.systems.dungeon.test_universalis_clauses import said
from tests.table import Table, row, who

BOSS = "add Boss per=5 int=5 rank=leader"


def commanded(*lines: str, **options: object) -> Table:
    """Round 2 of a track that Boss, who lost the roll, has put aside; Bo had just begun."""
    t = second(BOSS, **options)
    placed(t, "Boss", "heroes")
    assert mode(t) == "sides"
    if lines:
        t.do(*lines)
    return t


def next_round(t: Table) -> None:
    played(t)
    for _ in range(3):
        number = t.state()["round"]
        t.do("next")
        if t.state()["round"] > number:
            return
        played(t)
    raise AssertionError("no end of the round")


# --- totals of newcomers (TRK-13)


def test_trk_13_who_was_placed_under_a_commander_owes_a_roll_when_the_track_is_back() -> None:
    t = commanded("add Imp per=6 int=2", "place Imp vs Bo", "roll Bo 6 6", "roll Imp 1 2", "kill Boss")
    next_round(t)
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Imp", [6, 6], "TRK-6")]
    t.do("roll Imp 3 4")
    assert values(t)["Imp"] == 13


def test_trk_a2_by_house_rule_the_roller_of_newcomers_after_the_fall_rolls_again() -> None:
    t = commanded("kill Boss", "add Imp per=6 int=2", "place Imp vs Bo", trk__roller_group="rolls_again")
    t.do("roll Bo 6 6", "roll Imp 1 2")
    next_round(t)
    assert [d["who"] for d in t.state()["due"]] == ["Imp"]


# --- who rolls (TRK-2)


def test_trk_2_who_revealed_the_room_rolls_also_against_an_artificial_dark_player() -> None:
    t = crypt("begin", "set Bo distance=1", "meet Ana", dun__adp=True)
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 1"]
    t = crypt("begin", "set Bo distance=1", "set Rat rank=leader per=9", "meet Ana", dun__adp=True)
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Rat"]


# --- groups that nobody made (TRK-5)


def test_trk_5_creatures_of_one_kind_that_roll_singly_are_named_with_the_line() -> None:
    t = Table("dungeon-track")
    t.do("add Ana kind=pc per=4 int=4", "add 3 Orc per=3 int=3", "add Rat per=1 int=9", "begin")
    assert "roll separately" not in t.state()["now"]
    t.do("meet Ana vs Rat")
    assert 'Orc 1 to 3 roll separately: `group "Orc *" Orcs`' in t.state()["now"]
    t.do('group "Orc *" Orcs')
    assert "roll separately" not in t.state()["now"]
    t.do("undo", "roll Ana 6 6", "roll Rat 1 2")
    assert [d["who"] for d in t.state()["due"]] == ["Orc 1", "Orc 2", "Orc 3"]
    assert "roll separately" in t.state()["now"]
    t.do('group "Orc *" Orcs')
    assert [d["who"] for d in t.state()["due"]] == ["Orcs"]


def test_trk_5_the_line_works_where_the_name_is_not_free_and_others_are_called_so() -> None:
    t = Table("dungeon-track")
    t.do("add Ana kind=pc per=4 int=4", "add 2 Orc int=1", "add Orcs int=1", "begin")
    t.do("meet Ana vs Orcs with=@dark", "add 1 Orc int=1")
    line = next(x for x in t.state()["now"].split("`") if x.startswith("group"))
    assert line == 'group "Orc 1,Orc 2" "Orc group"'
    t.do(line)
    assert who(t, "Orc 2")["group"] == "Orc group"


def test_trk_5_under_a_commander_no_group_is_missed() -> None:
    t = Table("dungeon-track")
    t.do(
        "add Ana kind=pc int=4", "add 3 Orc int=3", "add Boss int=3 rank=leader", "begin", "meet Ana vs Boss"
    )
    assert "roll separately" not in t.state()["now"]


# --- words


def test_trk_12_after_the_commander_now_speaks_of_the_rest_of_the_turn() -> None:
    t = commanded("end")
    assert "Boss commands" in t.state()["now"]
    told = said(t, "kill Boss")
    assert "No commander leads any more: the track counts from the next turn on" in told
    assert "ommands" not in t.state()["now"]
    assert "A commander leads" not in t.state()["now"]
    assert "no commander leads: the track counts from the next turn on" in t.state()["now"]


@pytest.mark.parametrize(
    ("falls", "says"), [("stay", "the sides stay"), ("roll_new", "a new track is rolled with the next turn")]
)
def test_trk_20_the_house_rule_is_told_when_the_commander_falls(falls: str, says: str) -> None:
    assert says in said(commanded(trk__commander_falls=falls), "remove Boss")


def test_trk_20_that_the_sides_stay_is_told_when_the_leader_of_the_first_room_falls() -> None:
    t = crypt("set Rat rank=leader", "begin", "set @dark distance=9", 'meet Ana vs "Orc 1"', "roll Ana 6 6")
    t.do('roll "Orc 1" 1 2')
    assert "without a track the sides stay" in said(t, "out Rat")
    assert "leads any more" not in said(t, 'out "Orc 2"')


def test_trk_20_another_commander_is_left() -> None:
    t = commanded("add Chief rank=champion int=2", "place Chief vs Bo", "roll Bo 6 6", "roll Chief 1 2")
    assert "leads any more" not in said(t, "out Boss")
    assert "leads any more" in said(t, "out Chief")


# --- ties


def test_trk_a1_a_track_keeps_the_rule_for_ties_that_put_it_in_order() -> None:
    t = crypt("set Bo per=2 int=2", "begin", 'meet Ana vs "Orc 1"')
    rolls(t, {"Ana": (3, 2), "Bo": (4, 3), "Orc 1": (3, 3), "Rat": (2, 2)})
    assert t.order() == ["Bo", "Ana", "Orcs", "Rat"] or t.order() == ["Ana", "Orcs", "Bo", "Rat"]
    before = t.order()
    assert values(t)["Orcs"] == values(t)["Bo"] == 9
    t.do("option trk.tie=heroes_first")
    assert t.order() == before
    assert "counts from the next track on" in t.state()["now"]
    t.do("option trk.tie=intelligence")
    assert "counts from the next track on" not in t.state()["now"]


# --- hits and kills


def test_trk_18_a_group_is_hit_where_some_of_it_have_fallen() -> None:
    t = second('out "Orc 1"', "hit Orcs", trk__variable=True)
    assert values(t)["Orcs"] == 6
    t.do("out Orcs")
    t.refuse("hit Orcs", "is out")


def test_trk_18_one_place_is_announced_only_where_there_is_one() -> None:
    t = second(trk__variable=True, trk__variable_moves="one_place")
    assert "is last already" in said(t, "hit Rat")
    assert t.order() == ["Bo", "Ana", "Orcs", "Rat"]
    assert "is first already" in said(t, "kill Rat by=Bo")
    assert "Orcs move one place back" not in said(t, "hit Orcs")
    t.do("undo")
    assert "Ana moves one place back" in said(t, "hit Ana")
    assert t.order() == ["Bo", "Orcs", "Ana"]


def test_trk_18_a_fixed_place_is_changed_by_nothing() -> None:
    t = second("set Rat value=12", trk__variable=True)
    told = said(t, "hit Rat")
    assert "has a fixed place" in told
    assert "becomes" not in told
    assert (values(t)["Rat"], row(t, "Rat")["tags"]) == (12, [])


def test_trk_18_nothing_waits_for_a_row_that_is_gone() -> None:
    t = second("hit Rat", trk__variable=True, trk__variable_when="next_turn")
    t.do("out Rat")
    told = ""
    while t.state()["round"] == 2:
        told += said(t, "next")
    assert "initiative" not in told


def test_trk_18_damage_and_leaving_are_told_apart_from_hits_and_kills() -> None:
    t = second("set @dark hp=9", trk__variable=True)
    assert 'no hit is counted; `hit "Orc 1"` counts one' in said(t, 'damage "Orc 1" 2')
    t.do("undo")
    assert said(t, "damage @dark 1").count('no hit is counted; `hit "Orc') == 1  # the row falls once for all
    t.do("undo")
    assert "counts as no hit" not in said(t, 'hit "Orc 1" 2')
    assert "counts as no hit" not in said(t, 'damage "Orc 1" 2')
    assert "no kill" not in said(t, "out Rat")  # it has fled
    t.do("undo", "damage Rat 9")
    assert "no kill is counted; `kill Rat by=Bo` counts one" in said(t, "out Rat")
    assert "Bo: initiative 10 becomes 11" in said(t, "kill Rat by=Bo")
    t.do("undo")
    assert "already out" in t.refuse("kill Rat").message
    assert "no initiative rises" in said(t, 'kill "Orc 1"')
    assert rules(t)[-1] == "TRK-19"
    t.do("undo")
    told = said(t, 'kill "Orc 1" by=Bo')
    assert "Bo: initiative 10 becomes 11" in told
    assert "counted" not in told


def test_trk_23_without_variable_initiative_nothing_is_said_of_hits() -> None:
    t = second("set @dark hp=9")
    assert "hit" not in said(t, "damage Rat 2")
    assert "kill" not in said(t, "out Rat").replace("kill Rat", "")
    assert "rises" not in said(t, 'kill "Orc 1"')


def test_trk_19_a_group_may_be_the_killer() -> None:
    t = second("kill Rat by=Orcs", trk__variable=True)
    assert values(t)["Orcs"] == 8
    t.refuse("kill Ana by=Rat", "not in play")


def test_trk_18_groups_lose_in_the_plural() -> None:
    t = second(trk__variable=True, trk__variable_when="next_turn")
    assert "Orcs lose 1 from the next turn on" in said(t, "hit Orcs")
    assert "Rat loses 1" in said(t, "hit Rat")


def test_trk_7_who_is_level_with_somebody_unseen_is_not_told_what_settled_it() -> None:
    t = crypt("set Ana owner=Lia per=2", "set Rat hidden=yes", "begin", 'meet Ana vs "Orc 1"')
    rolls(t, {"Ana": (2, 5), "Bo": (6, 6), "Orc 1": (1, 2), "Orcs": (1, 2), "Rat": (5, 3)})
    assert values(t)["Ana"] == values(t)["Rat"] == 9
    mine = next(r for r in t.state("Lia")["track"] if r["entry"] == "Ana")
    assert "Intelligence" not in mine["why"]
    assert "Intelligence 4" in row(t, "Ana")["why"]


def test_trk_18_damage_of_a_hit_falls_on_those_of_a_group_who_stand() -> None:
    t = second("set @Orcs hp=9", 'out "Orc 1"', "hit Orcs 4", trk__variable=True)
    assert [who(t, f"Orc {i}")["hp"] for i in (1, 2)] == [9, 5]


# --- rows that change


def test_a_group_keeps_its_number_when_its_own_members_are_named_again() -> None:
    t = second("move Rat before Bo", 'group "Orc 1,Orc 2,Rat" Orcs')
    assert t.order() == ["Bo", "Ana", "Orcs"]
    assert values(t)["Orcs"] == 7


def test_the_group_of_a_fixed_place_stands_there_and_a_move_beside_it_holds_when_it_is_dissolved() -> None:
    t = crypt("add Lair value=8", "begin", 'meet Ana vs "Orc 1"')
    rolls(t, FACES)
    t.do("move Bo after Lair", "group Lair Den")
    assert t.order() == ["Ana", "Den", "Bo", "Orcs", "Rat"]
    t.do("set Lair value=20", "ungroup Lair")
    assert t.order()[0] == "Lair"


def test_a_group_that_loses_its_fixed_place_stands_by_the_number_of_its_own() -> None:
    t = crypt("add Lair value=8", "begin", 'meet Ana vs "Orc 1"')
    rolls(t, FACES)
    before = t.order()
    t.do("move Bo after Lair", "group Rat,Lair Den")
    assert t.order() == ["Ana", "Den", "Bo", "Orcs"]
    t.do("remove Lair")
    assert before == ["Bo", "Ana", "Lair", "Orcs", "Rat"]
    assert t.order() == ["Ana", "Bo", "Orcs", "Den"]


def test_trk_19_a_hero_who_is_knocked_out_raises_the_enemy_and_stays() -> None:
    t = second("option zero.pc=dying", "set Ana hp=5", trk__variable=True)
    before = values(t)["Rat"]
    assert "Ana is knocked out: `kill Ana by=" in said(t, "hit Ana 5")
    told = said(t, "kill Ana by=Rat out=no")
    assert f"Rat: initiative {before} becomes {before + 1}" in told
    ana = t.encounter.combatants["c1"]
    assert (ana.out, ana.dying is None) == (False, False)
    assert "another kill in this round" in said(t, "kill Ana by=Rat out=no")
    assert "by= is missing" in t.refuse("kill Ana out=no").message
    assert "Bo is not dying" in t.refuse("kill Bo by=Rat out=no").message
    assert "out=" in t.refuse("kill Ana by=Rat out=maybe").message
    t.do("kill Ana by=Rat")
    assert t.encounter.combatants["c1"].out


def test_trk_19_who_dies_at_once_is_not_offered_as_knocked_out() -> None:
    t = second("option zero.pc=dying zero.massive=dead", "set Ana max_hp=5 hp=5", trk__variable=True)
    assert "knocked out" not in said(t, "hit Ana 10")


def test_trk_15_newcomers_who_act_in_the_heroes_free_turn_have_the_title() -> None:
    t = tracked("add Owl per=9")
    assert t.store.system.turn_side(t.encounter) == "heroes"
    placed(t, "Owl", "dark")
    t.do("turn Owl" if "Owl" in t.may() else "next")
    assert (t.encounter.combatants[t.encounter.acting].name, t.store.system.turn_side(t.encounter)) == (
        "Owl",
        "dark",
    )

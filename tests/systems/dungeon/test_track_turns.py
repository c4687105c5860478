"""The initiative track, clause by clause: newcomers, commanders, variable initiative."""

from __future__ import annotations

from tests.systems.dungeon.fights import acts, mode, played, rolls, rules, side, values
from tests.systems.dungeon.test_track_clauses import crypt, second
from tests.table import Table, acting, row, who
from tui.core.fight.encounter import label
from tui.core.rules.on_screen import on_screen
from tui.core.views.lineup import lineup

BATS = "add 2 Bat group=Bats per=2 int=2"


def placed(t: Table, names: str, winner: str, faces: tuple[int, int] = (6, 6)) -> None:
    """Newcomers are placed against Ana; the first who owes 2d6 for them rolls `faces` if they win."""
    t.do(f"place {names} vs Ana")
    if t.state()["due"][0]["who"] == "GM":
        t.do("roll GM 1")
    roller = next(d["who"] for d in t.state()["due"] if d["who"] != "Ana")
    ours, theirs = ((6, 6), (1, 2)) if winner == "heroes" else ((1, 2), faces)
    t.do(f"roll Ana {ours[0]} {ours[1]}", f'roll "{roller}" {theirs[0]} {theirs[1]}')


# --- newcomers


def test_trk_14_joiners_share_the_number_and_new_ones_roll_or_keep_the_opposed_total() -> None:
    t = second("add 1 Orc group=Orcs per=9", "add Owl per=2", BATS, 'set "Bat 1" distance=1')
    placed(t, '"Orc 3" Owl @Bats', "heroes")
    assert [d["who"] for d in t.state()["due"]] == ["Owl"]
    t.do("roll Owl 6 6")
    assert values(t) == {"Owl": 14, "Bo": 10, "Ana": 9, "Orcs": 7, "Bats": 5, "Rat": 5}
    assert row(t, "Orcs")["members"] == ["Orc 1", "Orc 2", "Orc 3"]


def test_trk_14_a_group_that_is_gone_is_a_new_one() -> None:
    t = second("out @Orcs", "add 1 Orc group=Orcs per=2", "add Owl per=9 distance=1")
    placed(t, '"Orc 3" Owl', "heroes")
    assert [d["who"] for d in t.state()["due"]] == ["Orcs"]


def test_trk_15_winners_act_at_once_and_not_again_but_their_old_group_does() -> None:
    t = second("add 1 Orc group=Orcs per=3", BATS)
    placed(t, '"Orc 3" @Bats', "dark")
    rolls(t, {"Bats": (6, 5)})
    assert t.state()["offer"]["rule"] == "TRK-15"
    assert (acts(t, "turn"), acts(t, "pass")) == (["Orc 3", "Bats"], ["dark"])
    t.do('turn "Orc 3"')
    assert row(t, "Orcs")["state"] == "now"
    t.do("end", "turn Bats", "end")
    assert acting(t) == "Bo"
    t.do("end")
    assert played(t) == ["Ana", "Orcs", "Rat"]
    t.do("next")
    assert acting(t) == "Bats"


def test_trk_16_losers_whose_place_has_passed_wait() -> None:
    t = second("end", "next", BATS, 'set "Bat 1" per=8')
    placed(t, "@Bats", "heroes")
    assert (values(t)["Bats"], row(t, "Bats")["state"], row(t, "Bats")["tags"]) == (11, "barred", ["barred"])
    assert acting(t) == "Ana"
    t.do("end")
    assert played(t) == ["Orcs", "Rat"]
    t.do("next")
    assert acting(t) == "Bats"
    assert row(t, "Bats")["tags"] == []


def test_trk_15_newcomers_may_act_at_once_until_they_do() -> None:
    t = second("end", "next", BATS)
    placed(t, "@Bats", "dark")
    assert "may act at once" in row(t, "Bats")["why"]
    t.do("turn Bats")
    assert "may act at once" not in row(t, "Bats")["why"]


def test_trk_17_play_goes_on_where_it_was_interrupted() -> None:
    t = second("end", "next", BATS)
    placed(t, "@Bats", "dark")
    t.do("turn Bats", "next")
    assert acting(t) == "Ana"
    t.do("next")
    assert acting(t) == "Orcs"


def test_a_hero_who_comes_in_combat_owes_a_roll_and_acts() -> None:
    t = second("end", "add Cleo kind=pc per=2")
    assert [(d["who"], d["dice"], d["rule"]) for d in t.state()["due"]] == [("Cleo", [6, 6], "TRK-4")]
    assert t.refuse("next").hint == "Cleo owes a roll: `roll`"
    t.do("roll Cleo 6 6")
    assert t.may() == ["Cleo"]
    t.do("remove Cleo")
    assert t.may() == ["Ana"]


def test_a_placement_outside_combat_is_by_sides_and_the_track_counts_from_the_next_turn() -> None:
    t = crypt("begin", "turn Bo", "set Rat distance=1", "place Rat vs Ana", "roll Ana 6 6", "roll Rat 1 2")
    assert (mode(t), acting(t), row(t, "Rat")["state"]) == ("sides", "Bo", "barred")
    assert t.state()["due"] == []
    assert "from the next turn on" in t.state()["now"]
    t.do("end")
    assert played(t) == ["Ana"]
    t.do("next", "next")
    assert (mode(t), t.state()["round"]) == ("track", 2)
    assert [d["who"] for d in t.state()["due"]] == ["Bo"]
    t.do("roll Bo 1 1")
    assert values(t) == {"Ana": 16, "Bo": 5, "Rat": 4}
    assert t.may() == ["Ana"]


# --- commanders


def test_trk_12_a_commander_appears_and_sides_act_but_nobody_twice() -> None:
    t = second("end", "add Boss rank=champion per=1")
    placed(t, "Boss", "heroes")
    assert mode(t) == "sides"
    assert t.state()["offer"]["rule"] == "TRK-12"
    assert (t.may(), side(t, "heroes")["left"]) == (["Ana"], 1)
    assert "Boss commands" in t.state()["now"]
    assert row(t, "Boss")["state"] == "barred"
    t.do("next", "next")
    assert sorted(t.may()) == ["Orcs", "Rat"]
    assert sorted(played(t)) == ["Orcs", "Rat"]
    t.do("next")
    assert (mode(t), t.may()) == ("sides", ["Ana", "Bo"])
    played(t)
    t.do("next")
    assert sorted(t.may()) == ["Boss", "Orcs", "Rat"]


def test_trk_12_a_rank_given_in_play_counts_and_end_ends_a_sides_turn() -> None:
    t = second("end", "set Rat rank=leader")
    assert mode(t) == "sides"
    t.do("end")
    assert side(t, "heroes")["turn"] is False
    t.do("next")
    assert sorted(t.may()) == ["Orcs", "Rat"]
    t.refuse("move Rat before Orcs", "DUN-24")
    t.refuse("hold Rat", "DUN-24")


def test_trk_20_the_last_commander_falls_and_the_old_track_comes_back_next_turn() -> None:
    t = second("end", "add Boss rank=leader per=1", "add Capo rank=champion per=1 distance=9")
    placed(t, "Boss Capo", "heroes")
    t.do("out Boss")
    assert "commands" in t.state()["now"]
    t.do("out Capo")
    assert mode(t) == "sides"
    assert "from the next turn on" in t.state()["now"]
    assert played(t) == ["Ana"]
    t.do("next")
    played(t)
    t.do("next")
    assert (mode(t), t.state()["round"], acting(t)) == ("track", 3, "Bo")
    assert values(t) == {"Bo": 10, "Ana": 9, "Orcs": 7, "Rat": 5}


def test_trk_20_who_came_under_a_commander_rolls_when_the_track_comes_back() -> None:
    t = second("end", "set Rat rank=leader", "add Cleo kind=pc per=2")
    assert t.state()["due"] == []
    t.do("out Rat", "end", "next", "end", "next")
    assert [d["who"] for d in t.state()["due"]] == ["Cleo"]


def _fallen(choice: str) -> Table:
    t = second("end", "set Rat rank=leader", "out Rat", trk__commander_falls=choice)
    t.do("end", "next", "end", "next")
    assert t.state()["round"] == 3
    return t


def test_trk_20_by_house_rule_sides_stay_or_a_new_track_is_rolled() -> None:
    stay = _fallen("stay")
    assert (mode(stay), stay.may()) == ("sides", ["Ana", "Bo"])
    new = _fallen("roll_new")
    assert (mode(new), [d["who"] for d in new.state()["due"]]) == ("track", ["Ana", "Bo", "Orcs"])
    rolls(new, {})
    assert values(new) == {"Ana": 11, "Bo": 10, "Orcs": 10}


# --- variable initiative


def test_trk_18_a_hit_lowers_by_one_once_a_round() -> None:
    t = second("hit Ana", trk__variable=True)
    assert (values(t)["Ana"], row(t, "Ana")["tags"]) == (8, ["hit"])
    assert "8 after hits and kills" in row(t, "Ana")["why"]
    t.do("hit Ana")
    assert values(t)["Ana"] == 8
    t.do("end")
    played(t)
    t.do("next", "hit Ana")
    assert values(t)["Ana"] == 7


def test_trk_18_a_group_has_one_counter_and_a_hit_may_do_damage() -> None:
    t = second("set @dark hp=9", trk__variable=True)
    t.do('hit "Orc 1" 3')
    t.do('hit "Orc 2" 1d4+1', dice=[3])
    assert values(t)["Orcs"] == 6
    assert [who(t, n)["hp"] for n in ("Orc 1", "Orc 2")] == [6, 5]


def test_trk_18_by_house_rule_only_creatures_change() -> None:
    t = second("hit Ana", "hit Rat", 'kill "Orc 1" by=Bo', trk__variable=True, trk__variable_who="creatures")
    assert values(t) == {"Bo": 10, "Ana": 9, "Orcs": 7, "Rat": 4}


def test_trk_19_a_kill_raises_by_one_once_a_round_beside_a_hit() -> None:
    t = second('kill "Orc 1" by=Ana', "kill Rat by=Ana", "hit Ana", trk__variable=True)
    assert values(t) == {"Bo": 10, "Ana": 9, "Orcs": 7}
    assert row(t, "Ana")["tags"] == ["hit", "kill"]
    assert who(t, "Orc 1")["out"] is True
    t.refuse('kill "Orc 1"', "already out")
    t.refuse('kill "Orc 2" by=Rat', "not in play")


def test_trk_23_variable_initiative_is_off_until_it_is_chosen() -> None:
    t = second("set Ana hp=5", "hit Ana 2")
    assert (values(t)["Ana"], who(t, "Ana")["hp"], who(t, "Ana")["marks"]) == (9, 3, {})
    assert t.refuse("hit Ana", "trk.variable=true").rule == "TRK-23"
    t.do("kill Rat by=Bo")
    assert values(t)["Bo"] == 10
    t.do("option trk.variable=true", "hit Ana")
    assert values(t)["Ana"] == 8


def test_a_hit_or_kill_that_means_nothing_is_refused() -> None:
    t = crypt("begin", trk__variable=True)
    assert t.refuse("hit Ana", "no track").rule == "TRK-18"
    assert t.refuse("hit Rat", "not in play").rule == "TRK-18"
    t.refuse("hit", "takes a name")
    t.refuse("hit Ana by=Bo", "takes a name")
    t.refuse("kill Ana Bo", "takes a name")
    t.refuse("kill Ana of=Bo", "takes a name")
    t.do("kill Rat", "set Ana hp=4", "hit Ana 1")
    assert who(t, "Ana")["hp"] == 3
    assert "TRK-18" not in rules(t)


def test_trk_19_who_is_dying_is_not_among_those_whom_the_key_takes_out() -> None:
    t = second("set Ana hp=5", "damage Ana 5", "set Rat hp=3", "damage Rat 3", trk__variable=True)
    kills = [c.line for c in on_screen(t.store.system).choices(t.encounter, "kill")]
    assert kills == ["kill Ana,Rat by=Bo", "kill Ana,Rat"]
    t.do("option zero.pc=dying")
    assert t.encounter.combatants["c1"].dying
    kills = [c.line for c in on_screen(t.store.system).choices(t.encounter, "kill")]
    assert kills == ["kill Rat by=Bo", "kill Rat"]


def test_trk_13_who_has_a_number_keeps_it_in_sight_while_newcomers_are_rolled_for() -> None:
    t = second("add Owl per=9 distance=1", "add Imp per=2", "place Owl Imp vs Ana")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Owl"]
    spots = {label(t.encounter, x.row.entry): x for x in lineup(t.encounter, t.store.system).spots}
    assert (spots["Ana"].place, spots["Ana"].row.value, spots["Ana"].owed) == (2, 9, False)
    assert (spots["Owl"].place, spots["Owl"].owed) == (0, True)
    assert (spots["Imp"].place, spots["Imp"].owed) == (0, False)

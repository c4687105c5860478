"""Dungeon Universalis, clause by clause: newcomers, turns of both sides, calm, companions, secrecy."""

from __future__ import annotations

from tests.systems.dungeon.fights import acts, played, side
from tests.systems.dungeon.test_universalis_clauses import crypt, lost, said, won
from tests.table import Table, acting, row, who
from tui.core.rules.on_screen import on_screen

WOLF = "add Wolf per=3 int=3"
WON = ("place Wolf vs Ana", "roll Ana 1 2", "roll Wolf 6 6")
LOST = ("place Wolf vs Ana", "roll Ana 6 6", "roll Wolf 1 2")


# --- newcomers


def test_dun_9_an_enemy_added_in_combat_waits_until_it_is_placed() -> None:
    t = won()
    assert "in reserve" in said(t, WOLF)
    assert "Wolf" not in t.order()
    assert side(t, "dark")["of"] == 3
    t.do("add Rat round=2", "turn Ana", "end", "turn Bo", "end", "next", "end")
    assert "Rat: in reserve" in said(t, "next")
    t.do("place Wolf,Rat vs Ana")
    assert side(t, "dark")["of"] == 5


def test_dun_13_newcomers_roll_against_the_nearest_hero_mercenary_or_pet() -> None:
    t = won("add Pet side=heroes distance=1", "set Ana distance=2", WOLF, "place Wolf")
    assert [d["who"] for d in t.state()["due"]] == ["Pet", "Wolf"]
    assert t.state()["due"][0]["rule"] == "DUN-13"
    t.do("undo", "set Pet distance=", "set Ana distance=", "place Wolf")
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Wolf"]
    t.do("undo", "out @heroes")
    assert t.refuse("place Wolf", "nobody is there").rule == "DUN-13"


def test_dun_13_a_meeting_in_combat_is_a_placement_and_the_running_turn_goes_on() -> None:
    t = won("turn Ana", WOLF, "meet Bo")
    assert acting(t) == "Ana"
    assert "Ana is acting" in t.state()["now"]
    t.do("roll", dice=[6, 6, 1, 2])
    assert acting(t) == "Ana"
    assert who(t, "Wolf")["marks"] == {"barred": True}
    assert t.state()["phase"] == "turns"


def test_dun_14_losers_sit_out_the_dark_players_turn_they_are_placed_in() -> None:
    t = lost(WOLF, *LOST)
    assert t.may() == ["Orc 1", "Orc 2", "Orc 3"]
    assert t.refuse("turn Wolf", "choose who goes").rule == "DUN-24"
    assert "must wait" in row(t, "Wolf")["why"]
    played(t)
    t.do("next")
    played(t)
    t.do("next")
    assert t.may() == ["Orc 1", "Orc 2", "Orc 3", "Wolf"]


def test_dun_15_winners_are_offered_at_once_and_may_pass() -> None:
    t = won(WOLF, *WON)
    assert t.state()["offer"] | {"why": ""} == {
        "chooser": "dark",
        "acts": [{"kind": "turn", "who": "Wolf"}, {"kind": "pass", "who": "dark"}],
        "why": "",
        "rule": "DUN-15",
    }
    t.refuse("next", "or pass")
    assert t.refuse("end", "or pass").rule == "DUN-15"
    t.do("pass")
    assert t.may() == ["Ana", "Bo"]
    played(t)
    t.do("next")
    assert "Wolf" in t.may()


def test_dun_15_winners_cut_into_a_running_turn_which_then_goes_on() -> None:
    t = won(WOLF, "turn Ana", *WON)
    assert acting(t) == ""
    assert "Ana goes on" in row(t, "Ana")["why"]
    assert side(t, "heroes")["turn"] is True
    t.do("turn Wolf", "next")
    assert acting(t) == "Ana"
    t.do("undo 2", "pass")
    assert acting(t) == "Ana"
    t.do("end")
    assert t.may() == ["Bo"]


def test_dun_15_a_turn_that_nobody_is_left_for_does_not_come_back() -> None:
    t = won(WOLF, "turn Ana", *WON, "turn Wolf", "out Ana", "end")
    assert acting(t) == ""
    assert t.may() == ["Bo"]
    t = won(WOLF, "turn Ana", *WON, "out Wolf")
    assert acting(t) == "Ana"


# --- turns of the sides


def test_dun_24_end_waits_for_dice() -> None:
    t = won(WOLF, "place Wolf vs Ana")
    t.refuse("end", "Ana, Wolf owe a roll")


def test_dun_24_a_companion_acts_with_its_hero() -> None:
    t = crypt("add Dog side=heroes acts_with=Ana")
    assert t.order() == ["Ana", "Bo"]
    assert row(t, "Ana")["members"] == ["Ana", "Dog"]
    assert side(t, "heroes")["of"] == 3
    t.do("turn Ana", "end")
    assert side(t, "heroes")["left"] == 1
    t.do("next", "next", "next", "rename Ana Anne", "out Anne")
    assert t.order() == ["Bo", "Dog"]
    t.do("back Anne")
    assert row(t, "Anne")["members"] == ["Anne", "Dog"]


def test_dun_24_a_hero_who_comes_in_the_heroes_turn_acts_in_it() -> None:
    t = won("turn Ana", "end", "add Cleo kind=pc")
    assert t.may() == ["Bo", "Cleo"]


# --- combat and calm


def test_dun_25_calm_ends_combat_and_exploration_goes_on() -> None:
    t = won(WOLF, *LOST, "calm")
    assert who(t, "Wolf")["marks"] == {}
    assert t.state()["phase"] == "exploration"
    assert side(t, "heroes")["in_combat"] is False
    assert t.may() == ["Ana", "Bo"]
    assert t.refuse("calm", "no combat").rule == "DUN-25"


def test_dun_25_now_offers_calm_when_nobody_is_left() -> None:
    t = won("out @dark")
    assert "`calm` ends the combat" in t.state()["now"]
    t.do("calm")
    assert "`calm`" not in t.state()["now"]


# --- who may see what


def test_hidden_newcomers_are_nowhere_for_players() -> None:
    t = won(
        "set Ana owner=Lia", "add Shade hidden=yes", "place Shade vs Ana", "roll Ana 1 2", "roll Shade 6 6"
    )
    seen = t.state("Lia")
    assert "Shade" not in str(seen)
    assert seen["outcome"] == {}
    assert acts(t, "turn") == ["Shade"]
    assert seen["offer"] == {}
    assert "newcomers" not in str(seen)
    assert "per" not in str(next(c for c in seen["combatants"] if c["name"] == "Orc 1"))


def test_intelligence_is_nobody_elses_business() -> None:
    t = crypt("set Ana owner=Lia", "set @dark int=5 distance=1", 'meet Ana vs "Orc 1"', "roll Ana 6 5")
    t.do('roll "Orc 1" 1 2')
    assert "5 Intelligence" not in str(t.state("Lia"))
    assert "Intelligence 5" not in str(t.state("Lia"))


def test_choices_list_the_lines_of_a_word() -> None:
    t = crypt()
    lines = {
        v: [c.line for c in on_screen(t.store.system).choices(t.encounter, v)]
        for v in ("meet", "place", "moved", "calm")
    }
    assert lines == {
        "meet": ["meet Ana", "meet Bo"],
        "place": ['place "Orc 1"', 'place "Orc 2"', 'place "Orc 3"'],
        "moved": [],
        "calm": [],
    }
    t.do("set @dark distance=1", 'meet Ana vs "Orc 1"', "roll Ana 6 5", 'roll "Orc 1" 1 2')
    assert [c.line for c in on_screen(t.store.system).choices(t.encounter, "moved")] == [
        'moved "Orc 1" "Orc 2" "Orc 3"',
        *(f'moved "Orc {i}"' for i in (1, 2, 3)),
    ]
    assert on_screen(t.store.system).choices(t.encounter, "meet") == ()


def test_dun_20_with_its_own_turn_the_moment_to_be_moved_has_passed() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc per=1 int=1", "add 2 Orc per=1 int=1 distance=3", "begin", 'meet Ana vs "Orc 1"')
    t.do("roll", dice=[5, 5, 1, 2])
    assert "Orc 1 and Orc 2 may be moved" in t.state()["now"]
    t.do("next", "next", 'turn "Orc 1"')
    assert "Orc 2 may be moved" in t.state()["now"]
    assert "Orc 1 and" not in t.state()["now"]


def test_dun_20_a_hero_who_had_acted_before_the_meeting_may_be_moved() -> None:
    t = Table("dungeon-universalis")
    t.do("add 2 Hero kind=pc per=1 int=1", "add Orc per=1 int=1 distance=3", "begin", 'turn "Hero 1"', "end")
    t.do('meet "Hero 1"', 'roll "Hero 1" 1 1', "roll Orc 3 4", 'pick "Hero 2"')
    assert "Hero 1 and Hero 2 may be moved one square each" in t.state()["now"]


def test_dun_12_who_may_no_longer_act_is_not_shown_as_one_who_waits() -> None:
    t = Table("dungeon-universalis")
    t.do("add 2 Hero kind=pc per=1 int=1", "add Orc per=1 int=1", "begin", 'turn "Hero 1"', "end")
    t.do('place Orc vs "Hero 2"', 'roll "Hero 2" 1 2', "roll Orc 1 1")
    assert "The heroes' turn ends: Hero 2 may no longer act" in said(t, "end")
    assert {r["entry"]: r["state"] for r in t.state()["track"]} == {
        "Hero 1": "done",
        "Hero 2": "barred",
        "Orc": "barred",
    }
    t.do("next")
    assert {r["entry"]: r["state"] for r in t.state()["track"]} == {
        "Hero 1": "done",
        "Hero 2": "barred",
        "Orc": "now",
    }


def test_the_turn_of_a_side_of_whom_nobody_can_act_comes_next_all_the_same() -> None:
    t = Table("dungeon-universalis")
    t.do("add Hero kind=pc per=1 int=1", "add Orc per=1 int=1", "begin", "turn Hero")
    assert t.state()["now"].startswith("Hero acts, then the dark side's turn")


def test_dun_24_a_companion_acts_in_the_turn_of_a_hero_who_is_dying() -> None:
    t = crypt(
        "option zero.pc=dying", "set Ana hp=5", "add Pet kind=npc side=heroes acts_with=Ana", "damage Ana 5"
    )
    assert "Ana's turn: Pet acts" in said(t, "turn Ana")
    t.do("failed Ana")
    assert t.state()["now"].startswith("Ana is dying, Pet acts, then Bo")
    t.do("out Pet")
    assert "does nothing" in t.state()["now"]


def test_dun_13_the_dying_do_not_roll_while_others_can() -> None:
    t = crypt("option zero.pc=dying", "set Ana hp=5 per=9", "damage Ana 5", 'place "Orc 1"')
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Orc 1"]
    t.do("undo", 'place "Orc 1" vs Ana')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 1"]


def test_dun_20_all_who_were_caught_are_moved_in_one_line() -> None:
    t = crypt("set @dark distance=1", 'meet Ana vs "Orc 1"', "roll Ana 6 5", 'roll "Orc 1" 1 2')
    t.do(on_screen(t.store.system).choices(t.encounter, "moved")[0].line)
    assert "may be moved" not in t.state()["now"]
    assert on_screen(t.store.system).choices(t.encounter, "moved") == ()


def test_dun_24_those_who_can_do_nothing_are_not_to_be_chosen_between() -> None:
    t = crypt("option zero.pc=dying", "set Ana hp=5", "set Bo hp=5", "damage Ana 5", "damage Bo 5")
    assert "`next`: Ana is dying" in t.state()["now"]
    t.do("next")
    assert t.encounter.acting == "c1"
    t.do("made Ana")
    assert t.state()["now"].startswith("Ana is dying and does nothing, then Bo")
    t.do("next", "made Bo", "undo", "undo", "undo", "undo", "turn Bo")  # any other order is as good
    assert t.encounter.acting == "c2"

"""Dungeon Universalis in its corners: who is gone, who is not told, what is missing, one step for a
meeting."""

from __future__ import annotations

from tests.systems.dungeon.fights import acts, caught, events, side
from tests.systems.dungeon.test_universalis_clauses import crypt, lost, said, won
from tests.table import Table, acting, row, who
from tui.core.fight import events as ev


def pair(*lines: str, **options: object) -> Table:
    """Ana and Bo with a dog that acts with Bo, and an Orc whom they have just beaten."""
    t = Table("dungeon-universalis", {k.replace("__", "."): v for k, v in options.items()})
    t.do(
        "add Ana kind=pc per=4 int=9",
        "add Bo kind=pc per=3 int=9",
        "add Dog side=heroes acts_with=Bo",
        "add Orc int=9",
    )
    t.do("begin", "meet Ana", "roll Ana 6 6", "roll Orc 1 2", *lines)
    return t


def test_dun_24_a_companion_goes_on_when_its_hero_falls_in_their_turn() -> None:
    t = pair("turn Bo", "out Bo")
    assert (acting(t), row(t, "Dog")["state"]) == ("Dog", "now")
    t.do("end")
    assert row(t, "Dog")["state"] == "done"
    assert t.may() == ["Ana"]


# --- a turn whose entry changes


def test_dun_24_a_group_taken_apart_in_its_turn_has_had_it() -> None:
    t = lost("group orc* Orcs", "turn Orcs", "ungroup Orcs")
    assert (acting(t), side(t, "dark")["turn"]) == ("", True)
    assert [row(t, f"Orc {i}")["state"] for i in (1, 2, 3)] == ["done"] * 3


def test_dun_24_who_leaves_the_acting_group_has_had_its_turn() -> None:
    t = lost("group orc* Orcs", "turn Orcs", 'group "Orc 1" Scouts')
    assert acting(t) == "Orcs"
    assert [row(t, name)["state"] for name in ("Orcs", "Scouts")] == ["now", "done"]


def test_a_hero_who_joins_a_group_that_has_acted_waits_for_the_next_round() -> None:
    t = pair("group Ana,Bo Band", "turn Band", "end", "add Cy kind=pc group=Band")
    assert who(t, "Cy")["marks"] == {"barred": True}
    t.do("add Di kind=pc")
    assert t.may() == ["Di"]


# --- names of who is gone


def test_an_outcome_names_whoever_has_been_removed_since() -> None:
    t = won("remove Ana")
    outcome = t.state()["outcome"]
    assert (outcome["winner"], outcome["totals"]) == ("Ana", {"Ana": 12, "Orc 1": 6})
    t.do('remove "Orc 1"', "add Ana kind=pc")
    assert t.state()["outcome"]["loser"] == "Orc 1"


def test_a_removed_winner_is_named_where_the_gm_is_asked_for_distances() -> None:
    t = crypt('meet Ana vs "Orc 1"', "roll Ana 6 6", 'roll "Orc 1" 1 2', "remove Ana")
    assert "squares of Ana" in t.state()["due"][0]["why"]
    assert "squares of Ana" in t.state()["now"]


def test_nobody_is_told_of_a_removed_creature_that_was_hidden() -> None:
    t = crypt('hide "Orc 1"', 'meet Ana vs "Orc 1"', "roll Ana 6 2", 'roll "Orc 1" 1 2', 'remove "Orc 1"')
    assert t.state()["outcome"]["loser"] == "Orc 1"
    assert t.state("")["outcome"] == {}


# --- what is missing is named


def test_dun_3_an_intelligence_nobody_gave_is_named_while_the_roll_is_due() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc int=2 owner=Lia", "add 2 Orc", "begin")
    assert "Intelligence" not in t.state()["now"]
    t.do('meet Ana vs "Orc 1"')
    assert 'Orc 1 has no Intelligence, which counts as 0: `set "Orc 1" int=3`' in t.state()["now"]
    assert "Ana has no" not in t.state()["now"]
    assert "Intelligence" not in t.state("Lia")["now"]
    assert {d["kind"] for d in t.state()["due"]} == {"roll"}
    t.do('set "Orc 1" int=3')
    assert "Intelligence" not in t.state()["now"]
    t.do("undo", "roll Ana 6 6", 'roll "Orc 1" 1 2')
    assert "has no Intelligence" not in t.state()["now"]


def test_dun_a4_by_house_rule_everybodys_missing_intelligence_is_named() -> None:
    t = Table("dungeon-universalis", {"dun.surprise_int": "each"})
    t.do("add Ana kind=pc int=2", "add Sham", "add Brute", "begin", "meet Ana vs Sham")
    assert [f"{n} has no Intelligence" in t.state()["now"] for n in ("Ana", "Sham", "Brute")] == [
        False,
        True,
        True,
    ]


def test_dun_a7_nobody_is_named_while_a_die_still_chooses_who_rolls() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana kind=pc int=2", "add 2 Orc", 'set "Orc 2" mod=1', "begin", "meet Ana")
    assert t.state()["due"][0]["who"] == "GM"
    assert "Intelligence" not in t.state()["now"]


# --- distances


def test_dun_19_the_distance_between_the_two_who_rolled_counts_both_ways() -> None:
    t = crypt('meet Ana vs "Orc 1" distance="Orc 1:9,Bo:2"', "roll Ana 1 2", 'roll "Orc 1" 6 6')
    assert (t.state()["due"], caught(t)) == ([], ["Bo"])
    t = crypt('meet Ana vs "Orc 1" distance="Orc 1:6,Bo:7"', "roll Ana 1 2", 'roll "Orc 1" 6 6')
    assert caught(t) == ["Ana"]
    t = crypt('meet Ana vs "Orc 1" distance="Ana:6,Orc 2:7,Orc 3:7"', "roll Ana 6 6", 'roll "Orc 1" 1 2')
    assert caught(t) == ["Orc 1"]


def test_dun_6_a_meeting_with_its_distances_is_one_step() -> None:
    t = crypt('set "Orc 1" distance=3')
    step = t.store.step
    t.do('meet Ana distance="Orc 2:4,@heroes:8,Orc 1:"')
    assert t.store.step == step + 1
    fields = {c["name"]: c["fields"].get("distance") for c in t.state()["combatants"]}
    assert fields == {"Ana": 8, "Bo": 8, "Orc 1": None, "Orc 2": 4, "Orc 3": None}
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 2"]
    t.do("undo")
    assert who(t, "Orc 1")["fields"]["distance"] == 3


def test_dun_6_a_placement_takes_distances_and_refuses_what_is_none() -> None:
    t = won("add Wolf", 'place Wolf distance="Bo:2,Ana:3"')
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Wolf"]
    t = won("add Wolf")
    assert 'as "Bo:4"' in t.refuse("place Wolf distance=Bo", "no distance").hint or t.refuse(
        "place Wolf distance=Bo", "bo:4"
    )
    t.refuse("place Wolf distance=Bo:-1", "0")
    t.refuse("place Wolf distance=Nobody:3", "no combatant")


# --- who discovers whom


def test_dun_10_a_creature_meets_the_nearest_hero_or_the_one_who_is_named() -> None:
    t = crypt("set Bo distance=3", 'meet "Orc 2"')
    assert [d["who"] for d in t.state()["due"]] == ["Bo", "Orc 2"]
    t = crypt("set Bo distance=3", 'meet "Orc 2" vs Ana with="Orc 3"')
    assert [d["who"] for d in t.state()["due"]] == ["Ana", "Orc 2"]
    assert side(t, "dark")["of"] == 2
    assert t.state()["due"][0]["why"].startswith("Ana rolls")
    t = crypt("out @heroes")
    t.refuse('meet "Orc 2"', "nobody is there")
    t = won()
    assert t.refuse('meet "Orc 2"', "in play already").rule == "DUN-10"


def test_dun_12_nobody_loses_a_turn_that_was_over_when_a_creature_found_them() -> None:
    t = crypt("end", "next", 'meet "Orc 1"', "roll Ana 1 2")
    told = said(t, 'roll "Orc 1" 6 2')
    assert "may no longer act" not in told
    assert t.may() == ["Orc 1", "Orc 2", "Orc 3"]


# --- words that are true


def test_dun_a4_by_house_rule_the_reason_names_those_whose_intelligence_was_reached() -> None:
    t = Table("dungeon-universalis", {"dun.surprise_int": "each"})
    t.do("add Ana kind=pc int=2 per=9", "add Sham int=6", "add Brute int=3", "begin", "set @dark distance=1")
    t.do("meet Ana vs Sham", "roll Ana 4 4")
    told = said(t, "roll Sham 1 2")
    assert "the Intelligence of Brute" in told
    assert "the Intelligence of Sham" not in told
    assert caught(t) == ["Brute"]
    t.do("calm", "add Ogre int=6 distance=1", "out Brute", "meet Ana vs Ogre", "roll Ana 4 4")
    assert "The two dice reach nobody's Intelligence" in said(t, "roll Ogre 1 2")


def test_dun_14_nobody_strikes_first_at_a_reinforcement() -> None:
    assert "the heroes strike first" in said(crypt('meet Ana vs "Orc 1"', "roll Ana 6 2"), 'roll "Orc 1" 1 2')
    for faces in (("1 2", "6 6"), ("6 6", "1 2")):
        t = won("add Wolf int=5", "place Wolf vs Ana", f"roll Ana {faces[0]}")
        told = said(t, f"roll Wolf {faces[1]}")
        assert "beats" in told
        assert "strikes first" not in told
        assert "strike first" not in told


def test_dun_11_after_a_placement_now_does_not_repeat_the_meeting() -> None:
    t = won()
    assert "The heroes won" in t.state()["now"]
    for faces in (("1 2", "6 6"), ("6 6", "1 2")):
        t = won("add Wolf int=5", "place Wolf vs Ana", f"roll Ana {faces[0]}", f"roll Wolf {faces[1]}")
        if acts(t, "pass"):
            t.do("pass")
        assert "any of them, in any order" in t.state()["now"]


def test_dun_9_who_waits_in_reserve_is_named_in_combat() -> None:
    t = won()
    assert "in reserve" not in t.state()["now"]
    t.do("add 2 Wolf")
    assert 'in reserve: Wolf 1 and Wolf 2 (`place "Wolf 1"`)' in t.state()["now"]
    t.do("turn Ana")
    assert "in reserve" in t.state()["now"]


def test_dun_25_that_no_hero_is_left_is_said() -> None:
    t = won("out @heroes")
    assert "no hero is left: `back Ana`, or `calm` ends the combat" in t.state()["now"]
    t = crypt("out @heroes")
    assert "no hero is left: `back Ana`" in t.state()["now"]


def test_dun_24_the_dark_players_turn_opens_with_nobody_in_it() -> None:
    t = won("out @dark", "turn Ana", "end", "turn Bo", "end", "next")
    assert (t.state()["round"], side(t, "dark")["turn"], acting(t)) == (1, True, "")
    assert "the moment to play a card" in t.state()["now"]
    ended = len(events(t))
    t.do("end")
    assert t.state()["round"] == 1
    assert not any(isinstance(x, ev.RoundBegan) for x in events(t)[ended:])
    t.do("next")
    assert t.state()["round"] == 2
    t.do("undo 2", "next")
    assert t.state()["round"] == 2


def test_dun_19_a_group_may_be_picked_by_its_name() -> None:
    t = crypt(
        'group "Orc 1,Orc 2" Gobs', 'meet Ana vs "Orc 1"', "roll Ana 6 6", 'roll "Orc 1" 1 2', "pick Gobs"
    )
    assert caught(t) == ["Orc 1", "Orc 2"]
    t = crypt(
        'group "Orc 1,Orc 2" Gobs',
        'meet Ana vs "Orc 1"',
        "roll Ana 6 6",
        'roll "Orc 1" 1 2',
        'pick gobs,"Orc 3"',
    )
    assert caught(t) == ["Orc 1", "Orc 2", "Orc 3"]


def test_dun_14_who_was_out_when_the_dark_players_turn_opened_has_waited_long_enough() -> None:
    t = won("add Wolf int=5", "place Wolf vs Ana", "roll Ana 6 6", "roll Wolf 1 2", "out Wolf")
    t.do("turn Ana", "end", "turn Bo", "end", "next", "back Wolf")
    assert "Wolf" in t.may()


def test_dun_6_who_has_rolled_stays_the_roller_whatever_distance_is_told_afterwards() -> None:
    t = crypt('set "Orc 2" distance=4', "meet Ana", 'roll "Orc 2" 1 2', 'set "Orc 3" distance=1')
    assert [d["who"] for d in t.state()["due"]] == ["Ana"]
    t.do("roll Ana 6 6")
    assert t.state()["outcome"]["loser"] == "Orc 2"


def test_dun_15_whoever_acts_already_does_not_cut_in_on_itself() -> None:
    t = lost('turn "Orc 1"', "calm", 'place "Orc 1,Orc 2" vs Ana', "roll Ana 1 2", 'roll "Orc 1" 6 6')
    assert t.may() == ["Orc 2"]
    t.do("pass")
    assert (acting(t), t.encounter.paused) == ("Orc 1", ())


def test_who_comes_back_into_a_group_that_has_acted_has_joined_nothing_and_may_act() -> None:
    t = pair("group Ana,Bo Band", "out Bo", "turn Band", "end", "back Bo")
    assert "barred" not in who(t, "Bo")["marks"]
    assert t.may() == ["Band"]


def test_dun_9_before_any_combat_the_reserve_is_not_named() -> None:
    assert "in reserve" not in crypt().state()["now"]

"""Unbound initiative, clause by clause."""

from __future__ import annotations

import pytest

from tests.systems.unbound.fights import owed, table
from tests.table import Table, marks
from tui.core.rules.on_screen import on_screen

# --- the order of factions


def test_unb_1_the_order_is_told_when_the_last_die_lies_and_no_side_has_the_turn_before() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin")

    def turns() -> list[str]:
        return [s["name"] for s in t.state()["sides"] if s["turn"]]

    t.do("roll crew 3")
    assert (t.state()["outcome"], turns()) == ({}, [])
    t.do("roll foes 8")
    assert (t.state()["outcome"], turns()) == ({"kind": "order", "order": ["foes", "crew"]}, ["foes"])
    t.do("add Drone side=station")
    assert turns() == [], "a late faction rolls before anybody chooses"


def test_unb_2_anybody_of_a_faction_may_throw_its_die() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin", "roll Iris 7", "roll foes 2")
    assert t.order() == ["crew", "foes"]
    said = t.do("undo 2", "roll Iris 7").lines
    assert said[0].text == "crew rolls 7 at the table; Iris throws"
    assert "throws" not in t.do("roll foes 2").lines[0].text
    again = Table("unbound")
    again.do("add A", "begin")
    assert "one of them throws" in again.state()["due"][0]["why"]


def test_unb_3_nothing_is_added_to_the_die() -> None:
    t = Table("unbound")
    t.refuse("add Iris +3", "no modifier")
    t.do("add Iris side=crew per=9", "add Orc side=foes", "begin")
    t.refuse("roll crew 13", "d12")
    t.refuse("roll crew 3 4")


def test_unb_6_the_rows_show_no_number() -> None:
    t = table()
    assert [(r["entry"], r["value"], r["place"]) for r in t.state()["track"]] == [
        ("foes", 0, 1),
        ("crew", 0, 2),
    ]
    assert t.state()["track"][0]["why"] == "d12 (9)"
    assert t.state()["track"][1]["members"] == ["Iris", "Jax"]


def test_unb_7_the_faction_in_turn_chooses_anybody_who_has_not_acted() -> None:
    t = table()
    assert t.state()["offer"]["chooser"] == "foes"
    assert t.may() == ["Raider 1", "Raider 2", "Raider 3"]
    t.refuse("turn Iris", "Raider 1")
    t.do('turn "Raider 2"')
    assert t.state()["offer"] == {}
    assert [(r["entry"], r["state"]) for r in t.state()["track"]] == [("foes", "now"), ("crew", "waits")]
    assert [s["name"] for s in t.state()["sides"] if s["turn"]] == ["foes"]
    t.do("end", "turn Jax", "end")
    assert t.may() == ["Raider 1", "Raider 3"]
    t.refuse('turn "Raider 2"')


def test_unb_7_one_choice_is_forced_and_a_pass_counts_as_a_choice() -> None:
    t = table('turn "Raider 1"', "end", "turn Iris", "end", 'turn "Raider 2"', "next")
    assert t.state()["acting"] == "Jax"
    t.do("next")
    assert t.state()["acting"] == "Raider 3"
    passing = Table("unbound")
    passing.do("add Boss side=tower", "add 3 Orc side=foes", "begin", "roll tower 9", "roll foes 1")
    assert len(passing.state()["offer"]["acts"]) == 2
    passing.refuse("next", "Boss or pass")


def test_unb_8_the_numbers_are_shown() -> None:
    t = Table("unbound")
    t.do("add Boss side=tower", "add 2 Orc side=foes", "add 2 Wolf side=pack", "begin")
    t.do("roll tower 9", "roll foes 5", "roll pack 1")
    assert t.state()["offer"]["why"] == "tower chooses; may pass: 1 left against 2 + 2 = 4"
    assert t.state()["offer"]["rule"] == "UNB-8"
    t.do("turn Boss", "end")
    assert t.state()["offer"]["why"] == "foes choose; may not pass: 2 left against 0 + 2 = 2"
    assert t.refuse("pass", "2 left", "Orc 1").rule == "UNB-8"


def test_unb_7_and_unb_10_who_has_had_a_turn_is_told_and_cannot_have_another() -> None:
    t = table('turn "Raider 2"', "end")
    assert t.state()["track"][0]["why"] == "d12 (9); had a turn: Raider 2"
    assert marks(t, "Raider 2") == {"acted": True}
    t.do("turn Iris", "end")
    assert t.refuse('turn "Raider 2"', "has had a turn").rule == "UNB-10"
    t.do('turn "Raider 1"', "end", 'hide "Raider 1"')
    assert t.state()["track"][0]["why"] == "d12 (9); had a turn: Raider 2; had a turn: Raider 1"
    assert t.state("Lia")["track"][0]["why"] == "d12 (9); had a turn: Raider 2"


def test_unb_18_all_the_surprised_are_named() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add 7 Imp side=foes", "begin", "roll", "surprised @foes", dice=[9, 1])
    assert "attacks on Imp 1 to 7 have favour" in t.state()["now"]


def test_unb_8_every_other_side_is_counted_aloud_by_house_rule() -> None:
    t = Table("unbound", {"unb.pass": "each"})
    t.do("add Boss side=tower", "add 3 A side=as", "add 4 B side=bs", "add 5 C side=cs", "begin")
    t.do("roll tower 9", "roll as 4", "roll bs 3", "roll cs 2")
    why = "may pass: 1 left; by house rule fewer than half of each other side, 3, 4 and 5"
    assert t.state()["offer"]["why"] == f"tower chooses; {why}"


def test_unb_8_house_rules_say_why_nobody_passes() -> None:
    why = {}
    for reading in ("each", "two_sides_only", "never"):
        t = Table("unbound", {"unb.pass": reading})
        t.do("add 2 Boss side=tower", "add 2 Orc side=foes", "add 3 Wolf side=pack", "begin")
        t.do("roll tower 9", "roll foes 5", "roll pack 1")
        why[reading] = t.state()["offer"]["why"]
    assert why == {
        "each": "tower chooses; may not pass: 2 left; by house rule fewer than half of each other side, "
        "2 and 3",
        "two_sides_only": "tower chooses; may not pass: 2 left; by house rule only one of two sides passes, "
        "and here are 3",
        "never": "tower chooses; may not pass: 2 left; by house rule nobody passes",
    }


def test_unb_23_the_order_stays_for_all_rounds() -> None:
    t = table("out Jax")
    for _ in range(3):
        for name in ('"Raider 1"', "Iris", '"Raider 2"', '"Raider 3"'):
            t.do(f"turn {name}", "end")
        assert t.order() == ["foes", "crew"]
        t.do("next")
    t.do("move @crew before @foes")
    assert t.order() == ["crew", "foes"]
    assert t.refuse("move Iris before Jax").rule == ""


# --- surprise


def test_unb_12_sneaking_belongs_between_begin_and_the_first_turn() -> None:
    before = Table("unbound")
    before.do("add Iris")
    before.refuse("surprised Iris", "begin")
    t = table('turn "Raider 1"')
    for line in ("surprised none", "surprise crew by=foes"):
        assert t.refuse(line, "first turn", "`surprised ").rule == "UNB-12"


def test_unb_20_a_late_ambush_catches_whoever_has_not_had_a_turn_in_this_combat() -> None:
    t = table('turn "Raider 1"')
    assert t.refuse('surprised "Raider 1"', "had a turn").rule == "UNB-20"
    t.do("surprised Iris", "end", "turn Iris")
    assert "surprised: only a move" in t.state()["now"]
    assert "attacks on" not in t.state()["now"], "who acts knows by now"
    t.do("end", 'turn "Raider 2"', "end", "turn Jax", "end", 'turn "Raider 3"', "end", "next")
    assert t.encounter.round == 2
    t.refuse("surprised @crew", "Iris, Jax have had a turn")
    t.do("add Kim side=crew", "surprised Kim,Jax")
    assert [c["name"] for c in t.state()["combatants"] if "surprised" in c["marks"]] == ["Kim"]
    assert t.state()["outcome"] == {"kind": "surprise", "caught": ["Kim"]}
    t.refuse("surprised Kim", "is surprised already")


def test_unb_13_nobody_is_surprised_unless_somebody_says_so() -> None:
    assert all("surprised" not in c["marks"] for c in table().state()["combatants"])


@pytest.mark.parametrize(
    "line",
    ["surprise foes", "surprise by=crew", "surprise foes by=foes", "surprise foes by=ghosts",
     "surprise crew foes by=crew", "surprise foes by=crew loud=yes",
     "surprised", "surprised Iris by=crew", "surprised Ghost"],
)  # fmt: skip
def test_unb_14_words_that_say_nothing_are_refused(line: str) -> None:
    table().refuse(line)


def test_unb_14_checks_that_are_owed_are_not_asked_twice() -> None:
    t = table("surprise foes by=crew")
    assert t.refuse("surprise foes by=crew", "roll").rule == "UNB-15"
    t.do("out @crew", "surprised none")
    assert t.refuse("surprise foes by=crew", "nobody").rule == "UNB-14"


def test_unb_14_who_could_sneak_up_on_whom_is_listed_with_the_number() -> None:
    t = table()
    found = on_screen(t.store.system).choices(t.encounter, "surprise")
    assert [(x.line, x.note) for x in found] == [
        ("surprise foes by=crew", "11 or more notices them"),
        ("surprise crew by=foes", "10 or more notices them"),
    ]
    t.do(found[0].line)
    t.do("surprised none", 'turn "Raider 1"')
    assert on_screen(t.store.system).choices(t.encounter, "surprise") == ()


def test_unb_15_dice_for_the_order_come_first_then_checks_then_ties() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin", "surprise foes by=crew")
    assert owed(t) == [["crew", 12], ["foes", 12], ["Orc", 10, 10]]
    t.do("roll crew 3", "roll foes 3")
    assert owed(t) == [["Orc", 10, 10], ["crew", 12], ["foes", 12]]
    t.do("roll", dice=[1, 1, 5, 6])
    assert t.state()["outcome"] == {"kind": "order", "order": ["foes", "crew"]}
    assert marks(t, "Orc") == {"surprised": True}


def test_unb_15_each_check_is_told_and_the_outcome_when_all_are_made() -> None:
    t = table("surprise foes by=crew")
    assert t.do('roll "Raider 1" 4 5').lines[-1].text == "Raider 1 notices them: 11 against 11 (UNB-15)"
    told = [x.text for x in t.do('roll "Raider 2" 1 1').lines]
    assert told[1:] == ["Raider 2 notices nothing: 4 against 11 (UNB-15)", "Raider 2 is surprised"]
    assert t.state()["outcome"]["kind"] == "order"
    t.do('roll "Raider 3" 10 10')
    assert t.state()["outcome"] == {"kind": "surprise", "caught": ["Raider 2"]}


def test_unb_17_the_surprised_have_a_turn_with_limits_and_no_reaction_back() -> None:
    t = table("surprised Iris", "react Iris", "react Jax")
    assert t.refuse("react Iris").rule == "UNB-17"
    t.do('turn "Raider 1"', "end", "turn Iris")
    assert "surprised: only a move, no reaction back" in t.state()["now"]
    t.do("end")
    assert marks(t, "Iris") == {"reaction": True, "acted": True}
    t.do('turn "Raider 2"', "end", "turn Jax")
    assert marks(t, "Jax") == {}
    t.do("next", "next", 'turn "Raider 1"', "end", "turn Iris")
    assert marks(t, "Iris") == {}


def test_unb_18_attacks_have_favour_until_the_first_turn_is_over() -> None:
    t = table("surprised Jax", 'turn "Raider 1"')
    assert "attacks on Jax have favour" in t.state()["now"]
    t.do("end", "turn Iris", "end", 'turn "Raider 2"', "end", "turn Jax", "end")
    assert "favour" not in t.state()["now"]


def test_unb_19_and_unb_20_the_gm_says_who_creature_by_creature() -> None:
    t = table("surprised Jax", 'surprised "Raider 1" "Raider 3"')
    assert t.state()["outcome"]["caught"] == ["Jax", "Raider 1", "Raider 3"]
    assert t.refuse("surprised Jax", "already").rule == "UNB-20"
    t.do("surprised none")
    assert t.state()["outcome"] == {"kind": "surprise", "caught": []}
    t.do("out Jax")
    t.refuse("surprised Jax", "no part")

"""Unbound initiative, clause by clause, with its house rules and what the contract rules beside them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import Table


def table(*lines: str, crew: int = 5, foes: int = 9, **options: Any) -> Table:
    """Iris and Jax of the crew, three raiders of the foes; the foes go first unless told otherwise."""
    found = Table("unbound", {f"unb.{k}": v for k, v in options.items()})
    found.do("add Iris side=crew kind=pc per=4 stealth=3", "add Jax side=crew kind=pc stealth=1")
    found.do("add 3 Raider side=foes per=2", "begin", f"roll crew {crew}", f"roll foes {foes}", *lines)
    return found


def marks(t: Table, name: str) -> dict[str, bool]:
    found: dict[str, bool] = next(c["marks"] for c in t.state()["combatants"] if c["name"] == name)
    return found


def may_pass(t: Table) -> bool:
    return any(act["kind"] == "pass" for act in t.state()["offer"].get("acts", []))


def owed(t: Table) -> list[list[Any]]:
    return [[d["who"], *d["dice"]] for d in t.state()["due"]]


def left(t: Table) -> dict[str, tuple[int, int]]:
    return {s["name"]: (s["left"], s["of"]) for s in t.state()["sides"]}


# --- the order of factions


def test_unb_1_the_dice_come_first_and_once() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin")
    assert owed(t) == [["crew", 12], ["foes", 12]]
    t.refuse("next", "crew", "foes")
    t.do("roll", dice=[3, 4])
    t.do("next", "next", "next", "next")
    assert t.e.round == 2
    assert len([step for step in t.ledger.steps if step.line.startswith("roll")]) == 1


def test_unb_2_anybody_of_a_faction_may_throw_its_die() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin", "roll Iris 7", "roll foes 2")
    assert t.order() == ["crew", "foes"]
    again = Table("unbound")
    again.do("add A", "begin")
    assert "one of them throws" in again.state()["due"][0]["why"]


def test_unb_3_nothing_is_added_to_the_die() -> None:
    t = Table("unbound")
    t.refuse("add Iris mod=3", "mod")
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
    assert t.state()["offer"]["why"] == "tower chooses; 1 left against 2 + 2 = 4: it may pass"
    assert t.state()["offer"]["rule"] == "UNB-8"
    t.do("turn Boss", "end")
    assert t.state()["offer"]["why"] == "foes chooses; 2 left against 0 + 2 = 2: it may not pass"
    assert t.refuse("pass", "2 left", "Orc 1").rule == "UNB-8"


def test_unb_8_only_those_who_are_here_and_have_not_acted_count() -> None:
    t = table("out Jax", "add Late side=crew round=2", 'turn "Raider 1"', "end")
    assert left(t) == {"crew": (1, 1), "foes": (2, 3)}
    assert not may_pass(t)
    t.do('add "Raider 4" side=foes')
    assert may_pass(t)


def test_unb_9_a_pass_costs_nothing_and_may_be_repeated() -> None:
    t = table("out Jax", crew=9, foes=5)
    t.do("pass")
    assert t.state()["offer"]["chooser"] == "foes"
    assert marks(t, "Iris") == {}
    t.do("add 3 Ogre side=foes", 'turn "Raider 1"', "end")
    assert may_pass(t)
    t.do("pass", 'turn "Raider 2"', "end", "pass")
    assert left(t)["crew"] == (1, 1)
    t.refuse("pass")


def test_unb_10_nobody_acts_again_before_the_round_is_over() -> None:
    t = table('turn "Raider 1"', "end", "turn Iris", "end", 'turn "Raider 2"', "end", "turn Jax", "end")
    t.refuse("turn Iris")
    assert [r["state"] for r in t.state()["track"]] == ["may", "done"]
    assert left(t) == {"crew": (0, 2), "foes": (1, 3)}


def test_unb_11_the_round_ends_when_all_have_acted_and_begins_with_the_first_faction() -> None:
    t = table(
        "out Jax",
        'turn "Raider 1"',
        "end",
        "turn Iris",
        "end",
        'turn "Raider 2"',
        "end",
        'turn "Raider 3"',
        "end",
    )
    assert t.state()["offer"]["acts"] == [{"kind": "round"}]
    assert t.state()["offer"]["rule"] == "UNB-11"
    t.do("next")
    assert (t.e.round, t.state()["offer"]["chooser"], t.e.acting) == (2, "foes", "")


def test_unb_21_a_faction_without_anybody_left_is_passed_over() -> None:
    t = table('out "Raider*"')
    assert t.state()["offer"]["chooser"] == "crew"
    assert t.order() == ["crew"]
    t.do('back "Raider 1"')
    assert t.state()["offer"]["chooser"] == "foes"


def test_unb_22_a_turn_in_between_gives_the_right_back() -> None:
    t = Table("unbound")
    t.do("add 2 A side=as", "add 2 B side=bs", "add 2 C side=cs", "add 2 D side=ds", "begin")
    t.do("roll as 9", "roll bs 8", "roll cs 7", "roll ds 6", "pass", "pass", 'turn "C 1"', "end")
    assert t.state()["offer"]["chooser"] == "ds"
    assert may_pass(t)
    t.do("pass", "pass")
    assert t.state()["offer"]["chooser"] == "bs"


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


def test_unb_12_surprise_belongs_between_begin_and_the_first_turn() -> None:
    before = Table("unbound")
    before.do("add Iris")
    before.refuse("surprised Iris", "begin")
    t = table('turn "Raider 1"')
    for line in ("surprised Iris", "surprised none", "surprise crew by=foes"):
        assert t.refuse(line, "first turn").rule == "UNB-12"


def test_unb_13_nobody_is_surprised_unless_somebody_says_so() -> None:
    assert all("surprised" not in c["marks"] for c in table().state()["combatants"])


def test_unb_14_the_lowest_stealth_and_ten_in_roster_order() -> None:
    t = table("surprise foes by=crew")
    assert owed(t) == [["Raider 1", 10, 10], ["Raider 2", 10, 10], ["Raider 3", 10, 10]]
    assert "against 11" in t.state()["due"][0]["why"]
    t.refuse("next", "Raider 1")
    t.do("roll", dice=[4, 5, 4, 4, 10, 10])
    assert t.state()["outcome"] == {"kind": "surprise", "caught": ["Raider 2"]}
    assert t.state()["phase"] == "turns"


@pytest.mark.parametrize(
    "line",
    ["surprise foes", "surprise by=crew", "surprise foes by=foes", "surprise foes by=ghosts", "surprise crew foes by=crew",
     "surprise foes by=crew loud=yes", "surprised", "surprised Iris by=crew", "surprised Ghost"],
)  # fmt: skip
def test_unb_14_words_that_say_nothing_are_refused(line: str) -> None:
    table().refuse(line)


def test_unb_14_checks_that_are_owed_are_not_asked_twice() -> None:
    t = table("surprise foes by=crew")
    assert t.refuse("surprise foes by=crew", "roll").rule == "UNB-15"
    t.do("out @crew", "surprised none")
    assert t.refuse("surprise foes by=crew", "nobody").rule == "UNB-14"


def test_unb_15_dice_for_the_order_come_first_then_checks_then_ties() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew", "add Orc side=foes", "begin", "surprise foes by=crew")
    assert owed(t) == [["crew", 12], ["foes", 12], ["Orc", 10, 10]]
    t.do("roll crew 3", "roll foes 3")
    assert owed(t) == [["Orc", 10, 10], ["crew", 12], ["foes", 12]]
    t.do("roll", dice=[1, 1, 5, 6])
    assert t.state()["outcome"] == {"kind": "order", "order": ["foes", "crew"]}
    assert marks(t, "Orc") == {"surprised": True}


def test_unb_15_each_sneaking_party_is_a_check_of_its_own() -> None:
    t = Table("unbound")
    t.do("add Iris side=crew stealth=1", "add Cat side=pets stealth=5", "add Orc side=foes", "begin")
    t.do("roll", "surprise foes by=crew", "surprise foes by=pets", dice=[3, 2, 1])
    assert owed(t) == [["Orc", 10, 10], ["Orc", 10, 10]]
    t.do("roll", dice=[6, 6, 6, 6])
    assert marks(t, "Orc") == {"surprised": True}


def test_unb_15_an_equal_check_may_fail_by_house_rule() -> None:
    strict = table("surprise foes by=crew", tie_notices=False)
    strict.do("roll", dice=[4, 5, 5, 5, 10, 10])
    assert strict.state()["outcome"]["caught"] == ["Raider 1"]


def test_unb_17_the_surprised_have_a_turn_with_limits_and_no_reaction_back() -> None:
    t = table("surprised Iris", "react Iris", "react Jax")
    assert t.refuse("react Iris").rule == "UNB-17"
    t.do('turn "Raider 1"', "end", "turn Iris")
    assert "Iris is surprised: may move, no action" in t.state()["now"]
    t.do("end")
    assert marks(t, "Iris") == {"reaction": True}
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


# --- house rules


def test_every_house_rule_has_the_first_value_as_its_default() -> None:
    assert Table("unbound").state()["options"] == {
        "unb.pass": "combined", "unb.next_round": "restart", "unb.late_faction": "roll", "unb.tie_notices": True,
        "unb.reset": "everyone", "tie.by_hand": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reading", "foes", "beasts", "allowed"),
    [
        ("combined", 2, 1, True), ("combined", 2, 0, False), ("combined", 3, 0, True),
        ("each", 3, 3, True), ("each", 3, 2, False), ("each", 3, 0, True),
        ("two_sides_only", 3, 1, False), ("two_sides_only", 3, 0, True), ("two_sides_only", 2, 0, False),
        ("never", 9, 9, False),
    ],
)  # fmt: skip
def test_unb_8_readings_of_the_right_to_pass(reading: str, foes: int, beasts: int, allowed: bool) -> None:
    t = Table("unbound", {"unb.pass": reading})
    t.do(
        "add Boss side=tower",
        f"add {foes} Orc side=foes",
        *([f"add {beasts} Wolf side=pack"] if beasts else []),
    )
    t.do("begin", "roll tower 9", "roll foes 3", *(["roll pack 1"] if beasts else []))
    assert may_pass(t) == allowed


def test_unb_11_the_next_round_may_go_on_behind_the_last() -> None:
    t = table("out Jax", 'out "Raider 3"', next_round="continue")
    t.do('turn "Raider 1"', "end", "turn Iris", "end", 'turn "Raider 2"', "end", "next")
    assert t.e.round == 2
    assert t.state()["acting"] == "Iris"


def test_unb_10_a_faction_may_act_again_when_all_of_it_have_by_house_rule() -> None:
    t = table("out Jax", reset="own_faction")
    for foe in ('"Raider 1"', '"Raider 2"', '"Raider 3"'):
        t.do(f"turn {foe}", "end")
        if t.may():
            t.do("turn Iris", "end")
    assert [a["kind"] for a in t.state()["offer"]["acts"]] == ["round"]
    assert len([s for s in t.ledger.steps if s.line == "turn Iris"]) == 2


def test_a_late_faction_rolls_at_once_and_takes_its_place() -> None:
    t = table('turn "Raider 1"', "add Drone side=station")
    assert owed(t) == [["station", 12]]
    assert t.state()["acting"] == "Raider 1"
    t.do("end")
    t.refuse("next", "station")
    t.do("roll station 7")
    assert t.order() == ["foes", "station", "crew"]
    assert t.state()["outcome"] == {"kind": "order", "order": ["foes", "station", "crew"]}
    assert t.state()["offer"]["chooser"] == "station"


def test_a_late_faction_ties_against_what_is_remembered() -> None:
    t = table("add Drone side=station", "roll station 5")
    assert owed(t) == [["crew", 12], ["station", 12]]
    t.do("roll crew 2", "roll station 8")
    assert t.order() == ["foes", "station", "crew"]
    t.do("add Worm side=worms", "roll worms 5")
    assert owed(t) == [["worms", 12]]
    t.do("roll worms 5")
    assert t.order() == ["foes", "station", "worms", "crew"]


def test_a_late_faction_may_come_last_by_house_rule() -> None:
    t = table("add Drone side=station", "add Worm side=worms", late_faction="last")
    assert t.state()["due"] == []
    assert t.order() == ["foes", "crew", "station", "worms"]


def test_a_new_member_has_not_acted() -> None:
    t = table('turn "Raider 1"', "end", "turn Iris", "end", "add Kim side=crew")
    assert left(t) == {"crew": (2, 3), "foes": (2, 3)}
    t.do('turn "Raider 2"', "end")
    assert t.may() == ["Jax", "Kim"]


def test_a_faction_that_is_gone_keeps_its_place_for_who_comes_back() -> None:
    t = table('turn "Raider 1"', "remove @foes")
    assert t.state()["acting"] == ""
    assert t.state()["offer"]["chooser"] == "crew"
    t.do("add Chief side=foes")
    assert owed(t) == []
    assert t.order() == ["foes", "crew"]


def test_tied_factions_may_be_put_in_order_by_hand() -> None:
    t = Table("unbound", {"tie.by_hand": True})
    t.do("add A side=as", "add B side=bs", "begin", "roll as 3", "roll bs 3")
    assert t.state()["due"][0]["names"] == ["as", "bs"]
    t.do("pick bs as")
    assert t.order() == ["bs", "as"]


@pytest.mark.parametrize(
    ("line", "rule"), [("hold Iris", "UNB-9"), ("act Iris", "UNB-7"), ("order Iris x=1", ""), ("lock", "")]
)
def test_what_the_system_does_not_know_is_refused(line: str, rule: str) -> None:
    assert table().refuse(line).rule == rule


def test_the_numbers_of_the_hidden_are_nobodys() -> None:
    t = table('hide "Raider 3"')
    assert "3" in t.state()["offer"]["why"]
    assert t.state("Lia")["offer"]["why"] == ""
    assert left(t)["foes"] == (3, 3)
    assert next(s["of"] for s in t.state("Lia")["sides"] if s["name"] == "foes") == 2

"""Unbound initiative: its house rules, and what the contract rules beside the clauses."""

from __future__ import annotations

import pytest

from tests.systems.unbound.fights import left, may_pass, owed, table
from tests.table import COMMON, Table

# --- house rules


def test_every_house_rule_has_the_first_value_as_its_default() -> None:
    assert Table("unbound").state()["options"] == {
        "unb.pass": "combined",
        "unb.next_round": "restart",
        "unb.late_faction": "roll",
        "unb.tie_notices": True,
        "unb.reset": "everyone",
        "tie.by_hand": False,
        **COMMON,
    }


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
    assert t.encounter.round == 2
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
    t = table('set "Raider 1" owner=Lia', 'hide "Raider 3"')
    assert "3 left against 2" in t.state()["offer"]["why"]
    assert "2 left against 2" in t.state("Lia")["offer"]["why"]
    assert t.state("Mia")["offer"] == {}
    assert left(t)["foes"] == (3, 3)
    assert next(s["of"] for s in t.state("Lia")["sides"] if s["name"] == "foes") == 2

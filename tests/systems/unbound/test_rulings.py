"""Unbound initiative: its house rules, and what the contract rules beside the clauses."""

from __future__ import annotations

import pytest

from tests.systems.unbound.fights import left, may_pass, table
from tests.table import Table

# --- house rules


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


def test_the_order_names_the_usual_sides_as_one_speaks_of_them() -> None:
    t = Table("unbound")
    t.do("add Ana side=heroes", "add Bo side=crew", "begin", "roll crew 9")
    assert [x.text for x in t.do("roll heroes 3").lines] == [
        "The heroes roll 3 at the table",
        "The order: crew; the heroes",
    ]


def test_unb_13_before_the_first_turn_now_says_that_nobody_is_surprised_and_how_one_would_be() -> None:
    t = Table("unbound")
    t.do("add Ana side=red stealth=3", "add Bo side=blue per=2", "begin")
    says = "nobody is surprised: `surprise` if a side sneaks up"
    assert says in str(t.state()["now"])
    t.do("surprise blue by=red")
    assert says not in str(t.state()["now"])
    t.do("made Bo", "roll red 9", "roll blue 5")
    assert says not in str(t.state()["now"])

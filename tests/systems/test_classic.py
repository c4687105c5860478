"""d20 + modifier: the order, ties, newcomers, removal, delaying, rolling anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.table import Table, acting


def table(*lines: str, **options: Any) -> Table:
    """Ana 18, Bo 12, Orc 7: the order stands."""
    keys = {("tie.by_hand" if k == "by_hand" else f"classic.{k}"): v for k, v in options.items()}
    found = Table("classic", keys)
    found.do(
        "add Ana mod=3",
        "add Bo",
        "add Orc mod=-1",
        "begin",
        "roll Ana 15",
        "roll Bo 12",
        "roll Orc 8",
        *lines,
    )
    return found


def owed(t: Table) -> list[list[Any]]:
    return [[d["who"], *d.get("dice", d.get("names", []))] for d in t.state()["due"]]


def states(t: Table) -> dict[str, str]:
    return {r["entry"]: r["state"] for r in t.state()["track"]}


# --- the order


def test_everybody_rolls_once_high_first() -> None:
    t = table()
    assert t.order() == ["Ana", "Bo", "Orc"]
    assert [r["value"] for r in t.state()["track"]] == [18, 12, 7]
    assert t.state()["outcome"] == {"kind": "order", "order": ["Ana", "Bo", "Orc"]}
    assert t.state()["track"][2]["why"] == "d20 (8) -1 = 7"
    t.do("next", "next", "next", "next")
    assert (t.encounter.round, acting(t), t.order()) == (2, "Ana", ["Ana", "Bo", "Orc"])


def test_ties_by_hand_are_a_choice_in_order() -> None:
    t = Table("classic", {"tie.by_hand": True})
    t.do("add A", "add B", "add C", "begin", "roll", dice=[5, 5, 9])
    assert t.state()["due"][0] | {"why": ""} == {
        "kind": "pick",
        "who": "GM",
        "names": ["A", "B"],
        "least": 2,
        "most": 2,
        "why": "",
        "rule": "CLASSIC-2",
    }
    t.refuse("pick A", "2")
    t.refuse("pick A C", "C")
    t.do("pick B,A")
    assert t.order() == ["C", "B", "A"]


# --- who comes and goes


def test_a_staged_arrival_rolls_when_its_round_begins() -> None:
    t = table("add Wolf round=2")
    assert owed(t) == []
    t.do("next", "next", "next", "next")
    assert (t.encounter.round, acting(t), owed(t)) == (2, "", [["Wolf", 20]])


def test_moved_rows_stay_until_the_order_is_rolled_anew() -> None:
    t = table("move Orc before Ana")
    assert t.order() == ["Orc", "Ana", "Bo"]
    assert "put before Ana by hand" in t.state()["track"][0]["why"]
    t.do("next", "next", "next", "next")
    assert acting(t) == "Orc"
    t.do("reroll", "roll", dice=[10, 11, 2])
    assert t.order() == ["Ana", "Bo", "Orc"]
    t.refuse("move Orc before Orc")
    t.do("add Wolf")
    t.refuse("move Wolf before Ana", "roll")


# --- rolling anew


def test_reroll_keeps_who_has_acted() -> None:
    t = table("next", "reroll")
    assert acting(t) == "Ana"
    assert owed(t) == [["Ana", 20], ["Bo", 20], ["Orc", 20]]
    t.do("roll", dice=[1, 2, 20])
    assert t.order() == ["Orc", "Ana", "Bo"]
    t.do("next", "next", "next")
    assert (t.encounter.round, acting(t)) == (2, "Orc")
    t.refuse("reroll twice", "no words")


# --- delaying


def test_who_delayed_cuts_in_and_the_turn_goes_on() -> None:
    t = table("next", "hold Ana", "next", "next")
    assert acting(t) == "Orc"
    t.do("act Ana")
    assert acting(t) == "Ana"
    assert t.order() == ["Bo", "Ana", "Orc"]
    t.do("end")
    assert acting(t) == "Orc"
    t.do("next")
    assert (t.encounter.round, acting(t)) == (2, "Bo")


def test_a_turn_that_was_cut_into_ends_with_who_had_it() -> None:
    t = table("hold Ana", "next", "act Ana", "remove Bo", "end")
    assert acting(t) == ""
    t.do("next")
    assert acting(t) == "Orc"


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ((), "hold Bo"),
        (("next",), "hold Bo"),
        ((), "act Ana"),
        (("next", "next", "next"), "hold Orc"),
        (("hold Ana", "next", "next", "hold Orc", "next", "end"), "hold Orc"),
    ],
)
def test_a_delay_that_cannot_be_is_refused(lines: Sequence[str], line: str) -> None:
    assert table(*lines).refuse(line).rule == "CLASSIC-3"


def test_who_owes_a_roll_is_waited_for_before_a_delayed_turn() -> None:
    t = table("hold Ana", "add Wolf")
    t.refuse("act Ana", "roll")


@pytest.mark.parametrize(
    "line", ["order Ana x=1", "lock", "unlock", "ok", "pick Ana", "pass", "switch Ana action=1"]
)
def test_what_the_system_does_not_know_is_refused(line: str) -> None:
    table().refuse(line)

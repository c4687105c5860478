"""Who has left the fight is called what it is: dead, or out."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import Player

LINES = (
    "option zero.massive=dead",
    "add Ana hp=9 owner=Mia",
    "add 2 Orc hp=5 group=Orcs",
    "add Rat hp=3",
    "begin",
    "roll",
    "next",
    "damage Ana 30",
    "out Rat",
)


def row(p: Player, name: str) -> str:
    """The first row that names somebody."""
    return next(line for line in p.text().splitlines() if f"{name} " in line)


@pytest.mark.parametrize("size", [(80, 24), (60, 18), (120, 40)])
def test_track_and_roster_say_dead_where_somebody_died_and_out_elsewhere(size: tuple[int, int]) -> None:
    p = Player(lines=LINES)
    p.size = size
    for _ in range(2):
        shown = p.text().split("Log")[0]
        assert "dead" in next(line for line in shown.splitlines() if "● Ana" in line)
        assert "out" in next(line for line in shown.splitlines() if "○ Rat" in line)
        p.press("tab")


def test_the_card_says_it_too_also_when_there_are_hit_points_again() -> None:
    p = Player(lines=LINES).press("-", "a")
    assert any(line.endswith(" dead") for line in p.text().splitlines() if "Ana" not in line)
    p.store.run("heal Ana 4")
    assert any(line.endswith(" dead") for line in p.text().splitlines() if "Ana" not in line)
    assert "Ana is dead with hit points again" in " ".join(p.picture()["now"])


def test_of_a_group_it_says_how_many() -> None:
    p = Player(lines=[*LINES, 'damage "Orc 1" 30', 'out "Orc 2"'])
    assert "out 1\N{MULTIPLICATION SIGN} dead" in row(p, "Orcs")


def test_a_summary_names_those_of_one_kind_who_are_in_the_same_way_once() -> None:
    p = Player(
        "chaos",
        ["add Ana hp=9 owner=Mia", "add 4 Orc hp=5", "option zero.pc=dying", "begin", "damage Orc* 2"],
    )
    p.store.run('damage "Orc 3" 1')
    p.store.run("damage Ana 9")
    p.press("o")
    shown = " ".join(" ".join(p.picture()["summary"]).split())
    assert "Ana 0/9 dying · Orc 1\N{EN DASH}2, 4 3/5 · Orc 3 2/5" in shown


def test_a_group_that_is_out_has_nobody_left_to_act() -> None:
    lines = (
        "add Ana hp=9",
        "add 3 Orc hp=5 group=Orcs",
        "begin",
        "roll",
        'out "Orc 1"',
        "next 2",
        "out Orcs",
    )
    assert "to act" not in row(Player(lines=lines), "Orcs")


def test_the_card_says_that_a_creature_is_out() -> None:
    p = Player(lines=("add Ana hp=4", "add Bo", "damage Ana 4", "out Ana,Bo")).press("g")
    assert "out, at 0 hit points" in " ".join(p.picture()["card"])
    assert " out" in " ".join(p.press("G").picture()["card"])


@pytest.mark.parametrize("size", [(80, 24), (60, 18)])
def test_the_dying_act_on_no_card_of_any_height(size: tuple[int, int]) -> None:
    lines = (
        "option zero.pc=dying",
        "add Bo kind=pc hp=5 value=9",
        "add 5 Orc value=5",
        "damage Bo 5",
        "begin",
        "next",
    )
    p = Player(lines=lines)
    p.size = size
    assert "Bo does nothing" in p.text()
    assert "Bo acts" not in p.text()

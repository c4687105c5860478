"""Two fights that differ only in what Mia may not know are told to her alike, byte for byte.

Both are led by the same policy, which looks at nothing but what Mia is shown. In between, the unseen
creatures of each fight go their own way: they are there or not, are hurt, roll, write, act and carry
conditions as chance wants.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases, third_of
from tests.kit.two_fights import SYSTEMS, UNLIKE, Fight, assert_alike, compared, policy


@pytest.mark.parametrize("system", third_of(SYSTEMS, 0))
@cases(20)
@given(seed=st.integers(0, 10**6), unseen=UNLIKE)
def test_what_the_unseen_do_is_nowhere(system: str, seed: int, unseen: tuple[int, int]) -> None:
    compared(system, seed, 25, unseen)


@pytest.mark.parametrize("system", third_of(SYSTEMS, 1))
@cases(10)
@given(seed=st.integers(0, 10**6), unseen=UNLIKE)
def test_who_waits_in_reserve_is_nowhere(system: str, seed: int, unseen: tuple[int, int]) -> None:
    compared(system, seed, 25, unseen, reserve=True)


@pytest.mark.parametrize("system", third_of(SYSTEMS, 2))
@cases(10)
@given(seed=st.integers(0, 10**6), order=st.sampled_from(["acted", "none"]))
def test_whom_the_house_rule_keeps_from_players_is_nowhere(system: str, seed: int, order: str) -> None:
    compared(system, seed, 25, (2, 2), order)


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_whole_rounds_are_compared(system: str) -> None:
    """The law is asked of real fights: not of their first moments alone."""
    assert any(compared(system, seed, 40, (2, 2)) > 15 for seed in range(6))


# --- hidden commanders on the dungeon's track (TRK-12, TRK-20)


def tracked(seed: int, **options: Any) -> Fight:
    """A fight on the dungeon's track, in round 2, with a hidden creature on the table that has a number."""
    fight = Fight("dungeon-track", seed, 1, {k.replace("__", "."): v for k, v in options.items()})
    for line in (
        "begin",
        "meet Ana vs Orc",
        "roll Ana 6 2",
        "roll Orc 1 3",
        "pick none",
        "roll Bo 4 2",
        "roll Wolf 2 3",
    ):
        fight.say(line)
    fight.say("roll Lurk 3 3")
    while fight.table.encounter.round < 2:
        offer = fight.table.state()["offer"].get("acts", [])
        assert fight.say(f"turn {offer[0]['who']}" if len(offer) > 1 else "next")
    return fight


DEEDS = (*["set Lurk rank=leader"] * 4, "set Lurk rank=", "out Lurk", "back Lurk", "back Lurk", "remove Lurk")


@pytest.mark.parametrize("when", ["immediate", "next_turn"])
@pytest.mark.parametrize("falls", ["resume", "stay"])
@cases(12)
@given(seed=st.integers(0, 10**6))
def test_who_knows_of_no_commander_sees_the_track(when: str, falls: str, seed: int) -> None:
    """A creature unseen takes command and loses it: to Mia the numbers stand, and nothing is said."""
    one, two = (tracked(seed, trk__commander_when=when, trk__commander_falls=falls) for _ in range(2))
    chance = Random(seed)
    for _ in range(12):
        if chance.random() < 0.6:
            one.say(chance.choice(DEEDS))
        one.catch_up()
        two.catch_up()
        if one.left() != two.left():
            return
        assert_alike(one, two, ())
        here = one.state()
        assert any(row["value"] for row in here["track"])
        line = policy(here, chance)
        if one.say(line) != two.say(line):
            return


def test_a_hidden_commander_is_in_the_middle_of_it() -> None:
    """The law above is asked of fights in which sides really act, and Mia still reads the numbers."""
    fight = tracked(1)
    numbers = [(row["entry"], row["value"]) for row in fight.table.state("Mia")["track"]]
    fight.say("set Lurk rank=leader")
    assert [row["value"] for row in fight.table.state()["track"]] == [0] * 5
    assert [(row["entry"], row["value"]) for row in fight.table.state("Mia")["track"]] == numbers
    fight.say("reveal Lurk")
    assert [row["value"] for row in fight.table.state("Mia")["track"]] == [0] * 5
    assert "Lurk commands" in fight.table.state("Mia")["now"]

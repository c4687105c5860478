"""Are the dice fair? Faces, pairs and runs of seven dice; the whole alarms by chance once in a million.

Each die is thrown N times. Faces: chi-square of how often each came. Pairs: chi-square of one throw
against the next. Runs: how often the throws change between the lower and the upper half.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.store.sources import FairDice, SeededDice, unix_time, utc_now

if TYPE_CHECKING:
    from tui.core.fight.dice import Dice

SIDES = (4, 6, 8, 10, 12, 20, 100)
TESTS = 3
JOINT_ALARM_RATE = 1e-6


def alarms(dice: Dice, throws: int) -> list[str]:
    """The tests that fail, each at its share of the joint rate."""
    found: list[str] = []
    for sides in SIDES:
        faces = [dice.roll(sides) for _ in range(throws)]
        chances = {
            "faces": faces_chance(faces, sides),
            "pairs": pairs_chance(faces, sides),
            "runs": runs_chance(faces, sides),
        }
        limit = JOINT_ALARM_RATE / (TESTS * len(SIDES))
        found += [f"{test} of d{sides}: {chance:.2g}" for test, chance in chances.items() if chance < limit]
    return found


def faces_chance(faces: list[int], sides: int) -> float:
    return chi_square_tail(chi_square(Counter(faces), sides, len(faces)), sides - 1)


def pairs_chance(faces: list[int], sides: int) -> float:
    groups = min(sides, 20)
    folded = [(face - 1) * groups // sides for face in faces]
    pairs = Counter(zip(folded[::2], folded[1::2], strict=True))
    return chi_square_tail(chi_square(pairs, groups**2, len(folded) // 2), groups**2 - 1)


def runs_chance(faces: list[int], sides: int) -> float:
    """Every change of half is a fair coin when the die is fair: exactly binomial."""
    upper = [face > sides // 2 for face in faces]
    changes = sum(one != two for one, two in itertools.pairwise(upper))
    coins = len(faces) - 1
    return math.erfc(abs(changes - coins / 2) / math.sqrt(coins / 4) / math.sqrt(2))


def chi_square(counts: Counter[int] | Counter[tuple[int, int]], cells: int, total: int) -> float:
    expected = total / cells
    return sum(count**2 for count in counts.values()) / expected - total


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance of more than `statistic` with an odd number of degrees of freedom, by its finite series."""
    if statistic <= 0:
        return 1
    half = statistic / 2
    tail = math.erfc(math.sqrt(half))
    for odd in range(1, freedom, 2):
        tail += math.exp(odd / 2 * math.log(half) - half - math.lgamma(odd / 2 + 1))
    return tail


def test_fair_dice_in_short() -> None:
    assert alarms(FairDice(), 10_000) == []


@pytest.mark.hours
def test_fair_dice() -> None:
    assert alarms(FairDice(), 200_000) == []


def test_seeded_dice_are_fair_too() -> None:
    assert alarms(SeededDice(1), 10_000) == []


@given(st.integers(1, 1000), st.integers())
def test_faces_are_on_the_die(sides: int, seed: int) -> None:
    assert 1 <= FairDice().roll(sides) <= sides
    assert 1 <= SeededDice(seed).roll(sides) <= sides


@given(st.integers(), st.lists(st.integers(1, 1000), max_size=30))
def test_a_seed_repeats_its_faces(seed: int, sides: list[int]) -> None:
    one, two = SeededDice(seed), SeededDice(seed)
    assert [one.roll(n) for n in sides] == [two.roll(n) for n in sides]


def test_a_seed_keeps_its_faces_over_the_years() -> None:
    dice = SeededDice(7)
    assert [dice.roll(20) for _ in range(8)] == [7, 4, 14, 2, 11, 8, 2, 11]


def test_a_clock_that_python_cannot_count_still_tells_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 2262 on `time.time` fails: its nanoseconds take more than 63 bits."""

    def fails() -> float:
        raise OverflowError("timestamp too large")

    before = int(time.time())
    monkeypatch.setattr(time, "time", fails)
    assert 0 <= unix_time() - before <= 60
    assert utc_now() == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(unix_time()))

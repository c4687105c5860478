"""How hard a fight is: worked examples of both editions, laws, and the mistakes that other programs made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.rules.difficulty import STEPS, XP, Difficulty, measure, name_step, sum_steps, weigh

RATINGS = st.lists(st.sampled_from(list(XP)), min_size=1, max_size=20)
LEVELS = st.lists(st.integers(1, 20), min_size=1, max_size=8)
EDITIONS = st.sampled_from(["2024", "2014"])


def known(*lines: str, system: str = "classic") -> Difficulty:
    t = Table(system)
    t.do(*lines)
    result = measure(t.encounter, t.store.system)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("levels", "ratings", "edition", "xp", "word"),
    [
        ([3, 3, 3, 3], ["2"], "2024", 450, "trivial"),
        ([3, 3, 3, 3], ["2", "1/2", "1/4"], "2024", 600, "low"),
        ([3, 3, 3, 3], ["3", "1"], "2024", 900, "moderate"),
        ([3, 3, 3, 3], ["3", "3", "1"], "2024", 1600, "high"),
        ([3, 3, 3, 3], ["5", "3"], "2024", 2500, "deadly"),
        ([3, 3, 3, 2], ["1/2"] * 4, "2014", 800, "medium"),
        ([1], ["1/4"], "2014", 75, "hard"),
        ([1] * 6, ["1/4"], "2014", 25, "trivial"),
        ([5] * 2, ["1"] * 15, "2014", 15000, "deadly"),
    ],
)
def test_worked_examples(levels: list[int], ratings: list[str], edition: str, xp: int, word: str) -> None:
    points = weigh(ratings, len(levels), edition)
    assert (points, name_step(points, sum_steps(levels, edition))) == (xp, word)


@cases(200)
@given(RATINGS, LEVELS, EDITIONS, st.sampled_from(list(XP)))
def test_one_more_foe_never_makes_a_fight_easier(
    ratings: list[str], levels: list[int], edition: str, another: str
) -> None:
    steps = sum_steps(levels, edition)
    order = ["trivial", *steps]
    one, more = (weigh(some, len(levels), edition) for some in (ratings, [*ratings, another]))
    assert more > one
    assert order.index(name_step(more, steps)) >= order.index(name_step(one, steps))


@cases(200)
@given(RATINGS, LEVELS, EDITIONS)
def test_each_hero_counts_with_the_own_level_and_order_with_nothing(
    ratings: list[str], levels: list[int], edition: str
) -> None:
    steps = sum_steps(levels, edition)
    assert steps == sum_steps(levels[::-1], edition)
    for step, row in STEPS[edition].items():
        assert steps[step] == sum(row[n - 1] for n in levels)
    assert list(steps.values()) == sorted(steps.values())
    assert weigh(ratings, 4, edition) == weigh(ratings[::-1], 4, edition)


def test_numbers_are_added_and_not_written_one_after_the_other() -> None:
    fight = known("add Ana kind=pc level=1", "add 2 Rat cr=1/8", "add Ogre cr=2")
    assert (fight.xp, fight.steps) == (500, {"low": 50, "moderate": 75, "high": 100, "deadly": 150})


def test_a_hero_of_another_level_counts_with_it() -> None:
    fight = known("add Ana kind=pc level=1", "add Bo kind=pc level=5", "add Ogre cr=2")
    assert fight.steps["low"] == 50 + 500


def test_fractions_are_read_in_every_spelling() -> None:
    spellings = ("1/2", "0.5", "½")
    assert [known(f"add Wolf cr={x}", "add Ana kind=pc level=1").xp for x in spellings] == [100] * 3


def test_each_of_several_counts_and_each_once() -> None:
    assert known("add Ana kind=pc level=3", "add 4 Goblin cr=1/4 group=Pack", "system chaos").xp == 200


def test_who_is_out_hidden_or_in_a_later_round_counts_and_who_fights_with_heroes_does_not() -> None:
    fight = known(
        "add Ana kind=pc level=3", "add Dog side=heroes cr=1/8", "add 2 Orc cr=1/2", 'out "Orc 1"',
        "add Spy cr=1 hidden=yes", "add Troll cr=5 round=3",
    )  # fmt: skip
    assert (fight.xp, fight.foes) == (100 + 100 + 200 + 1800, 4)


def test_who_lacks_a_level_or_a_rating_is_counted_and_said() -> None:
    fight = known("add Ana kind=pc level=3", "add Bo kind=pc", "add Rat cr=0", "add 2 Fog")
    assert (fight.no_level, fight.no_rating) == (("Bo",), ("Fog 1", "Fog 2"))
    assert fight.words().endswith("; 1 hero without level=; 2 foes without cr=")
    assert known("add Ana kind=pc", "add Rat cr=0").word == ""


def test_only_d20_systems_know_a_difficulty_and_only_the_game_master_reads_it() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia level=1", "add 2 Goblin cr=1/4", "option xp=2014")
    assert t.state()["difficulty"]["word"] == "deadly"
    assert t.state("Mia")["difficulty"] == {}
    t.do("system dungeon-universalis")
    assert t.state()["difficulty"] == {}

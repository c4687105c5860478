"""Odds as arithmetic: held against every order that the throws can make, gone through one by one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product
from math import factorial, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.fight.encounter import Encounter
from tui.core.odds.race import (
    Case,
    Off,
    Outcome,
    Race,
    Throw,
    all_faces,
    alone,
    apart,
    offs,
    sums,
    toward_begin,
    unordered,
)
from tui.core.odds.spread import (
    Forecast,
    Standing,
    added,
    always,
    best_of_two,
    change,
    changed,
    counted,
    die,
    error,
    mean,
    shared,
)
from tui.core.odds.standings import MOST_WORK, exact, order, sampled, tally, work

SIDES = ("heroes", "dark", "beasts")


LOW: Off = ((1, 0.5), (2, 0.5))
HIGH: Off = ((1, 0.25), (2, 0.25), (3, 0.5))


def small(draw: st.DrawFn, at: int, throws_: tuple[Off, ...]) -> Throw:
    """A throw of one row, or of several of one side, with few outcomes and these roll-offs."""
    many = draw(st.integers(1, 2))
    keys = tuple(f"{at}{letter}" for letter in "abc"[:many])
    ranks = draw(st.lists(st.lists(st.integers(0, 3), min_size=many, max_size=many), min_size=1, max_size=3))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(ranks), max_size=len(ranks)))
    outcomes = tuple(
        Outcome(w / sum(weights), tuple((r,) for r in some)) for w, some in zip(weights, ranks, strict=True)
    )
    off = draw(st.sampled_from(throws_))
    return Throw(keys, outcomes, shuffled=draw(st.booleans()), offs=(off,) * many if off else ())


@st.composite
def races(draw: st.DrawFn) -> tuple[Race, dict[str, str]]:
    kinds = draw(st.sampled_from([((),), (LOW, HIGH)]))
    throws = tuple(small(draw, at, kinds) for at in range(draw(st.integers(1, 3))))
    sides = {key: side for t in throws for side in [draw(st.sampled_from(SIDES))] for key in t.rows}
    other = draw(st.sampled_from([0.0, 0.25]))
    again = tuple(Throw(t.rows, (Outcome(1.0, t.outcomes[0].ranks),), offs=t.offs) for t in throws)
    cases = (Case(1 - other, throws), *([Case(other, again)] if other else []))
    return Race(cases), sides


def orders(race: Race) -> Counter[tuple[str, ...]]:
    """The chance of every order: each way in which the throws fall, each order of the tied."""
    found: Counter[tuple[str, ...]] = Counter()
    for case in race.cases:
        ways = [_fallen(throw) for throw in case.throws]
        for way in product(*ways):
            chance = case.chance
            ranks: dict[str, tuple[int, ...]] = {}
            for p, some in way:
                chance *= p
                ranks |= some
            level = [[k for k in ranks if ranks[k] == r] for r in sorted(set(ranks.values()))]
            off = {k: o for t in case.throws for k, o in zip(t.rows, offs(t), strict=True)}
            parts = [_settled({k: off[k] for k in tied}) for tied in level]
            for orders_ in product(*(part.items() for part in parts)):
                order = tuple(k for some, _ in orders_ for k in some)
                found[order] += chance * prod(p for _, p in orders_)  # type: ignore[assignment]
    return found


@cache
def _settled_of(tied: tuple[tuple[str, Off], ...]) -> dict[tuple[str, ...], float]:
    """The chance of every order of the tied, thrown one after the other, again while all are level."""
    keys = [k for k, _ in tied]
    if len(tied) < 2 or not any(off for _, off in tied):
        return {order: 1 / factorial(len(keys)) for order in permutations(keys)}
    found: Counter[tuple[str, ...]] = Counter()
    again = 0.0
    for way in product(*(off for _, off in tied)):
        chance = prod(p for _, p in way)
        level = [
            [x for x, (n, _) in zip(tied, way, strict=True) if n == m]
            for m in sorted({n for n, _ in way}, reverse=True)
        ]
        if len(level) == 1:
            again += chance
            continue
        for parts in product(*(_settled_of(tuple(some)).items() for some in level)):
            found[tuple(k for some, _ in parts for k in some)] += chance * prod(p for _, p in parts)  # type: ignore[assignment]
    return {order: p / (1 - again) for order, p in found.items()}


def _settled(off: dict[str, Off]) -> dict[tuple[str, ...], float]:
    return _settled_of(tuple(off.items()))


def _fallen(throw: Throw) -> list[tuple[float, dict[str, tuple[int, ...]]]]:
    found = []
    for outcome in throw.outcomes:
        some = list(permutations(outcome.ranks)) if throw.shuffled else [outcome.ranks]
        found += [(outcome.chance / len(some), dict(zip(throw.rows, ranks, strict=True))) for ranks in some]
    return found


def close(a: float, b: float) -> bool:
    return abs(a - b) < 1e-9


@given(races())
def test_exact_odds_are_those_of_all_orders_gone_through(asked: tuple[Race, dict[str, str]]) -> None:
    race, sides = asked
    found = exact(race, sides)
    assert found is not None
    told = orders(race)
    assert close(sum(told.values()), 1)
    for key in race.rows:
        standing = found.rows[key]
        for place, chance in enumerate(standing.places):
            assert close(chance, sum(p for order, p in told.items() if order[place] == key))
        before = sum(
            p for order, p in told.items() if all(sides[k] == sides[key] for k in order[: order.index(key)])
        )
        assert close(standing.before, before)


@given(races())
def test_the_places_of_a_row_and_the_rows_of_a_place_sum_to_one(asked: tuple[Race, dict[str, str]]) -> None:
    race, sides = asked
    found = exact(race, sides)
    assert found is not None
    for standing in found.rows.values():
        assert close(sum(standing.places), 1)
    for place in range(len(race.rows)):
        assert close(sum(s.places[place] for s in found.rows.values()), 1)


@given(races(), st.integers(0, 10**6))
def test_races_that_are_run_come_within_the_error_that_is_stated(
    asked: tuple[Race, dict[str, str]], seed: int
) -> None:
    race, sides = asked
    told, run = exact(race, sides), sampled(race, sides, Random(seed).random, 400)
    assert told is not None
    assert run.runs == 400
    for key, standing in told.rows.items():
        pairs = [(standing.before, run.rows[key].before)]
        pairs += list(zip(standing.places, run.rows[key].places, strict=True))
        for chance, found in pairs:
            # Six standard errors, and one run for chances near 0 and 1, where the error is not normal.
            assert abs(chance - found) <= 6 * error(chance, 400) + 6 / 400


def test_kin_stay_together_in_a_roll_off_and_so_cannot_be_told_by_the_formula() -> None:
    both = Throw(("a", "b"), (Outcome(1.0, ((1,), (1,))),), kin=True)
    case = Case(1.0, (both, alone("c", [((1,), 1.0)])))
    assert not apart(case)
    assert exact(Race((case,)), dict.fromkeys("abc", "heroes")) is None
    found = sampled(Race((case,)), dict.fromkeys("abc", "heroes"), Random(1).random, 2_000)
    assert found.rows["c"].places[1] == 0, "never between the two"
    assert abs(found.rows["c"].places[0] - 0.5) < 0.1


def test_whoever_throws_higher_in_a_roll_off_is_ahead() -> None:
    low: Off = ((2, 0.5), (3, 0.5))
    high: Off = ((3, 0.5), (4, 0.5))
    case = Case(1.0, (alone("low", [((1,), 1.0)], low), alone("high", [((1,), 1.0)], high)))
    sides = {"low": "heroes", "high": "dark"}
    # Of four ways one is tied, and is thrown again: the lower one never wins.
    assert sampled(Race((case,)), sides, Random(1).random, 4_000).rows["high"].before == 1
    found = exact(Race((case,)), sides)
    assert found is not None
    assert close(found.rows["high"].before, 1)


def test_who_throws_a_number_of_its_own_against_one_who_does_not_is_not_told_by_the_formula() -> None:
    case = Case(1.0, (alone("a", [((1,), 1.0)], LOW), alone("b", [((1,), 1.0)])))
    assert not apart(case)
    assert exact(Race((case,)), dict.fromkeys("ab", "heroes")) is None


def test_too_much_work_is_left_to_races_that_are_run() -> None:
    spread = [((n,), 1 / 20) for n in range(20)]
    many = Race((Case(1.0, tuple(alone(f"{i}", [((*r, i % 40), p) for r, p in spread]) for i in range(80))),))
    assert work(many) > MOST_WORK
    assert exact(many, dict.fromkeys(many.rows, "heroes")) is None


SIX = [((n,), 1 / 6) for n in range(6)]


@pytest.mark.parametrize(
    ("throws", "products"),
    [
        # Six ranks, three rows by three, and among 0 to 3 of one kind beside.
        ([alone(key, SIX) for key in "abc"], 6 * 9 * 4 // 3),
        # Two kinds of roll-offs: 0 to 2 of the one, 0 or 1 of the other; who throws alike is counted once.
        ([alone("a", SIX, LOW), alone("b", SIX, LOW), alone("c", SIX, HIGH)], 12 * 9 * 3 * 2 // 3),
        # Both rows of one throw, and each rank once.
        ([Throw(("a", "b"), (Outcome(0.5, ((1,), (2,))), Outcome(0.5, ((2,), (1,)))))], 2 * 3 // 3),
    ],
)
def test_the_work_is_ranks_times_throws_squared_times_what_may_stand_beside(
    throws: list[Throw], products: int
) -> None:
    assert work(Race((Case(1.0, tuple(throws)),))) == products
    assert work(Race((Case(0.5, tuple(throws)), Case(0.5, tuple(throws))))) == 2 * products


# --- spreads


@given(st.lists(st.sampled_from([1, 3, 4, 6, 8]), max_size=4), st.integers(-5, 5))
def test_a_sum_is_what_all_faces_come_to(dice: list[int], flat: int) -> None:
    summed = added([*map(die, dice), always(flat)])
    told = counted(dice, lambda faces: sum(faces) + flat)
    assert told is not None
    assert {n: round(p, 12) for n, p in summed.items()} == {n: round(p, 12) for n, p in told.items()}
    assert close(mean(summed), sum((n + 1) / 2 for n in dice) + flat)


@pytest.mark.parametrize("low", [True, False])
@pytest.mark.parametrize("sides", [1, 2, 6, 20])
def test_the_better_of_two_dice(sides: int, low: bool) -> None:
    told = counted((sides, sides), min if low else max)
    assert told is not None
    found = best_of_two(sides, low=low)
    assert {n: round(p, 12) for n, p in found.items()} == {n: round(p, 12) for n, p in told.items()}


def test_too_many_faces_are_not_counted() -> None:
    assert counted((20,) * 6, sum) is None
    assert changed(die(4), lambda n: min(n + 2, 4)) == {3: 0.25, 4: 0.75}


def test_swing_and_wait_of_a_row() -> None:
    even_ = Standing((0.5, 0.5), 0.5)
    assert (even_.mean, even_.wait, even_.swing) == (1.5, 0.5, 0.5)
    assert Standing((0.0, 1.0), 0.0).swing == 0
    assert error(0.5, 0) == 0
    assert error(0.5, 100) == pytest.approx(0.05)
    assert factorial(3) == len(orders(Race((Case(1.0, tuple(alone(k, [((0,), 1.0)]) for k in "abc")),))))


def test_rows_in_each_others_place_have_the_mean_in_common() -> None:
    one, two = Standing((1.0, 0.0, 0.0), 1.0), Standing((0.0, 0.5, 0.5), 0.0)
    found = shared(Forecast({"a": one, "b": two, "c": two}, 7), [("a", "b")])
    assert found.rows["a"] == found.rows["b"] == Standing((0.5, 0.25, 0.25), 0.5)
    assert (found.rows["c"], found.runs) == (two, 7)


STANDING = Standing((0.25, 0.5, 0.0, 0.05), 0.1)


def test_what_a_standing_comes_to() -> None:
    assert close(STANDING.acts, 0.8)
    assert close(STANDING.mean, (1 * 0.25 + 2 * 0.5 + 4 * 0.05) / 0.8)
    assert close(STANDING.wait, STANDING.mean - 1)
    first, second, last = 0.25 / 0.8, 0.5 / 0.8, 0.05 / 0.8
    assert close(STANDING.swing, 2 * (first * second * 1 + first * last * 3 + second * last * 2))
    idle = Standing((0.0, 0.0), 0.0)
    assert (idle.acts, idle.mean, idle.wait, idle.swing) == (0, 0, -1, 0)
    assert Forecast({}).runs == 0


@pytest.mark.parametrize(
    ("rows", "runs"), [(1, 10_000), (10, 10_000), (11, 9_090), (99, 1_010), (101, 1_000)]
)
def test_a_race_of_many_rows_is_run_less_often(rows: int, runs: int) -> None:
    race = Race((Case(1.0, tuple(alone(f"{n}", [((n,), 1.0)]) for n in range(rows))),))
    found = sampled(race, dict.fromkeys(race.rows, "heroes"), lambda: 0.5)
    assert found.runs == runs
    assert found.rows["0"].places[0] == 1
    assert found.rows["0"].before == 1


def test_one_run_puts_the_rows_in_order_and_draws_the_case_by_its_chance() -> None:
    there = Case(0.25, (alone("a", [((1,), 1.0)]), alone("b", [((2,), 1.0)])))
    back = Case(0.75, (alone("a", [((2,), 1.0)]), alone("b", [((1,), 1.0)])))
    race = Race((there, back))
    for chance, found in [(0.0, "ab"), (0.24, "ab"), (0.26, "ba"), (0.99, "ba"), (1.0, "ba")]:
        assert "".join(order(race, lambda c=chance: c)) == found  # type: ignore[misc]


def test_orders_are_counted_by_place_and_by_who_comes_before_every_foe() -> None:
    sides = {"a": "heroes", "b": "heroes", "c": "dark"}
    found = tally(iter(["abc", "bac", "cab", "acb"]), "abc", sides, 4)
    assert found == Forecast(
        {
            "a": Standing((0.5, 0.5, 0.0), 0.75),
            "b": Standing((0.25, 0.25, 0.5), 0.5),
            "c": Standing((0.25, 0.25, 0.5), 0.25),
        },
        4,
    )


@pytest.mark.parametrize("dice", [(), (4,), (4, 6), (6, 6, 6), (1, 2)])
def test_every_way_in_which_dice_fall_has_its_chance(dice: tuple[int, ...]) -> None:
    ways = list(all_faces(dice))
    assert Counter(faces for _, faces in ways) == Counter(product(*(range(1, n + 1) for n in dice)))
    assert all(close(chance, 1 / prod(dice)) for chance, _ in ways)
    told = Counter[int]()
    for chance, faces in ways:
        told[sum(faces)] += chance  # type: ignore[assignment]
    found = {sum(faces): chance for chance, faces in sums(dice)}
    assert found.keys() == told.keys()
    assert all(close(chance, told[total]) for total, chance in found.items())
    if len(set(dice)) == 1:
        heaps = Counter[tuple[int, ...]]()
        for chance, faces in ways:
            heaps[tuple(sorted(faces))] += chance  # type: ignore[assignment]
        equal = {faces: chance for chance, faces in unordered(dice)}
        assert equal.keys() == heaps.keys()
        assert all(close(chance, heaps[faces]) for faces, chance in equal.items())


def test_too_many_faces_are_not_gone_through() -> None:
    assert counted([20_000], sum) is not None
    assert counted([20_001], sum) is None
    assert counted([10, 10, 10, 20], sum) is not None


def test_rows_that_are_in_each_others_places_share_the_mean() -> None:
    rows = {"a": Standing((1.0, 0.0), 1.0), "b": Standing((0.0, 1.0), 0.5), "c": Standing((0.5, 0.5), 0.0)}
    found = shared(Forecast(rows, 7), [("a", "b")])
    assert found == Forecast({**dict.fromkeys("ab", Standing((0.5, 0.5), 0.75)), "c": rows["c"]}, 7)


@pytest.mark.parametrize(("chance", "runs", "found"), [(0.5, 100, 0.05), (0.2, 400, 0.02), (0.5, 0, 0.0)])
def test_the_error_of_a_chance(chance: float, runs: int, found: float) -> None:
    assert close(error(chance, runs), found)


def test_two_spreads_lie_apart_by_the_mean_of_their_distances() -> None:
    assert close(change({1: 0.5, 3: 0.5}, {2: 0.25, 6: 0.75}), 0.25 * 1 + 0.75 * (0.5 * 5 + 0.5 * 3))
    assert changed({1: 0.5, 2: 0.25, 3: 0.25}, lambda n: min(n, 2)) == {1: 0.5, 2: 0.5}


def test_the_way_to_the_dice_is_the_beginning() -> None:
    assert (toward_begin(Encounter()), toward_begin(Encounter(phase="turns"))) == ("begin", "")

"""Compute distributions of dice, and the standing of a row: its places, its foes, its wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod, sqrt

from msgspec import Struct

Spread = Mapping[int, float]
"""The chance of each number; the chances sum to 1."""

MOST_FACES = 20_000
"""Combinations of faces that are gone through one by one; more of them are too many."""


def always(number: int) -> Spread:
    """Return one number for certain."""
    return {number: 1.0}


def die(sides: int) -> Spread:
    """Return one fair die."""
    return dict.fromkeys(range(1, sides + 1), 1 / sides)


def best_of_two(sides: int, *, low: bool) -> Spread:
    """Return the higher of two fair dice, or the lower."""
    higher = {face: (2 * face - 1) / sides**2 for face in range(1, sides + 1)}
    return {sides + 1 - face: chance for face, chance in higher.items()} if low else higher


def added(spreads: Iterable[Spread]) -> Spread:
    """Return the sum of independent numbers; 0 for none of them."""
    total: Spread = always(0)
    for one in spreads:
        total = joined(total, one)
    return total


def joined(one: Spread, other: Spread) -> dict[int, float]:
    """Return the sum of two independent numbers."""
    result: dict[int, float] = {}
    for a, p in one.items():
        for b, q in other.items():
            result[a + b] = result.get(a + b, 0.0) + p * q
    return result


def changed(spread: Spread, change: Callable[[int], int]) -> Spread:
    """Return the distribution of a number after a change: moved, capped."""
    result: dict[int, float] = {}
    for number, chance in spread.items():
        after = change(number)
        result[after] = result.get(after, 0.0) + chance
    return result


def counted(dice: Sequence[int], total: Callable[[tuple[int, ...]], int]) -> Spread | None:
    """Return the distribution of `total` over these dice (sides); None where they fall in too many ways."""
    many = prod(dice)
    if many > MOST_FACES:
        return None
    result: dict[int, float] = {}
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        number = total(faces)
        result[number] = result.get(number, 0.0) + 1 / many
    return result


def mean(spread: Spread) -> float:
    """Return the expected number."""
    return sum(number * chance for number, chance in spread.items())


def change(before: Spread, after: Spread) -> float:
    """Return how far apart two independent numbers lie, on average."""
    return sum(abs(a - b) * p * q for a, p in before.items() for b, q in after.items())


class Standing(Struct, frozen=True):
    """The chance of each place of a row, from the first on, and that it acts before every foe.

    The places are counted among those who act; what is left of 1 is the chance that the row does not act.
    """

    places: tuple[float, ...]
    before: float

    @property
    def acts(self) -> float:
        """The chance that it acts."""
        return sum(self.places)

    @property
    def mean(self) -> float:
        """The place to be expected, if it acts; the first is 1."""
        return sum(place * chance for place, chance in enumerate(self.places, 1)) / (self.acts or 1)

    @property
    def wait(self) -> float:
        """How many turns of others are to be expected before its own."""
        return self.mean - 1

    @property
    def swing(self) -> float:
        """How many places apart two rounds lie on average, where each rolls again."""
        spread = {place: chance / (self.acts or 1) for place, chance in enumerate(self.places)}
        return change(spread, spread)


class Forecast(Struct, frozen=True):
    """The standing of every row by its key; `runs`: the number of simulated fights, 0 where it is exact."""

    rows: dict[str, Standing]
    runs: int = 0


def shared(forecast: Forecast, alike: Iterable[tuple[str, ...]]) -> Forecast:
    """Return the forecast with the mean for rows that are in each other's places equally often."""
    rows = dict(forecast.rows)
    for keys in alike:
        some = [rows[key] for key in keys]
        places = tuple(sum(column) / len(some) for column in zip(*(s.places for s in some), strict=True))
        mean = Standing(places, sum(s.before for s in some) / len(some))
        rows |= dict.fromkeys(keys, mean)
    return Forecast(rows, forecast.runs)


def error(chance: float, runs: int) -> float:
    """Return the standard error of a chance that was seen in n runs; 0 where it is exact."""
    return sqrt(chance * (1 - chance) / runs) if runs else 0.0

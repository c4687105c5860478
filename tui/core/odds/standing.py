"""What is to be known of a row before the dice: its places, whom it acts before, how long it waits."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from msgspec import Struct

from tui.core.odds.spread import change


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
        """How many places apart two rounds lie on average, where each rolls anew."""
        spread = {place: chance / (self.acts or 1) for place, chance in enumerate(self.places)}
        return change(spread, spread)


class Forecast(Struct, frozen=True):
    """The standing of every row by its key; `runs`: out of so many fights that were rolled, 0 where it is exact."""

    rows: dict[str, Standing]
    runs: int = 0


def shared(found: Forecast, alike: Iterable[tuple[str, ...]]) -> Forecast:
    """The same where each of some rows is in the place of each other one as often: they have the mean in common."""
    rows = dict(found.rows)
    for keys in alike:
        some = [rows[key] for key in keys]
        places = tuple(sum(column) / len(some) for column in zip(*(s.places for s in some), strict=True))
        mean = Standing(places, sum(s.before for s in some) / len(some))
        rows |= dict.fromkeys(keys, mean)
    return Forecast(rows, found.runs)


def error(chance: float, runs: int) -> float:
    """The standard error of a chance that was found in so many runs; 0 where it is exact."""
    return sqrt(chance * (1 - chance) / runs) if runs else 0.0

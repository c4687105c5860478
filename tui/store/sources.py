"""Provide dice, the clock, and the pause between two looks at files: the only sources of chance and time."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Final


class FairDice:
    """Dice with unbiased faces from the operating system's source of chance.

    Source: .github/PROMISES.md, 8.
    """

    def roll(self, sides: int) -> int:
        """Return one face, 1 to `sides`, each equally likely and independent of the faces before."""
        from random import SystemRandom  # 1 ms, only for programs that roll

        return SystemRandom().randrange(1, sides + 1)


class SeededDice:
    """Dice that repeat their faces for the same seed, for tests and demonstrations."""

    def __init__(self, seed: int | bytes) -> None:
        from random import Random  # imported here for the same reason

        self._source = Random(seed)  # noqa: S311  # repeatable on purpose

    def roll(self, sides: int) -> int:
        """Return the next face, 1 to `sides`. Only `random()` promises the same numbers in every Python."""
        # randrange may draw differently in another version of Python, and a sample must roll the same fight
        # everywhere.
        return int(self._source.random() * sides) + 1


def make_dice(seed: int | None) -> FairDice | SeededDice:
    """Return dice that repeat their faces for a seed; fair dice for None."""
    return FairDice() if seed is None else SeededDice(seed)


_LAST_SECOND = 253_402_300_799
"""The end of the year 9999, in seconds since 1970: the last moment that a save can hold."""


def unix_time() -> float:
    """Return the seconds since 1970, also after the year 2262, in whole seconds."""
    try:
        return time.time()
    except OverflowError:  # Python counts nanoseconds in 63 bits
        return time.mktime(time.localtime())


def utc_now() -> str:
    """Return the current time in RFC 3339, UTC, in seconds, within the years 1970 to 9999."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(max(unix_time(), 0), _LAST_SECOND)))


LOOK_SECONDS: Final = 0.33
"""The pause between two looks at files that other processes write, in seconds."""


def wait_for_next_look(others: Sequence[int] = ()) -> list[int]:
    """Wait for the next look; return the descriptors of `others` that can be read, which end the wait."""
    return select.select(others, [], [], LOOK_SECONDS)[0]

"""How many cases of a law are tried: few in quick tests, more in long tests, far more in hours of play.

A law is written once, with its number of cases, and is part of all three tiers. The quick and the long tests
try the same cases each time; `pytest -m hours` draws others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

T = TypeVar("T")
PERCENT = {"quick": 10, "long": 30, "hours": 1_000}
"""How many per cent of a law's cases each tier tries; a law without a number has 100 cases."""
FEWEST = 2


def register() -> None:
    """Register each tier as a profile of hypothesis, for `--hypothesis-profile=hours`."""
    for name, percent in PERCENT.items():
        settings.register_profile(
            name,
            max_examples=percent,
            deadline=None,
            derandomize=name != "hours",
            print_blob=True,
            suppress_health_check=[HealthCheck.too_slow],
        )


def tier_of(markers: str) -> str:
    """Return the tier that a marker expression (`-m`) selects."""
    if re.search(r"(?<!not )\bhours\b", markers):
        return "hours"
    return "quick" if "not long" in markers else "long"


def share(cases: int) -> int:
    """Return how many of a law's cases the running tier tries."""
    return max(min(cases, FEWEST), cases * settings().max_examples // 100)


def one_of(values: Sequence[T], number: int) -> Sequence[T]:
    """Return all values, but in quick tests only the one that `number` selects."""
    return values if settings().max_examples >= PERCENT["long"] else (values[number % len(values)],)


def third_of(values: Sequence[T], number: int) -> Sequence[T]:
    """Return all values, but in quick tests only every third, from the one that `number` selects on."""
    return values if settings().max_examples >= PERCENT["long"] else values[number % 3 :: 3]


def cases(number: int, **more: Any) -> settings:
    """Return settings for a hypothesis law; the running tier tries its share of these cases."""
    return settings(max_examples=share(number), **more)

"""The longest call that holds the interpreter is found, and no other; bounds that are quick to try."""

from __future__ import annotations

import time

import pytest

from tests.benchmarks.longest_call import MOST, cases, longest

QUICK = ("line of 8,000: pictures", "TOML of 5 MB: dots", "text of 5 MB: marks")


def test_one_long_call_is_told_from_many_short_ones() -> None:
    call, whole = longest(lambda: sum(range(20_000_000)))
    assert call > whole / 2
    end = time.process_time() + 0.4

    def short() -> None:
        while time.process_time() < end:
            sum(range(1_000))

    call, whole = longest(short)
    assert call < whole / 2


@pytest.mark.parametrize("name", QUICK)
def test_no_single_call_is_long(name: str) -> None:
    case = next(case for case in cases() if case.name == name)
    data = case.data()
    assert longest(lambda: case.take(data))[0] < MOST

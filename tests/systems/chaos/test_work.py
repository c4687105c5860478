"""A line of Chaos costs no more than linearly more in a fight of many."""

from __future__ import annotations

from functools import partial

from tests.benchmarks.bench_chaos import Bench
from tests.systems.counting import calls


def _work(creatures: int) -> dict[str, int]:
    """The calls behind lines of a round, with all that a screen asks after each."""
    bench = Bench(creatures)
    lines = {"order": "order Orc1 action=wait", "rest": "order orc* action=charge", "lock": "lock",
        "roll": "roll", "ok": "ok",
             "next": "next", "after": "next", "out": "out Orc3", "react": "react Orc2"}  # fmt: skip
    return {kind: calls(partial(bench.do, "", line)) for kind, line in lines.items()}


def test_a_line_among_200_creatures_works_no_more_than_linearly_harder() -> None:
    few, many = _work(20), _work(200)
    times = {kind: many[kind] / few[kind] for kind in few}
    dice = times.pop("roll")
    assert max(times.values()) < 12, times
    assert dice < 30, "ten times the creatures tie twenty times as often"

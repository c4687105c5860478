"""A line of Chaos costs no more than linearly more in a fight of many."""

from __future__ import annotations

from functools import partial

from tests.kit.table import Table
from tests.systems.counting import calls
from tui.store.sources import SeededDice

LINES = {
    "order": "order Orc1 action=wait",
    "rest": "order orc* action=charge",
    "lock": "lock",
    "roll": "roll",
    "ok": "ok",
    "next": "next",
    "after": "next",
    "out": "out Orc3",
    "react": "react Orc2",
}


def _step(table: Table, line: str) -> None:
    """Run a line, and ask what a screen asks after it."""
    table.do(line)
    table.state()


def _work(creatures: int) -> dict[str, int]:
    """Return the calls behind each line of a round."""
    table = Table("chaos", dice=SeededDice(3))
    sides = ("blue", "red")
    table.do(*(f"add Orc{i} side={sides[i % 2]} bonus={i % 5}" for i in range(creatures)), "begin")
    return {kind: calls(partial(_step, table, line)) for kind, line in LINES.items()}


def test_a_line_among_200_creatures_works_no_more_than_linearly_harder() -> None:
    few, many = _work(20), _work(200)
    times = {kind: many[kind] / few[kind] for kind in few}
    dice = times.pop("roll")
    assert max(times.values()) < 12, times
    assert dice < 30, "ten times the creatures tie twenty times as often"

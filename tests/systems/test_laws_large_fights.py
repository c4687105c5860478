"""Ten times the creatures are ten times the work, and some more where more of them are tied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from tests.kit.table import Table
from tests.systems.counting import calls
from tui.store.sources import SeededDice


def work(system: str, sides: Sequence[str], before: Sequence[str], line: str, creatures: int) -> int:
    """The calls behind a line, among so many creatures of two sides."""
    table = Table(system, dice=SeededDice(5))
    for i in range(creatures):
        table.do(f"add Orc{i} side={sides[i % 2]}")
    for text in before:
        table.do(text.format(many=creatures))
    return calls(partial(table.do, line.format(many=creatures)))


@pytest.mark.parametrize(
    ("system", "before", "line"),
    [
        ("classic", ["begin"], "roll"),
        ("classic", ["begin", "roll", "next", "add {many} Ogre"], "roll"),
        ("dynamic", ["begin"], "roll"),
        ("dungeon-track", ["begin", "meet Orc1 vs Orc0 door=broken"], "roll"),
        ("unbound", ["begin", "surprise red by=blue"], "roll"),
        ("classic", [], "add {many} Ogre"),
        ("classic", [], "group @red Mob"),
        ("classic", [], "set orc* side=green"),
    ],
)
def test_a_line_works_no_more_than_the_dice_grow(system: str, before: Sequence[str], line: str) -> None:
    sides = ("dark", "heroes") if system.startswith("dungeon") else ("blue", "red")
    few, many = (work(system, sides, before, line, creatures) for creatures in (20, 200))
    assert many / few < 20, f"{few} {many}"

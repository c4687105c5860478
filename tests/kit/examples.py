"""Worked examples: the files of tests/vectors, and the dice that a fight has rolled, with their owners."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tests.kit.table import Table
from tui.core.fight import events as ev
from tui.core.fight.encounter import label

FOLDER = Path(__file__).parents[1] / "vectors"
Example = dict[str, Any]


def examples(name: str) -> list[Example]:
    """Return the examples in a file of tests/vectors."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        found: list[Example] = tomllib.load(file)["vector"]
    return found


def fallen(table: Table) -> list[list[Any]]:
    """Return every die of the fight as [who, sides, face], in rolling order."""
    return [
        [label(table.encounter, event.who), sides, face]
        for step in table.ledger.steps
        for event in step.events
        if isinstance(event, ev.Rolled)
        for sides, face in zip(event.dice, event.faces, strict=True)
    ]


def roll(table: Table, example: Example) -> None:
    """Roll everything that is due by the app, with the faces of an example.

    The dice must be the example's, in its order; nothing may be left to roll.
    """
    dice = example.get("dice", [])
    if dice:
        table.do("roll", dice=[face for _, _, face in dice])
    assert fallen(table) == dice
    assert [ask.kind for ask in table.due() if ask.kind == "roll"] == []

"""Fights on the dungeon's track."""

from __future__ import annotations

from typing import Any

from tests.kit.table import Table, acting
from tests.systems.dungeon.fights import played, rolls

CREW = (
    "add Ana kind=pc per=4 int=4",
    "add Bo kind=pc per=3 int=5",
    "add 2 Orc group=Orcs per=3 int=3",
    "add Rat per=1 int=1",
)


FACES = {"Ana": (3, 2), "Bo": (4, 3), "Orc 1": (3, 1), "Rat": (2, 2), "Orcs": (3, 1)}


def crypt(*lines: str, **options: Any) -> Table:
    t = Table("dungeon-track", {k.replace("__", "."): v for k, v in options.items()})
    t.do(*CREW, *lines)
    return t


def tracked(*lines: str, winner: str = "heroes", **options: Any) -> Table:
    """Bo 10, Ana 9, Orcs 7 (8 if they won), Rat 5; the heroes have the first turn unless the dark side
    won."""
    t = crypt("begin", 'meet Ana vs "Orc 1"', **options)
    rolls(t, FACES if winner == "heroes" else FACES | {"Ana": (2, 3), "Orc 1": (6, 1), "Orcs": (6, 1)})
    if lines:
        t.do(*lines)
    return t


def second(*lines: str, **options: Any) -> Table:
    """The same track at the beginning of round 2: Bo is acting."""
    t = tracked(**options)
    played(t)
    t.do("next")
    assert (acting(t), t.state()["round"]) == ("Bo", 2)
    if lines:
        t.do(*lines)
    return t

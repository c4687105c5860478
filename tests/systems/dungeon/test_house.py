"""What the dungeon cites is told: every clause and every ruling that code or docstring names."""

from __future__ import annotations

import re
from pathlib import Path

import tui.systems.dungeon
from tui.systems import Registry

CITED = re.compile(r"\b(?:DUN|TRK)-A?\d+\b")


def test_every_clause_that_the_dungeon_cites_can_be_looked_up() -> None:
    told = Registry().get("dungeon-track").clauses
    folder = Path(tui.systems.dungeon.__file__).parent
    cited = {
        (path.name, clause)
        for path in folder.glob("*.py")
        for clause in CITED.findall(path.read_text("utf-8"))
    }
    assert {(name, clause) for name, clause in cited if clause not in told} == set()
    assert len({clause for _, clause in cited}) > 60


def test_the_rules_by_sides_know_nothing_of_the_track() -> None:
    told = Registry().get("dungeon-universalis").clauses
    assert not [clause for clause in told if clause.startswith("TRK")]

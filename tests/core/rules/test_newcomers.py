"""Numbers of newcomers from which players could count creatures that they do not see."""

from __future__ import annotations

import pytest

from tests.kit.table import Table

TOLD = 'players read Orc 3 to Orc 5, and can tell that 2 come before; `alias "Orc 3" NAME`'


@pytest.mark.parametrize(
    ("system", "before", "line", "notices"),
    [
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1", [TOLD]),
        ("classic", "add 2 Orc hp=1 round=3", "add 3 Orc hp=1", [TOLD]),
        ("classic", "add 2 Orc hp=1", "add 3 Orc hp=1", []),
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1 hidden=yes", []),
        ("classic", "add 2 Orc hp=1 hidden=yes", "add 3 Rat hp=1", []),
        ("dungeon-track", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1", []),
        ("dungeon-track", "add 2 Orc hp=1 hidden=yes", "add 3 Orc hp=1 side=heroes", [TOLD]),
    ],
)
def test_the_game_master_is_told_of_numbers_after_unseen_ones(
    system: str, before: str, line: str, notices: list[str]
) -> None:
    fight = Table(system)
    fight.do(before)
    assert [x.text for x in fight.do(line).notices] == notices

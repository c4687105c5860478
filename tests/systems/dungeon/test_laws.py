"""Random play of both dungeon systems reaches everything: what it never reaches would prove nothing."""

from __future__ import annotations

import pytest

from tests.kit.random_fights import fight
from tests.systems.dungeon.habits import SYSTEMS


@pytest.mark.long
def test_random_fights_reach_every_verb() -> None:
    wanted = {"meet", "place", "calm", "hit", "kill", "moved", "pick", "pass", "end", "next", "turn", "roll"}
    for seed in range(80):
        for system in SYSTEMS:
            wanted -= {line.split()[0] for line in fight(system, seed, 40).log if "#" not in line}
        if not wanted:
            return
    raise AssertionError(wanted)

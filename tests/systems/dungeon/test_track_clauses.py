"""The initiative track, clause by clause: how it is rolled, the first turn, ties, the hit and the kill."""

from __future__ import annotations

from tests.systems.dungeon.fights import played
from tests.systems.dungeon.tracks import second

# --- the first turn, and the others


def test_trk_10_the_same_track_every_turn() -> None:
    t = second("end")
    for _ in range(3):
        assert played(t) in (["Ana", "Orcs", "Rat"], ["Bo", "Ana", "Orcs", "Rat"])
        t.do("next", "end")
    assert t.state()["round"] == 5
    assert t.refuse("end", "no side").rule == "TRK-10"
    assert t.refuse("hold Ana", "nobody can delay").rule == "TRK-10"
    assert t.refuse("turn Rat").rule == "TRK-10"

"""The initiative track in its corners: totals after a commander's fall, ties of newcomers, what is
announced."""

from __future__ import annotations

from tests.systems.dungeon.meetings import said
from tests.systems.dungeon.tracks import second

# --- hits and kills


def test_trk_23_without_variable_initiative_nothing_is_said_of_hits() -> None:
    t = second("set @dark hp=9")
    assert "hit" not in said(t, "damage Rat 2")
    assert "kill" not in said(t, "out Rat").replace("kill Rat", "")
    assert "rises" not in said(t, 'kill "Orc 1"')

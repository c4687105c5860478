"""Dungeon Universalis in its corners: who is gone, who is not told, what is missing, one step for a
meeting."""

from __future__ import annotations

from tests.kit.table import acting
from tests.systems.dungeon.fights import events, side
from tests.systems.dungeon.meetings import won
from tui.core.fight import events as ev

# --- words that are true


def test_dun_24_the_dark_players_turn_opens_with_nobody_in_it() -> None:
    t = won("out @dark", "turn Ana", "end", "turn Bo", "end", "next")
    assert (t.state()["round"], side(t, "dark")["turn"], acting(t)) == (1, True, "")
    assert "the moment to play a card" in t.state()["now"]
    ended = len(events(t))
    t.do("end")
    assert t.state()["round"] == 1
    assert not any(isinstance(x, ev.RoundBegan) for x in events(t)[ended:])
    t.do("next")
    assert t.state()["round"] == 2
    t.do("undo 2", "next")
    assert t.state()["round"] == 2

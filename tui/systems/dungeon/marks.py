"""The marks and phases of Dungeon Universalis and its track, declared."""

from __future__ import annotations

from tui.core.fight.declared import Mark, Phase
from tui.systems.shared.marks import BARRED, SURPRISED

MARKS = (
    SURPRISED,
    BARRED,
    # Bookkeeping without a word: everybody on the table bears it.
    Mark("met", until="fight"),
    Mark("new", "has just appeared", until="fight"),
    Mark("early", "acted ahead of its place"),
    Mark("moved", "has moved its one square"),
)
TRACK_MARKS = (
    Mark("hit", "was hit this round", tag="hit", short="hit"),
    Mark("kill", "has killed this round", tag="kill", short="kill"),
)
PHASES = (Phase("exploration", "The heroes explore"),)

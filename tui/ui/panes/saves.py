"""The fights of the start screen: system, round, day, and state of each."""

from __future__ import annotations

from tui.store.shelf import Brief
from tui.ui.panes.listing import ListPane, home_of
from tui.ui.state.home import HomeRow, describe_time
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Piece, column

SYSTEM, DAY = 20, 11
"""Columns for the system of a fight, and for its day."""
WITH_SYSTEM, WITH_DAY = 36, 54
"""The columns after a fight's name from which the system is shown, and from which the day is."""


def _describe(scene: Scene, e: HomeRow, room: int) -> tuple[Piece, ...]:
    """Return round, system, day and state of a fight as far as they fit, or what is wrong with its file."""
    home, ellipsis = home_of(scene), scene.glyphs.ellipsis
    brief = home.briefs.get(e.key, Brief())
    save = next(s for s in home.contents.fights if s.path == e.key)
    if problem := save.problem or brief.problem:
        return ((problem, "error"),)
    turn: Piece = (f"{f'round {brief.round}' if brief.round else '':<8} ", "text")
    stands: Piece = (brief.stands, "text")
    if room < WITH_SYSTEM:
        return turn, stands
    # The state is what people look for: the day is left out first.
    day = [(f"{describe_time(save.modified, home.now):<{DAY}} ", turn[1])] if room >= WITH_DAY else []
    return (column(e.note, SYSTEM, "muted", ellipsis), (" ", "text"), turn, *day, stands)


EMPTY = "No fight yet: choose a system below"
PANE = ListPane("saves", "Fights", tab=1, rank=3, least=6, texts=_describe, empty=EMPTY).pane

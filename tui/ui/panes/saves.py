"""The fights of the start screen: system, round, day, and how each stands."""

from __future__ import annotations

from tui.store.saves import Listed
from tui.store.shelf import Brief
from tui.ui.panes.listing import ListPane, home_of, rows_of
from tui.ui.state.home import HomeRow, when
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Piece, cells, column

SYSTEM = 22
"""Columns for the system of a fight, at the most."""
WITH_SYSTEM, WITH_DAY = 36, 54
"""Columns behind the names from which on there is room for the system, and for the day."""


def _texts(scene: Scene, e: HomeRow, room: int) -> tuple[Piece, ...]:
    """Return the columns of a fight; one without a text is not shown."""
    home, ellipsis = home_of(scene), scene.glyphs.ellipsis
    brief = home.briefs.get(e.key, Brief())
    saves: dict[str, Listed] = {s.path: s for s in home.contents.fights}
    if problem := saves[e.key].problem or brief.problem:
        return ((problem, "error"),)
    turn: Piece = (f"{f'round {brief.round}' if brief.round else '':<8} ", "text")
    stands: Piece = (brief.stands, "text")
    if room < WITH_SYSTEM:
        return turn, stands
    wide = min(SYSTEM, max(cells(x.note) for x in rows_of(scene, "saves")))
    system = (column(e.note, wide, "muted", ellipsis), (" ", "text"))
    days = {path: when(s.modified, home.now) for path, s in saves.items()}
    # How it stands is what one looks for: the day gives way.
    day = column(days[e.key], max(map(cells, days.values())), "muted", ellipsis)
    return (*system, turn, *((day, (" ", "text")) if room >= WITH_DAY else ()), stands)


EMPTY = "No fight yet: choose a system below"
PANE = ListPane("saves", "Fights", tab=1, rank=3, least=6, texts=_texts, empty=EMPTY).pane

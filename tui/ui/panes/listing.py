"""A list of the start screen: its title, and the rows around the cursor."""

from __future__ import annotations

from collections.abc import Callable

from tui.ui.panes.creatures import title
from tui.ui.state.home import Home, HomeRow, current, entries
from tui.ui.state.layout import Part
from tui.ui.state.scene import Scene, page
from tui.ui.text.rows import Box, Piece, Row, cells, clip, column, span, words, wrapped

NAME = 26
"""Columns for names, at the most."""


def home_of(scene: Scene) -> Home:
    """Return what the start screen has to offer."""
    assert scene.home is not None
    return scene.home


def rows_of(scene: Scene, part: Part) -> list[HomeRow]:
    """Return the rows of a list."""
    return [e for e in entries(home_of(scene), scene.view) if e.pane == part]


def note(scene: Scene, entry: HomeRow, width: int) -> tuple[Piece, ...]:
    """Return the note of a row, cut between two words: a part of one is a riddle to a newcomer."""
    room = width - cells(scene.glyphs.ellipsis)
    if cells(entry.note) <= width or room < 1:
        return ((entry.note, "muted"),)
    return ((wrapped(entry.note, room)[0].rstrip(" ,;:") + scene.glyphs.ellipsis, "muted"),)


def listing(
    scene: Scene,
    part: Part,
    name: str,
    box: Box,
    texts: Callable[[Scene, HomeRow, int], tuple[Piece, ...]] = note,
    *,
    more: str = "",
    empty: str = "",
    numbered: bool = False,
) -> list[Row]:
    """Return the title, and the rows around the cursor; `texts` are those behind a row's name."""
    some, at = rows_of(scene, part), current(home_of(scene), scene.view)
    room = box.height - (not box.bare)
    first = page(some.index(at) if at in some else 0, room, len(some))
    shown, glyphs = some[first : first + room], scene.glyphs
    wide = min(NAME, max((cells(e.name) for e in some), default=0))
    numbers = {s.id: place for place, s in enumerate(home_of(scene).systems, 1)} if numbered else {}
    left_out = ", ".join(x for x in (more, words(span(first, len(shown), len(some), glyphs))) if x)
    note_: tuple[Piece, ...] = ((left_out, "muted"),) if left_out else ()
    head = [] if box.bare else [title(scene, part, name, box.width, *note_)]
    rows: list[Row] = []
    for e in shown:
        # No key has two digits: a tenth system has none.
        digit = f"{n if (n := numbers.get(e.key, 0)) and n < 10 else ' '} " if numbered else ""
        row: Row = (
            (glyphs.cursor if e == at else " ", "focus"),
            (f" {digit}", "key"),
            column(e.name, wide, "focus" if e == at else "text", glyphs.ellipsis),
            (" ", "text"),
        )
        rows.append((*row, *texts(scene, e, box.width - cells(words(row)))))
    if not some and empty:
        rows.append(((f"  {empty}", "muted"),))
    return [*head, *(clip(row, box.width, glyphs.ellipsis) for row in rows)]

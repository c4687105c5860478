"""The track as lines: who acts when, in which state, and why there."""

from __future__ import annotations

from tui.core.fight.agenda import TrackRow
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import label, members, unacted
from tui.core.fight.viewer import GAME_MASTER, sentences
from tui.ui.panes.titles import span, title
from tui.ui.state.columns import cells
from tui.ui.state.glyphs import STATES, state_sign
from tui.ui.state.layout import content
from tui.ui.state.rows import Piece, Row, clip, column, filled
from tui.ui.state.scene import (
    Scene,
    current_entry,
    page,
    rows_pane,
    side_mark,
    side_of_key,
    track_rows,
)
from tui.ui.state.words import HIDDEN, short_marks, spoken_marks

WIDE = 44
"""Columns from which on the reason of a value is shown."""

ROOMY = 54
"""Columns from which on names may be longer."""


def track(scene: Scene, width: int, height: int) -> list[Row]:
    """The title and the rows of the page that holds the current one."""
    rows = track_rows(scene)
    if not rows:
        return filled([title(scene, "track", "Track", width), _empty(scene, width)], height)
    at = current_entry(scene, rows)
    place = next((i for i, r in enumerate(rows) if r.entry == at), 0)
    first = page(place, height - 1, len(rows))
    shown = rows[first : first + max(0, height - 1)]
    cursor = at if content(rows_pane(scene)) == "entries" else ""
    head = title(scene, "track", "Track", width, *span(first, len(shown), len(rows)))
    names = [name(scene, r) for r in shown]
    # By the names of this page alone, so that one long name elsewhere does not narrow every row.
    wide = max(map(cells, names), default=0) + 1
    rest = (row(scene, r, width - 1, cursor, called, wide) for r, called in zip(shown, names, strict=True))
    return filled([head, *rest], height)


def _empty(scene: Scene, width: int) -> Row:
    if scene.view.filter:
        text = "Nobody fits the filter: Esc clears it"
    elif scene.encounter.running:
        text = "Nobody has a place yet"
    else:
        text = f"Empty until the fight begins: [{scene.keys.get('begin', ':begin')}]"
    return clip(((f" {text}", "muted"),), width, scene.glyphs.ellipsis)


def row(scene: Scene, r: TrackRow, width: int, cursor: str, called: str, wide: int) -> Row:
    """One row: cursor, mark, state, value, side, name, words, and the reason when there is room.

    `called` is the name, `wide` the columns that the longest one on the page would like.
    """
    ellipsis = scene.glyphs.ellipsis
    role, _ = STATES[r.state]
    head: list[Piece] = [
        (scene.glyphs.cursor if r.entry == cursor else " ", "focus"),
        (scene.glyphs.selected, "selected") if r.entry in scene.view.selected else (" ", "text"),
        (state_sign(scene.glyphs, r.state), role),
        (f" {_value(scene, r)} ", "text"),
        side_mark(scene, side_of_key(scene.encounter, r.entry)),
        (" ", "text"),
    ]
    room = width - sum(cells(text) for text, _ in head)
    # A little more than half: the words behind a name matter less than telling two names apart.
    most = room * 14 // 25 if width < WIDE else 15 if width < ROOMY else 20
    taken = max(8, min(wide, most))
    said = row_words(scene, r)
    line = [*head, column(called, taken, role, ellipsis)]
    if width < WIDE:
        return clip([*line, (said, role)], width, ellipsis)
    line += [(f"{said:<8} ", role), (sentences(scene.encounter, r.why, GAME_MASTER), "muted")]
    return clip(line, width, ellipsis)


def _value(scene: Scene, r: TrackRow) -> str:
    """The value in three columns; a mark while its roll is owed, nothing where no row has a number."""
    if r.value:
        return f"{r.value:>3}"
    if any(a.who == r.entry and a.kind == "roll" for a in scene.system.due(scene.encounter)):
        return f"{scene.glyphs.owed:>3}"
    return "  0" if any(x.value for x in scene.system.rows(scene.encounter)) else "   "


def name(scene: Scene, r: TrackRow) -> str:
    """The name; of several, how many there are, or how many of them have not acted yet."""
    alive = [c for k in r.members if (c := scene.encounter.combatants.get(k)) and not c.out]
    left = len(unacted(alive))
    count = f" {left} of {len(alive)}" if 0 < left < len(alive) else f" x{len(alive)}"
    return label(scene.encounter, r.entry) + (count if len(r.members) > 1 else "")


def row_words(scene: Scene, r: TrackRow) -> str:
    """The state and the marks of a row in words."""
    found = [c for c in members(scene.encounter, r.entry) if c.id in r.members]
    marks = [mark.short for mark in short_marks(scene, found)]
    marks += [HIDDEN] if any(c.hidden for c in found) else []
    marks += spoken_marks(scene, r.entry)
    word = STATES[r.state][1]
    if any(c.value is not None for c in found):
        marks.append("fixed")
    if r.state in ("waits", "may", "now") and _fallen(found):
        marks.append("at 0 HP")
    return " ".join([*([word] if word else []), *marks])


def _fallen(found: list[Combatant]) -> bool:
    return bool(found) and all(c.hp == 0 for c in found)

"""The track pane: order of turns, hit points, conditions; each value in a column."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.table import TableRow
from tui.ui.panes.creatures import row_style, title
from tui.ui.panes.orders import has_form_below_track, takes_full_width
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import LEAST_LIST_LINES, LEAST_UPPER_LINES, Room, content
from tui.ui.state.scene import (
    Scene,
    current_entry,
    filter_rows,
    row_name,
    rows_pane,
    selection_mark,
    side_mark,
    side_of_key,
    spoken_words,
    window,
)
from tui.ui.text.held import row_cells
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Piece, Row, clip, pad_rows, span
from tui.ui.text.track import NUMBERS, TrackCells, track_list

LEAST_BESIDE_ORDER = 4
"""The fewest lines of the track, with its title, while an order is written."""


def track(scene: Scene, width: int, height: int, *, bare: bool = False) -> list[Row]:
    """Return the rows around the current and the acting one, below a title unless `bare`."""
    every = filter_rows(scene)
    if not every:
        rows = [clip(((f" {_explain_empty(scene)}", "muted"),), width, scene.glyphs.ellipsis)]
        return pad_rows(rows if bare else [title(scene, "track", "Track", width), *rows], height)
    room = height if bare else height - 1
    at = current_entry(scene, every)
    kept, folded = _fold(every, at, room)
    seen = window([x.entry for x in kept], at, scene.acting, room - bool(folded))
    shown = [kept[i] for i in seen]
    cursor = at if content(rows_pane(scene)) == "entries" else ""
    leads = [_draw_lead(scene, x.entry, cursor=x.entry == cursor) for x in shown]
    cut = span(seen[0], len(seen), len(kept), scene.glyphs) if seen else ()
    numbered = scene.order.is_numbered
    rows = track_list(
        lines_of(scene, shown),
        leads,
        width,
        scene.glyphs,
        numbered=numbered,
        title=() if bare else _draw_title(scene, width, cut, numbered=numbered and width >= NUMBERS),
        rest=_count_rest(folded),
    )
    return pad_rows(rows, height)


def wanted_rows(scene: Scene) -> int:
    """Return the number of lines that the pane can use, with its title."""
    return 1 + max(1, len(filter_rows(scene)))


def _explain_empty(scene: Scene) -> str:
    if scene.view.filter:
        return "No row matches the filter: Esc clears it"
    if scene.table.running:
        return "No creature is in the order yet"
    return f"Empty until the fight begins: [{scene.keys.get('begin', ':begin')}]"


def _fold(rows: list[TableRow], at: str, room: int) -> tuple[list[TableRow], list[TableRow]]:
    """Return the rows to show, and rows in reserve or out that are only counted because room is short."""
    gone_rows = [x for x in rows if x.state in ("staged", "out")]
    rows_in_play = [x for x in rows if x.state not in ("staged", "out")]
    if (
        len(rows) <= room
        or room < 3
        or len(gone_rows) < 2
        or not rows_in_play
        or at in {x.entry for x in gone_rows}
    ):
        return rows, []
    return rows_in_play, gone_rows


def _count_rest(folded: Sequence[TableRow]) -> str:
    """Return a text that counts the rows in reserve and the rows that are out."""
    texts = []
    for state, words in (("staged", "in reserve"), ("out", "out")):
        if many := sum(len(x.members) for x in folded if x.state == state):
            texts.append(f"{many} {words}")
    return ", ".join(texts)


# --- the text of a row


def lines_of(scene: Scene, rows: Sequence[TableRow]) -> list[TrackCells]:
    """Return the cells of these rows."""
    style, known = row_style(scene), {c.id: c for c in scene.table.combatants}
    cells: list[TrackCells] = []
    for row in rows:
        people = [known[k] for k in row.members if k in known]
        side = side_mark(scene, side_of_key(scene, row.entry))
        spoken: list[Piece] = [(word, "text") for word in spoken_words(scene, row.entry)]
        cells.append(row_cells(style, row, row_name(scene, row.entry), people, side, spoken))
    return cells


def _draw_lead(scene: Scene, entry: str, *, cursor: bool) -> tuple[Piece, Piece]:
    # On the acting row in its colour: a turn that ends and one that begins are sent in fewer bytes.
    role: Role = "acting" if entry == scene.acting else "focus"
    return (scene.glyphs.cursor if cursor else " ", role), selection_mark(scene, entry)


def _draw_title(scene: Scene, width: int, cut: tuple[Piece, ...], *, numbered: bool) -> Row:
    """Return the title, with the side whose turn it is if rows have no places."""
    table = scene.table
    side = next((x.name for x in table.sides if x.turn), "")
    # The creatures that act or may act: new ones may act at once in the other side's turn.
    first = [table.acting] if table.acting else [x.who for x in table.offer.acts or () if x.kind == "turn"]
    named = {name: c.side for c in reversed(table.combatants) for name in (c.group, c.name)}
    now = {named.get(name, name) for name in first}
    side = now.pop() if side and len(now) == 1 else side
    turn = next((x.whose for x in table.sides if x.name == side and not numbered), "")
    whose: tuple[Piece, ...] = ((turn, "muted"),) if turn else ()
    return title(scene, "track", "Track", width, *whose, *cut)


def _ask(scene: Scene, room: Room) -> Ask | None:
    if not scene.table.running:
        return None
    wants, least = wanted_rows(scene), LEAST_LIST_LINES
    if has_form_below_track(scene, room):
        least = min(wants, LEAST_BESIDE_ORDER)
    elif takes_full_width(scene):
        # Beside a form that leaves less, a summary says more than a few rows.
        least = LEAST_UPPER_LINES
    return Ask(room.height if room.kind == "small" else wants, "left", 0, least)


def _draw(scene: Scene, box: Box) -> list[Row]:
    return track(scene, box.width, box.height, bare=box.bare)


PANE = Pane("track", _ask, _draw, tab=1)

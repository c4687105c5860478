"""The track as lines: who acts when, how hurt, what with; each value in a column of its own."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import TrackRow, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, label, side_of, unacted
from tui.core.fight.viewer import GAME_MASTER, sentences, text
from tui.core.views.lineup import ShownRow, lineup
from tui.ui.rows.creatures import bar, held, ink, of_several, points, title
from tui.ui.state.layout import content
from tui.ui.state.scene import (
    Scene,
    current_entry,
    offer,
    rows_pane,
    selection_mark,
    side_mark,
    side_of_key,
    spoken_words,
    spots,
    window,
)
from tui.ui.text.glyphs import STATES
from tui.ui.text.rows import Piece, Row, cells, clip, filled, span
from tui.ui.text.track import ARMOUR, BAR, Columns, TrackCells, measure, track_row


def track(scene: Scene, width: int, height: int, *, bare: bool = False) -> list[Row]:
    """Return the rows that hold the current and the acting one, below a title unless they are `bare`."""
    every = spots(scene)
    if not every:
        rows = [clip(((f" {_empty(scene)}", "muted"),), width, scene.glyphs.ellipsis)]
        return filled(rows if bare else [title(scene, "track", "Track", width), *rows], height)
    room = height if bare else height - 1
    at = current_entry(scene, [x.row for x in every])
    kept, left = _folded(every, at, room)
    shown = window([x.row.entry for x in kept], at, scene.encounter.acting, room - bool(left))
    lines = lines_of(scene, [kept[i] for i in shown])
    columns = columns_of(scene, lines, width)
    cursor = at if content(rows_pane(scene)) == "entries" else ""
    rows = [
        row(scene, kept[i].row.entry, line, columns, width, cursor=kept[i].row.entry == cursor)
        for i, line in zip(shown, lines, strict=True)
    ]
    rows += [_rest(scene, left, columns, width)] if left else []
    if bare:
        return filled(rows, height)
    cut = span(shown[0], len(shown), len(kept), scene.glyphs) if shown else ()
    return filled([_title(scene, columns, width, cut), *rows], height)


def need(scene: Scene) -> int:
    """Return the lines that the pane would like to have, its title among them."""
    return 1 + max(1, len(spots(scene)))


def _empty(scene: Scene) -> str:
    if scene.view.filter:
        return "Nobody fits the filter: Esc clears it"
    if scene.encounter.running:
        return "Nobody has a place yet"
    return f"Empty until the fight begins: [{scene.keys.get('begin', ':begin')}]"


def _folded(rows: list[ShownRow], at: str, room: int) -> tuple[list[ShownRow], list[ShownRow]]:
    """Return the rows that are shown, and those in reserve or out that are only counted for lack of room."""
    away = [x for x in rows if x.row.state in ("staged", "out")]
    standing = [x for x in rows if x.row.state not in ("staged", "out")]
    if len(rows) <= room or room < 3 or len(away) < 2 or not standing or at in {x.row.entry for x in away}:
        return rows, []
    return standing, away


def _rest(scene: Scene, left: Sequence[ShownRow], columns: Columns, width: int) -> Row:
    """Return how many are in reserve, and how many out."""
    texts = []
    for state, words in (("staged", "in reserve"), ("out", "out")):
        if many := sum(len(x.row.members) for x in left if x.row.state == state):
            texts.append(f"{many} {words}")
    return clip(((" " * columns.head + ", ".join(texts), "muted"),), width, scene.glyphs.ellipsis)


# --- what a row says


def lines_of(scene: Scene, rows: Sequence[ShownRow]) -> list[TrackCells]:
    """Return the cells of these rows."""
    return [_cells(scene, spot) for spot in rows]


def _cells(scene: Scene, spot: ShownRow) -> TrackCells:
    e, g, r = scene.encounter, scene.glyphs, spot.row
    people = tuple(c for k in r.members if (c := e.combatants.get(k)))
    if spot.outer:
        words: list[Piece] = [(f"{len(unacted(people))} of {len(people)} to act", STATES[r.state].role)]
    else:
        words = held(scene, people, r.state, wide=False)
    if companions := companions_of(e, r):
        # The row is the hero's: hit points of both in one column would say nothing of either.
        people = tuple(c for c in people if c.id == r.entry)
        words = held(scene, people, r.state, wide=False) + [companion(scene, c) for c in companions]
    words += [(word, "text") for word in spoken_words(scene, r.entry)]
    # Of several it stands there only where it is that of all of them.
    armour = {c.ac for c in people}
    return TrackCells(
        r.state,
        name(scene, r),
        side_mark(scene, side_of_key(e, r.entry)),
        tuple(words),
        place=f"{spot.place or ''}",
        value=g.owed if spot.owed else f"{r.value}" if spot.place else "",
        points=(of_several(people, g), ink(people)),
        bar=bar(() if spot.outer else people, g),
        armour=None if armour <= {None} else f"{armour.pop()}" if len(armour) == 1 else "",
        inner=spot.inner,
        outer=spot.outer,
        why=lambda: sentences(e, r.why, GAME_MASTER),
    )


def companions_of(e: Encounter, r: TrackRow) -> tuple[Combatant, ...]:
    """Return those who share the row of a creature: mounts, pets, mercenaries."""
    if len(r.members) < 2 or r.entry not in r.members:  # a pair is the least
        return ()
    return tuple(c for k in r.members if k != r.entry and (c := e.combatants.get(k)))


def companion(scene: Scene, c: Combatant) -> Piece:
    """Return a companion in a few words: name, hit points, what holds it."""
    texts = [c.name, points(c), *(text for text, _ in held(scene, (c,)))]
    return " ".join(text for text in texts if text), ink((c,))


def name(scene: Scene, r: TrackRow) -> str:
    """Return the name; of a group also its number of members."""
    called = label(scene.encounter, r.entry)
    group = r.entry.startswith(SIDE) and any(c.group == called for c in scene.encounter.combatants.values())
    return f"{called} {scene.glyphs.times}{len(r.members)}" if group else called


# --- columns and rows


def columns_of(scene: Scene, lines: Sequence[TrackCells], width: int) -> Columns:
    """Return the columns for these rows, with one for the cursor and one for the selection."""
    return measure(lines, width, lead=2, numbered=lineup(scene.encounter, scene.system).numbered)


def row(
    scene: Scene, entry: str, line: TrackCells, columns: Columns, width: int, *, cursor: bool = False
) -> Row:
    """Return a row behind its cursor and the mark of its selection."""
    sign: Piece = (scene.glyphs.cursor if cursor else " ", "focus")
    return track_row(line, columns, width, scene.glyphs, sign, selection_mark(scene, entry))


def _title(scene: Scene, columns: Columns, width: int, cut: tuple[Piece, ...]) -> Row:
    """Return the name of the pane, whose side's turn it is, and over the columns what they hold."""
    e = scene.encounter
    side = scene.system.turn_side(e) if e.running else ""
    # Who acts or may act now: newcomers may act at once in the other side's turn.
    now = {side_of(e, key) for key in ([e.acting] if e.turn else offer(scene).turns)}
    side = now.pop() if side and len(now) == 1 else side
    turn = text(scene.encounter, say("{0}'s turn", SIDE + side)) if side and not columns.numbered else ""
    whose: tuple[Piece, ...] = ((turn, "muted"),) if turn else ()
    more = [*whose, *cut]
    line = title(scene, "track", "Track", width, *more)
    if not columns.points or scene.glyphs.spoken:
        return line
    at = columns.head + columns.name + 1 + columns.points - 2
    heads = "hp" + " " * (BAR + 1 if columns.bar else 0)
    heads += f" {'AC':>{ARMOUR}}" if columns.armour else ""
    heads += " conditions" if columns.held > len("conditions") else ""
    used = sum(cells(t) for t, _ in line)
    if used + 1 > at:
        return line
    return clip((*line, (" " * (at - used), "text"), (heads, "muted")), width, scene.glyphs.ellipsis)

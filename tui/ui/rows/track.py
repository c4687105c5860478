"""The track as lines: who acts when, how hurt, what with; each value in a column of its own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tui.core.fight.agenda import TrackRow, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, label, unacted
from tui.core.fight.viewer import GAME_MASTER, sentences, text
from tui.core.views.lineup import ShownRow, lineup
from tui.ui.rows.creatures import BAR, bar, held, ink, of_several, short, title
from tui.ui.state.layout import content
from tui.ui.state.scene import (
    Scene,
    current_entry,
    rows_pane,
    selection_mark,
    side_mark,
    side_of_key,
    spoken_words,
    spots,
    window,
)
from tui.ui.text.glyphs import STATES, state_sign
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, filled, fit, fitted, span

NUMBERS, WIDE = 34, 58
"""Columns of the pane from which on there are numbers, and bars and armour class."""

NAME, POINTS, ARMOUR = 12, 7, 3
"""Columns that names, hit points and armour class have at least, where there is room."""

BARE = 6
"""Columns before the name where there are neither places nor numbers."""

REASON = 40
"""Blank columns behind the conditions from which on they say why a row stands where it stands."""


class Columns(Struct, frozen=True):
    """The columns of each value. `head`: those before the name; `wide`: there is room for bars."""

    head: int
    name: int
    points: int
    held: int
    wide: bool = False
    armour: int = 0


class Seat(Struct, frozen=True):
    """A row that is shown: its spot, its name, its living members, and what holds them."""

    spot: ShownRow
    name: str
    people: tuple[Combatant, ...]
    held: tuple[Piece, ...]

    @property
    def entry(self) -> str:
        """The key of the row."""
        return self.spot.row.entry


def track(scene: Scene, width: int, height: int, *, bare: bool = False) -> list[Row]:
    """The rows that hold the current and the acting one, below a title unless they are `bare`."""
    found = spots(scene)
    if not found:
        rows = [clip(((f" {_empty(scene)}", "muted"),), width, scene.glyphs.ellipsis)]
        return filled(rows if bare else [title(scene, "track", "Track", width), *rows], height)
    room = height if bare else height - 1
    at = current_entry(scene, [x.row for x in found])
    kept, left = _folded(found, at, room)
    shown = window([x.row.entry for x in kept], at, scene.encounter.acting, room - bool(left))
    seats = seats_of(scene, [kept[i] for i in shown])
    columns = measure(scene, seats, width)
    cursor = at if content(rows_pane(scene)) == "entries" else ""
    rows = [row(scene, seat, columns, width, cursor=seat.entry == cursor) for seat in seats]
    rows += [_rest(scene, left, columns, width)] if left else []
    if bare:
        return filled(rows, height)
    cut = span(shown[0], len(shown), len(kept), scene.glyphs) if shown else ()
    return filled([_title(scene, columns, width, cut), *rows], height)


def need(scene: Scene) -> int:
    """The lines that the pane would like to have, its title among them."""
    return 1 + max(1, len(spots(scene)))


def _empty(scene: Scene) -> str:
    if scene.view.filter:
        return "Nobody fits the filter: Esc clears it"
    if scene.encounter.running:
        return "Nobody has a place yet"
    return f"Empty until the fight begins: [{scene.keys.get('begin', ':begin')}]"


def _folded(found: list[ShownRow], at: str, room: int) -> tuple[list[ShownRow], list[ShownRow]]:
    """The rows, and those that are only counted: where not all have room, who is in reserve or out gives way."""
    away = [x for x in found if x.row.state in ("staged", "out")]
    here = [x for x in found if x.row.state not in ("staged", "out")]
    if len(found) <= room or room < 3 or len(away) < 2 or not here or at in {x.row.entry for x in away}:
        return found, []
    return here, away


def _rest(scene: Scene, left: Sequence[ShownRow], columns: Columns, width: int) -> Row:
    """How many are in reserve, and how many out."""
    said = []
    for state, words in (("staged", "in reserve"), ("out", "out")):
        if many := sum(len(x.row.members) for x in left if x.row.state == state):
            said.append(f"{many} {words}")
    return clip(((" " * columns.head + ", ".join(said), "muted"),), width, scene.glyphs.ellipsis)


# --- what a row says


def seats_of(scene: Scene, found: Sequence[ShownRow]) -> list[Seat]:
    """The rows with what they say."""
    return [_seat(scene, spot) for spot in found]


def _seat(scene: Scene, spot: ShownRow) -> Seat:
    e, r = scene.encounter, spot.row
    people = tuple(c for k in r.members if (c := e.combatants.get(k)))
    if spot.outer:
        words: list[Piece] = [(f"{len(unacted(people))} of {len(people)} to act", STATES[r.state].role)]
    else:
        words = held(scene, people, r.state, wide=False)
    words += [(word, "text") for word in spoken_words(scene, r.entry)]
    return Seat(spot, name(scene, r), people, tuple(words))


def name(scene: Scene, r: TrackRow) -> str:
    """The name; of a group also how many of it there are."""
    called = label(scene.encounter, r.entry)
    group = r.entry.startswith(SIDE) and any(c.group == called for c in scene.encounter.combatants.values())
    return f"{called} {scene.glyphs.times}{len(r.members)}" if group else called


# --- columns


def measure(scene: Scene, seats: Sequence[Seat], width: int) -> Columns:
    """The columns for these rows: what one of them leaves blank the others have."""
    numbered = lineup(scene.encounter, scene.system).numbered and width >= NUMBERS
    head = (13 if width >= 44 else 11) if numbered else BARE
    most = max((len(of_several(s.people, scene.glyphs)) for s in seats), default=0)
    points = max(POINTS, most) if most else 0
    wide = width >= WIDE and points > 0
    armour = ARMOUR if wide and any(c.ac is not None for s in seats for c in s.people) else 0
    room = width - 1 - head - (points and points + 1) - (BAR + 1 if wide else 0) - (armour and armour + 1)
    names = max((cells(s.name) for s in seats), default=0)
    told = max((_length(s.held, ", " if wide else " ") for s in seats), default=0)
    least = NAME + (0 if head > 6 else 7)
    if room < NAME + 2:
        return Columns(head, max(0, room), points, 0, wide, armour)
    room -= 1
    if names + told <= room:
        taken = max(names, min(least, room - told))
    else:
        taken = min(names, max(min(least, room * 3 // 5), room - told))
    return Columns(head, taken, points, room - taken, wide, armour)


def _length(told: Sequence[Piece], joint: str) -> int:
    return sum(cells(text) for text, _ in told) + len(joint) * max(0, len(told) - 1)


def _title(scene: Scene, columns: Columns, width: int, cut: tuple[Piece, ...]) -> Row:
    """The name of the pane, whose side's turn it is, and over the columns what they hold."""
    side = scene.system.turn_side(scene.encounter) if scene.encounter.running else ""
    turn = text(scene.encounter, say("{0}'s turn", SIDE + side)) if side and columns.head == BARE else ""
    whose: tuple[Piece, ...] = ((turn, "muted"),) if turn else ()
    more = [*whose, *cut]
    line = title(scene, "track", "Track", width, *more)
    if not columns.points or scene.glyphs.spoken:
        return line
    at = columns.head + columns.name + 1 + columns.points - 2
    heads = "hp" + " " * (BAR + 1 if columns.wide else 0)
    heads += f" {'AC':>{ARMOUR}}" if columns.armour else ""
    heads += " conditions" if columns.held > len("conditions") else ""
    used = sum(cells(t) for t, _ in line)
    if used + 1 > at:
        return line
    return clip((*line, (" " * (at - used), "text"), (heads, "muted")), width, scene.glyphs.ellipsis)


# --- one row


def row(scene: Scene, seat: Seat, columns: Columns, width: int, *, cursor: bool) -> Row:
    """Cursor, selection, state, place, number, side, name, hit points, what holds it."""
    g, r = scene.glyphs, seat.spot.row
    role = _role(seat, columns)
    line: list[Piece] = [
        (g.cursor if cursor else " ", "focus"),
        selection_mark(scene, r.entry),
        *_head(scene, seat, columns),
        (short(seat.name, columns.name, g.ellipsis), role),
    ]
    if columns.points:
        shown = "" if seat.spot.outer else of_several(seat.people, g)
        line.append((f" {fit(shown, columns.points, g.ellipsis):>{columns.points}}", ink(seat.people)))
    if columns.wide:
        line += [(" ", "text"), bar(() if seat.spot.outer else seat.people, g)]
    if columns.armour:
        armour = {c.ac for c in seat.people if c.ac is not None}
        line.append((f" {armour.pop() if len(armour) == 1 else '':>{ARMOUR}}", "text"))
    if columns.held:
        line += [(" ", "text"), *_told(scene, seat, columns)]
    return clip(line, width, g.ellipsis)


def _role(seat: Seat, columns: Columns) -> Role:
    """The role of a row's state and name.

    In an order of places a row's own place says that it is over: names that keep their ink are not sent again when a
    round begins, which takes 223 bytes instead of 315 for ten rows.
    """
    state = seat.spot.row.state
    return "text" if state == "done" and columns.head > BARE else STATES[state].role


def _head(scene: Scene, seat: Seat, columns: Columns) -> list[Piece]:
    """State, place, number and side, in exactly so many columns as there are before the name."""
    spot = seat.spot
    state: Piece = (state_sign(scene.glyphs, spot.row.state), _role(seat, columns))
    if spot.inner:
        return [(" " * (columns.head - 4), "text"), state, (" ", "text")]
    side = side_mark(scene, side_of_key(scene.encounter, spot.row.entry))
    if columns.head == BARE:
        return [state, (" ", "text"), side, (" ", "text")]
    place = f"{spot.place or '':>2}"
    value = scene.glyphs.owed if spot.owed else f"{spot.row.value}" if spot.place else ""
    blank = " " if columns.head == 13 else ""
    return [state, (f"{blank}{place}{blank}{value:>3} ", "text"), side, (" ", "text")]


def _told(scene: Scene, seat: Seat, columns: Columns) -> list[Piece]:
    """What holds the row; behind it, where enough columns would stay blank, why it stands there."""
    joint = ", " if columns.wide else " "
    told = fitted(seat.held, columns.held, scene.glyphs.ellipsis, joint)
    room = columns.held - _length(told, "")
    if room < REASON:
        return told
    why = sentences(scene.encounter, seat.spot.row.why, GAME_MASTER)
    # Half a reason is none; the whole one is a key away.
    return [*told, ("  " if told else "", "text"), (why, "muted")] if cells(why) + 2 <= room else told

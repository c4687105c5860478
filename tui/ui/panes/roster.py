"""The roster: a row for each creature."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.base.text import LONGEST_LINE
from tui.core.language.values import spell
from tui.core.table import Creature
from tui.ui.panes.creatures import row_style, title
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room, content
from tui.ui.state.scene import (
    Scene,
    current_creature,
    focus,
    page,
    people,
    rows_pane,
    selection_mark,
    side_mark,
    spoken_words,
)
from tui.ui.text.glyphs import state_sign
from tui.ui.text.held import HIDDEN_WORD, bar, held, name_state, points
from tui.ui.text.held import numbers as known_points
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Piece, Row, cells, clip, fit_pieces, pad_rows, short, span
from tui.ui.text.track import BAR, state_role

WIDE, BARS = 54, 44
"""The widths in columns from which there are more numbers, and from which there are bars."""
ROOMY_WIDTH = 70
WORDY_WIDTH = 20
"""The columns for conditions from which marks are words; with fewer, concentration is a sign."""


def roster(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the title with the sides, and the page with the current creature."""
    some = people(scene)
    if not some:
        add = f"No creatures yet: [{scene.keys.get('add', ':add')}] add 5 Orc"
        text = "No row matches the filter: Esc clears it" if scene.view.filter else add
        empty = clip(((f" {text}", "muted"),), width, scene.glyphs.ellipsis)
        return pad_rows([title(scene, "roster", "Roster", width), empty], height)
    at = current_creature(scene, some)
    place = next((i for i, c in enumerate(some) if c.id == at), 0)
    first = page(place, height - 1, len(some))
    seen = some[first : first + max(0, height - 1)]
    cursor = at if content(rows_pane(scene)) == "creatures" else ""
    cut = span(first, len(seen), len(some), scene.glyphs)
    head = title(scene, "roster", "Roster", LONGEST_LINE, *cut, _count_sides(scene, has_names=True))
    if sum(cells(text) for text, _ in head) >= width:
        # The sign of a side says the same as its name; a cut number is wrong.
        sides = _count_sides(scene, has_names=False)
        head = title(scene, "roster", "Roster", LONGEST_LINE, *cut, sides)
        more = () if cut and sum(cells(text) for text, _ in head) >= width else (sides,)
        head = title(scene, "roster", "Roster", width, *cut, *more)
    states = _states(scene)
    return pad_rows([head, *(draw_creature(scene, c, width, cursor, states) for c in seen)], height)


def _states(scene: Scene) -> dict[str, str]:
    """Return the state of every creature in the order of turns, by id; {} before the fight."""
    act = {c.id for c in scene.table.combatants if c.name in scene.table.actors}
    result: dict[str, str] = {}
    for row in scene.order.rows:
        for key in row.members:
            # The row of a side says less than those of its members; not all of a row may act.
            resting = row.state == "now" and act and key not in act
            if row.inner or key not in result:
                result[key] = "done" if resting else row.state
    return result


def wanted_rows(scene: Scene) -> int:
    """Return the number of lines that the pane can use, with its title."""
    return 1 + max(1, len(people(scene)))


def _count_sides(scene: Scene, *, has_names: bool) -> Piece:
    """Return for each side its sign, its name if `has_names`, and how many creatures are not out."""
    counts: dict[str, int] = {}
    for c in scene.table.combatants:
        counts[c.side] = counts.get(c.side, 0) + (not c.out)
    texts = [f"{side_mark(scene, x)[0]} {f'{x} ' if has_names else ''}{many}" for x, many in counts.items()]
    return (" ".join(texts), "muted")


def draw_creature(
    scene: Scene, c: Creature, width: int, cursor: str, states: Mapping[str, str] | None = None
) -> Row:
    """Return the row of a creature: cursor, selection, state, side, name, hit points, conditions.

    Wide rows have more columns.
    """
    ellipsis = scene.glyphs.ellipsis
    wide = width >= WIDE
    # The sign of the state takes a column of the name, so that the conditions stay in theirs.
    narrow = min(13, width // 3) if states else min(16, width // 3 + 1)
    name = 20 if width >= ROOMY_WIDTH else 16 if wide else max(8, narrow)
    state = (states or {}).get(c.id, "")
    signs: tuple[Piece, ...] = ()
    if states:
        # A waiting creature needs no sign, because the track shows it.
        sign = " " if state == "waits" else state_sign(scene.glyphs, state)
        signs = ((sign, state_role(state)), (" ", "text"))
    bars = BAR + 1 if width >= BARS else 0
    room = max(0, width - name - 5 - 8 - bars - len(signs))
    words = _state_words(scene, c, room, state)
    role: Role = "down" if c.out or c.hp == 0 else "hidden" if c.hidden else "text"
    role = "acting" if state == "now" else role
    line: list[Piece] = [
        (scene.glyphs.cursor if cursor and c.id == cursor else " ", "focus"),
        selection_mark(scene, c.id),
        *signs,
        side_mark(scene, c.side),
        (" ", "text"),
        (short(c.name, name, ellipsis) + " ", role),
        (f"{points((c,), scene.glyphs)[0]:>7} ", "text"),
        *((bar(known_points((c,)), scene.glyphs), (" ", "text")) if bars else ()),
    ]
    more: list[Piece] = [("  " if words else "", "text"), (_describe(scene, c), "muted")] if wide else []
    return clip([*line, *words, *more], width, ellipsis)


def _state_words(scene: Scene, c: Creature, room: int, state: str) -> list[Piece]:
    """Return as many words as fit: HIDDEN_WORD, then `out` or `dead`, then conditions and marks."""
    style = row_style(scene, wide=room >= WORDY_WIDTH)
    known = [x for x in held(style, (c,), state) if x[0] != name_state(c)]
    secret = [x for x in known if x[0] == HIDDEN_WORD]
    pieces = [*secret, (f"{scene.glyphs.out} {name_state(c)}", "down")] if c.out else secret
    pieces += [x for x in known if x[0] != HIDDEN_WORD]
    pieces += [(x, "text") for x in spoken_words(scene, c.id)]
    return fit_pieces(pieces, room, scene.glyphs.ellipsis) if pieces else []


def _describe(scene: Scene, c: Creature) -> str:
    """Return armour class, fields, note, group and player as text."""
    texts = [f"AC {c.ac}" if isinstance(c.ac, int) else ""]
    fields = c.fields or {}
    texts += [
        f"{f.key} {spell(fields[f.key])}" for f in scene.system.fields if f.key in fields and f.key != "kind"
    ]
    return " ".join(t for t in [*texts, c.note, f"@{c.group}" if c.group else "", *c.owners] if t)


def _ask(scene: Scene, room: Room) -> Ask | None:
    if not scene.table.running:
        # Before the fight it has focus and is in the place of the track.
        return Ask(wanted_rows(scene) + bool(_difficulty(scene)), "left", 0)
    # The track says as much of each creature, and card and orders need the lines.
    if room.kind == "wide" and rows_pane(scene) == "roster":
        return Ask(wanted_rows(scene), "right", 3)
    return Ask(wanted_rows(scene), "left", 2) if room.kind == "narrow" and focus(scene) == "roster" else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    hard = "" if scene.table.running else _difficulty(scene)
    if not hard or box.height < LEAST_HEIGHT:
        return roster(scene, box.width, box.height)
    line = clip(((f" {hard}", "muted"),), box.width, scene.glyphs.ellipsis)
    return [*roster(scene, box.width, box.height - 1), line]


LEAST_HEIGHT = 4
"""The least height in rows at which the last row says how hard a prepared fight is."""


def _difficulty(scene: Scene) -> str:
    """Return how hard the fight is in one line; "" if nothing can be said."""
    text = scene.table.difficulty.text
    return text if isinstance(text, str) else ""


PANE = Pane("roster", _ask, _draw, tab=2)

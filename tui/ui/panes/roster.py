"""The roster as lines: hit points as a bar in text, conditions, marks; more of each where there is room."""

from __future__ import annotations

from tui.core.fight.combatant import Combatant, Condition
from tui.core.fight.encounter import label
from tui.core.language.values import show
from tui.ui.panes.folding import folded
from tui.ui.panes.titles import span, title
from tui.ui.state.layout import content
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece, Row, clip, column, filled
from tui.ui.state.scene import Scene, current_creature, page, people, row_key, rows_pane, side_mark
from tui.ui.state.words import HIDDEN, short_marks, spoken_marks

WIDE = 54
ROOMY = 70
BAR = 5


def roster(scene: Scene, width: int, height: int) -> list[Row]:
    """The title with the sides, and the page that holds the current creature."""
    found = people(scene)
    if not found:
        text = "Nobody fits the filter: Esc clears it" if scene.view.filter else _invitation(scene)
        empty = clip(((f" {text}", "muted"),), width, scene.glyphs.ellipsis)
        return filled([title(scene, "roster", "Roster", width), empty], height)
    at = current_creature(scene, found)
    place = next((i for i, c in enumerate(found) if c.id == at), 0)
    first = page(place, height - 1, len(found))
    shown = found[first : first + max(0, height - 1)]
    cursor = at if content(rows_pane(scene)) == "creatures" else ""
    head = title(scene, "roster", "Roster", width, *_counts(scene, first, len(shown), len(found)))
    return filled([head, *(person(scene, c, width, cursor) for c in shown)], height)


def _counts(scene: Scene, first: int, shown: int, total: int) -> list[Piece]:
    left_out: list[Piece] = [*span(first, shown, total)]
    gap: list[Piece] = [(" ", "border")] if left_out else []
    return [*left_out, *gap, *_sides(scene)]


def _invitation(scene: Scene) -> str:
    return f"Nobody is here yet: [{scene.keys.get('add', ':add')}] add 5 Orc"


def _sides(scene: Scene) -> list[Piece]:
    """Mark, name and number of those who are not out, of every side."""
    counts: dict[str, int] = {}
    for c in scene.encounter.combatants.values():
        counts[c.side] = counts.get(c.side, 0) + (not c.out)
    pieces: list[Piece] = []
    for side, number in counts.items():
        mark, role = side_mark(scene, side)
        pieces.append((f"{' ' if pieces else ''}{mark} {side} {number}", role))
    return pieces


def person(scene: Scene, c: Combatant, width: int, cursor: str) -> Row:
    """One creature: cursor, mark, side, name, hit points, what holds it; fields and note when there is room.

    Of a folded group one row for all of it.
    """
    ellipsis = scene.glyphs.ellipsis
    key = row_key(scene, c)
    if key != c.id:
        c, held = folded(scene, key)
    else:
        held = _held(scene, c)
    role: Role = "down" if c.out or c.hp == 0 else "hidden" if c.hidden else "text"
    wide = width >= WIDE
    name = 20 if width >= ROOMY else 16 if wide else max(8, min(15, width // 3))
    line: list[Piece] = [
        (scene.glyphs.cursor if cursor and c.id == cursor else " ", "focus"),
        (scene.glyphs.selected, "selected") if key in scene.view.selected else (" ", "text"),
        side_mark(scene, c.side),
        (" ", "text"),
        column(c.name, name, role, ellipsis),
        *_points(scene, c),
    ]
    more: list[Piece] = [("  " if held else "", "text"), (_more(scene, c), "muted")] if wide else []
    return clip([*line, *held, *more], width, ellipsis)


def _points(scene: Scene, c: Combatant) -> list[Piece]:
    """`12/18 ███░░ `; blank where there are none."""
    if c.hp is None:
        return [(" " * (8 + BAR + 1), "text")]
    temp = f"+{c.temp_hp}" if c.temp_hp else ""
    top = c.max_hp or c.hp or 1
    # Rounded up: whoever has one point left still has a piece of bar.
    full = -(-BAR * min(c.hp, top) // top)
    role: Role = "hp-good" if 2 * c.hp > top else "hp-mid" if 4 * c.hp > top else "hp-low"
    numbers = f"{c.hp}/{top}{temp}"
    bar = scene.glyphs.full * full + scene.glyphs.empty * (BAR - full)
    return [(f"{numbers:>7} ", "text"), (bar, role), (" ", "text")]


def _held(scene: Scene, c: Combatant) -> list[Piece]:
    """Out, hidden, marks, conditions: each with a word."""
    words: list[Piece] = []
    if c.out:
        words.append((f"{scene.glyphs.out} out", "down"))
    elif c.hp == 0:
        words.append(("0 HP: down", "down"))
    if c.arrives > scene.encounter.round:
        words.append((f"in round {c.arrives}", "muted"))
    if c.value is not None:
        words.append((f"fixed {c.value}", "muted"))
    words += [(mark.short, "alarm" if mark.alarming else "text") for mark in short_marks(scene, (c,))]
    words += [(HIDDEN, "hidden")] if c.hidden else []
    words += [_condition(scene, x) for x in c.conditions]
    words += [(x, "text") for x in spoken_marks(scene, c.id)]
    return [piece for word in words for piece in (word, (" ", "text"))][:-1]


def _condition(scene: Scene, x: Condition) -> Piece:
    left = f" {x.rounds}" if x.rounds else ""
    if x.name.lower() == "concentration":
        return (f"{scene.glyphs.concentration} concentration{left}", "concentration")
    of = f" of {label(scene.encounter, x.of)}" if x.of else ""
    return (f"{x.name}{left}{of}", "condition")


def _more(scene: Scene, c: Combatant) -> str:
    """Armour, fields, note, group, player."""
    told = [f"AC {c.ac}" if c.ac is not None else ""]
    told += [
        f"{f.key} {show(c.fields[f.key])}"
        for f in scene.system.fields
        if f.key in c.fields and f.key != "kind"
    ]
    return " ".join(t for t in [*told, c.note, f"@{c.group}" if c.group else "", c.owner] if t)

"""The roster while it has the keys: a line for each, with hit points, what holds them, and more where there is room."""

from __future__ import annotations

from tui.core.fight.combatant import Combatant
from tui.core.language.values import show
from tui.ui.panes.creatures.everybody import everybody
from tui.ui.panes.creatures.everybody import need as list_need
from tui.ui.panes.creatures.folding import folded
from tui.ui.panes.creatures.held import held
from tui.ui.panes.creatures.names import short
from tui.ui.panes.creatures.points import BAR, bar, points
from tui.ui.panes.titles import title
from tui.ui.state.layout import content
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece, Row, clip, filled, fitted, span
from tui.ui.state.scene import (
    Scene,
    current_creature,
    page,
    people,
    row_key,
    rows_pane,
    selection_mark,
    side_mark,
)
from tui.ui.state.words import spoken_words

WIDE = 54
ROOMY = 70


def roster(scene: Scene, width: int, height: int) -> list[Row]:
    """The title with the sides, and the page that holds the current creature."""
    found = people(scene)
    if found and short_list(scene):
        return everybody(scene, width, height)
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


def short_list(scene: Scene) -> bool:
    """Whether the roster is a list of kinds: while the fight runs and the keys are elsewhere."""
    return scene.encounter.running and rows_pane(scene) != "roster"


def need(scene: Scene) -> int:
    """Return the lines that the pane would like to have, its title among them; the same whether it has the keys or not.

    No pane moves because the cursor does: the list of everybody scrolls where the list of kinds has stood.
    """
    return list_need(scene) if scene.encounter.running else 1 + max(1, len(people(scene)))


def _counts(scene: Scene, first: int, shown: int, total: int) -> list[Piece]:
    left_out: list[Piece] = [*span(first, shown, total, scene.glyphs)]
    return [*left_out, ("".join(text for text, _ in _sides(scene)), "muted")]


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
    wide = width >= WIDE
    name = 20 if width >= ROOMY else 16 if wide else max(8, min(15, width // 3))
    room = max(0, width - name - 5 - 8 - BAR - 1)
    if key != c.id:
        c, told = folded(scene, key)
        said = fitted(told, room, ellipsis) if told else []
    else:
        said = _held(scene, c, room)
    role: Role = "down" if c.out or c.hp == 0 else "hidden" if c.hidden else "text"
    line: list[Piece] = [
        (scene.glyphs.cursor if cursor and c.id == cursor else " ", "focus"),
        selection_mark(scene, key),
        side_mark(scene, c.side),
        (" ", "text"),
        (short(c.name, name, ellipsis) + " ", role),
        *_points(scene, c),
    ]
    more: list[Piece] = [("  " if said else "", "text"), (_more(scene, c), "muted")] if wide else []
    return clip([*line, *said, *more], width, ellipsis)


def _points(scene: Scene, c: Combatant) -> list[Piece]:
    """`12/18 ━━───`; blank where there are none."""
    if c.hp is None:
        return [(" " * (8 + BAR + 1), "text")]
    return [(f"{points(c):>7} ", "text"), bar((c,), scene.glyphs), (" ", "text")]


def _held(scene: Scene, c: Combatant, room: int) -> list[Piece]:
    """Out, marks, conditions, hidden: each with a word, as many as have room."""
    told: list[Piece] = [(f"{scene.glyphs.out} out", "down")] if c.out else []
    told += [x for x in held(scene, (c,), wide=True) if x[0] != "out"]
    told += [(x, "text") for x in spoken_words(scene, c.id)]
    return fitted(told, room, scene.glyphs.ellipsis) if told else []


def _more(scene: Scene, c: Combatant) -> str:
    """Armour, fields, note, group, player."""
    told = [f"AC {c.ac}" if c.ac is not None else ""]
    told += [
        f"{f.key} {show(c.fields[f.key])}"
        for f in scene.system.fields
        if f.key in c.fields and f.key != "kind"
    ]
    return " ".join(t for t in [*told, c.note, f"@{c.group}" if c.group else "", c.owner] if t)

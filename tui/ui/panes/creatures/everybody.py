"""The roster in few lines: everybody with what the track lacks, those who are alike in one line."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.combatant import Combatant
from tui.core.language.values import show
from tui.ui.panes.creatures.names import alike, kind_of, short
from tui.ui.panes.titles import span, title
from tui.ui.state.columns import cells, fit
from tui.ui.state.rows import Piece, Row, clip, filled
from tui.ui.state.scene import Scene, page, people, side_mark

NAME = 12
ARMOUR = 3
LEAST = 3
"""Lines below which the list is not worth its title."""

Kind = tuple[object, ...]


def everybody(scene: Scene, width: int, height: int) -> list[Row]:
    """The title with how many there are, and a line for each kind."""
    found = list(kinds(scene).values())
    here = [c for c in scene.encounter.combatants.values() if not c.out]
    away = len(scene.encounter.combatants) - len(here)
    count = f"all {len(scene.encounter.combatants)}" + (f", {away} out" if away else "")
    room = height - 1
    # A page that holds who acts, so that nobody has to look for him.
    at = next((i for i, some in enumerate(found) if any(c.id == scene.encounter.acting for c in some)), 0)
    first = page(at, room, len(found))
    shown = found[first : first + max(0, room)]
    cut = span(first, len(shown), len(found), scene.glyphs)
    armour = any(c.ac is not None for some in found for c in some)
    head = title(scene, "roster", "Roster", width, cut[0] if cut else (count, "muted"))
    if armour:
        used = sum(cells(text) for text, _ in head)
        head = clip((*head, (f"{'AC':>{max(0, width - used)}}", "muted")), width, scene.glyphs.ellipsis)
    return filled([head, *(_line(scene, some, width, armour=armour) for some in shown)], height)


def need(scene: Scene) -> int:
    """The lines that the list would like to have, its title among them."""
    return 1 + len(kinds(scene))


def kinds(scene: Scene) -> dict[Kind, list[Combatant]]:
    """Everybody, those of one kind together who differ in nothing that is told here."""
    found: dict[Kind, list[Combatant]] = {}
    for c in people(scene):
        told = tuple(sorted((k, show(v)) for k, v in c.fields.items()))
        found.setdefault((kind_of(c.name), c.side, c.group, c.owner, c.ac, c.note, told), []).append(c)
    return found


def _line(scene: Scene, some: Sequence[Combatant], width: int, *, armour: bool) -> Row:
    g, first = scene.glyphs, some[0]
    name = alike([c.name for c in some], g)
    out = sum(c.out for c in some)
    gone = ("out" if out == len(some) else f"{out} out") if out else ""
    said = [first.owner, gone, first.group, first.note]
    told = ", ".join(x for x in said if x)
    room = width - 3 - (ARMOUR + 1 if armour else 0)
    taken = max(NAME, min(cells(name), room - cells(told) - 1)) if told else room
    mark = side_mark(scene, first.side)
    line: list[Piece] = [(" ", "text"), mark, (" ", "text")]
    line.append((short(name, min(taken, room), g.ellipsis), "down" if out == len(some) else "text"))
    if told:
        rest = max(0, room - taken - 1)
        line.append((f" {fit(told, rest, g.ellipsis)}", "muted"))
    if armour and first.ac is not None:
        used = sum(cells(text) for text, _ in line)
        line.append((f"{first.ac:>{max(1, width - used)}}", "text"))
    return clip(line, width, g.ellipsis)

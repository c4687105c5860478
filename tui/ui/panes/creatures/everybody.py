"""The roster in few lines: everybody with what the track lacks, those who are alike in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tui.core.base.cache import remembered_once
from tui.core.fight.combatant import Combatant
from tui.core.language.values import show
from tui.ui.panes.creatures.names import alike, kind_of, short
from tui.ui.panes.titles import title
from tui.ui.state.columns import cells, fit
from tui.ui.state.rows import Piece, Row, clip, filled, span
from tui.ui.state.scene import Scene, page, people, side_mark

NAME = 12
NUMBER = 4
"""Columns of armour class and of each of the system's own numbers, a blank before it."""
SPACIOUS = 40
"""Columns from which on there are more than two numbers."""

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
    numbers = columns(scene, [c for some in found for c in some], width)
    head = title(scene, "roster", "Roster", width, cut[0] if cut else (count, "muted"))
    heads = "".join(f"{_head(key):>{NUMBER}}" for key in numbers)
    used = sum(cells(text) for text, _ in head)
    if used + len(heads) > width and not cut:
        head = title(scene, "roster", "Roster", width, (f"all {len(scene.encounter.combatants)}", "muted"))
        used = sum(cells(text) for text, _ in head)
    if used + len(heads) > width:
        numbers = ()  # a number without a heading says nothing
    elif numbers:
        head = (*head, (f"{heads:>{width - used}}", "muted"))
    return filled([head, *(_line(scene, some, width, numbers) for some in shown)], height)


def columns(scene: Scene, found: Sequence[Combatant], width: int) -> tuple[str, ...]:
    """What is told in numbers: armour class, and what the system asks of creatures, as far as there is room for it."""
    keys = ["ac"] if any(c.ac is not None for c in found) else []
    keys += [f.key for f in scene.system.fields if f.kind == "int" and any(f.key in c.fields for c in found)]
    return tuple(keys[: 4 if width >= SPACIOUS else 1 if keys[:1] == ["ac"] else 2])


def _head(key: str) -> str:
    return "AC" if key == "ac" else key[:3].capitalize()


def _number(c: Combatant, key: str) -> str:
    value = c.ac if key == "ac" else c.fields.get(key)
    return "" if value is None else f"{value}"


def need(scene: Scene) -> int:
    """The lines that the list would like to have, its title among them."""
    return 1 + len(kinds(scene))


def kinds(scene: Scene) -> dict[Kind, list[Combatant]]:
    """Everybody, those of one kind together who differ in nothing that is told here."""
    if scene.view.filter or scene.view.folded:
        return _sorted(people(scene))
    return _all(scene.encounter.combatants)


@remembered_once  # 1,000 creatures: asked twice by every picture, 1 ms each
def _all(combatants: Mapping[str, Combatant]) -> dict[Kind, list[Combatant]]:
    return _sorted(combatants.values())


def _sorted(some: Iterable[Combatant]) -> dict[Kind, list[Combatant]]:
    found: dict[Kind, list[Combatant]] = {}
    for c in some:
        told = tuple(sorted((k, show(v)) for k, v in c.fields.items())) if c.fields else ()
        found.setdefault((kind_of(c.name), c.side, c.group, c.owner, c.ac, c.note, told), []).append(c)
    return found


def _line(scene: Scene, some: Sequence[Combatant], width: int, numbers: Sequence[str]) -> Row:
    g, first = scene.glyphs, some[0]
    name = alike([c.name for c in some], g)
    out = sum(c.out for c in some)
    gone = ("out" if out == len(some) else f"{out} out") if out else ""
    said = [first.owner, gone, first.group, first.note]
    told = ", ".join(x for x in said if x)
    room = width - 3 - NUMBER * len(numbers)
    taken = max(NAME, min(cells(name), room - cells(told) - 1)) if told else room
    mark = side_mark(scene, first.side)
    line: list[Piece] = [(" ", "text"), mark, (" ", "text")]
    line.append((short(name, min(taken, room), g.ellipsis), "down" if out == len(some) else "text"))
    if told:
        rest = max(0, room - taken - 1)
        line.append((f" {fit(told, rest, g.ellipsis)}", "text"))
    told = "".join(f"{_number(first, key):>{NUMBER}}" for key in numbers)
    used = sum(cells(text) for text, _ in line)
    if told.strip():
        line.append((f"{told:>{max(0, width - used)}}", "text"))
    return clip(line, width, g.ellipsis)

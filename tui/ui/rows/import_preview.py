"""Show what an import has read, before it is kept."""

from __future__ import annotations

from tui.core.fight.combatant import StatBlock
from tui.exchange.gathering import Gathered
from tui.exchange.mapping import FIELD_TITLES
from tui.store.library.importing import origin
from tui.ui.rows.creatures import heading
from tui.ui.state.scene import Incoming, Scene
from tui.ui.state.view import ImportPreview
from tui.ui.text.palette import Role
from tui.ui.text.rows import Row, clip, filled, fit, pad, wrapped

NAME = 30
"""Columns of a creature's name."""
MOST_PASSED = 200
"""Files that hold nothing known, at the most, whose reasons are listed."""


def intake(scene: Scene, mode: ImportPreview, width: int, height: int) -> list[Row]:
    """Return the title, and the rows from `top` on; only those that are seen are made."""
    now = scene.incoming
    lines = _status_rows(now, width)
    count = len(lines) + _creatures(now)
    room = max(0, height - 1)
    top = max(0, min(mode.top, count - room))
    rows = [*lines[top : top + room]]
    first = max(0, top - len(lines))
    rows += [
        _creature(b, width, scene.glyphs.ellipsis) for b in _blocks(now)[first : first + room - len(rows)]
    ]
    more = f"{top + 1}{scene.glyphs.range}{top + len(rows)} of {count}" if count > room else ""
    head = heading(scene, f"Import: {now.names}" if now.names else "Import", width, more)
    return filled([head, *rows], height)


def _blocks(now: Incoming) -> tuple[StatBlock, ...]:
    return now.harvest.gathered.blocks if now.harvest else ()


def _creatures(now: Incoming) -> int:
    return len(_blocks(now))


def _status_rows(now: Incoming, width: int) -> list[Row]:
    """Return everything before the creatures themselves."""
    role: Role = "error" if now.stage == "refused" or (now.stage == "read" and now.status) else "text"
    text = f"{now.status}; {now.hint}" if now.hint else now.status
    rows: list[Row] = [((f" {row}", role),) for row in (wrapped(text, width - 2) if text else [])]
    if now.harvest is None:
        return rows
    held = now.harvest.gathered
    rows += [()] * bool(rows)
    rows += [((f" {title}: {many} creature{'s' * (many != 1)}", "title"),) for title, many in held.counts]
    rows += [((f"   {row}", "text"),) for row in wrapped(_mapped(held), width - 4)]
    bare = [b.name for b in held.blocks if b.hp is None]
    twice = [f"{x.name}: from {x.taken}, not from {x.left}" for x in held.clashes]
    for what, names in (
        ("Not taken, for another of the name came first ([o] takes the last of each)", twice[:MOST_PASSED]),
        ("Without hit points", bare),
        ("Cards cut, for they are too long", held.cut),
        ("Not read", now.harvest.passed[:MOST_PASSED]),
    ):
        rows += _listed(what, names, width)
    if left := len(now.harvest.passed) - MOST_PASSED:
        rows += [((f"   and {left} more", "warning"),)] * (left > 0)
    return [*rows, (), ((f" {'Creature':<{NAME}} {'hp':>5} {'AC':>4} {'init':>5}  from", "title"),)]


def _mapped(held: Gathered) -> str:
    """Return what goes where, with a number behind what not every creature has."""
    every = sum(many for _, many in held.counts)
    texts = (
        f"{FIELD_TITLES.get(target, target)} {origin(path)}" + (f" ({many})" if many < every else "")
        for target, path, many in held.rows
    )
    return f"{', '.join(texts)}; everything else is kept as the card."


def _listed(what: str, names: tuple[str, ...] | list[str], width: int) -> list[Row]:
    if not names:
        return []
    return [
        ((f" {what}: {len(names)}", "warning"),),
        *(((f"   {row}", "muted"),) for name in names for row in wrapped(name, width - 4)),
    ]


def _creature(block: StatBlock, width: int, ellipsis: str) -> Row:
    numbers = (block.hp, 5), (block.ac, 4), (block.initiative, 5)
    text = " ".join(f"{'' if value is None else value:>{wide}}" for value, wide in numbers)
    name = pad(fit(block.name, NAME, ellipsis), NAME)
    return clip(((f" {name} ", "text"), (text, "text"), (f"  {block.source}", "muted")), width, ellipsis)

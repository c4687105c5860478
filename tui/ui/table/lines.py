"""The rows of the order with who stands in them, and what holds those."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tui.ui.state.glyphs import STATES
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece
from tui.ui.table.look import Look
from tui.ui.table.page import PublicCreature, PublicPage, PublicRow

CONCENTRATION = "concentration"
_LATEST = 10**6
"""Weighs more than any number of rounds: what somebody has to end comes last."""


class TableLine(Struct, frozen=True):
    """A row that is shown. `inner`: a member below the row of its side."""

    row: PublicRow
    people: tuple[PublicCreature, ...]
    inner: bool = False


def lines(page: PublicPage) -> list[TableLine]:
    """The rows of the order, members below those of their side; without an order everybody in the fight."""
    if not page.state.track:
        return [_alone(c, "out" if c.out else "waits") for c in page.state.combatants]
    found: list[TableLine] = []
    for row in page.state.track:
        people = page.members(row)
        found.append(TableLine(row, people))
        if not any(row.entry in (c.name, c.group) for c in people):
            found += sorted((_inner(page, c) for c in people), key=lambda line: line.row.state == "done")
    shown = {name for line in found for name in line.row.members}
    rest = [c for c in page.state.combatants if c.name not in shown]
    found += [_alone(c, "staged") for c in rest if not c.out]
    grouped = {c.group for line in found for c in line.people if c.group}
    return [*found, *(_alone(c, "out") for c in rest if c.out and c.group not in grouped)]


def _alone(c: PublicCreature, state: str) -> TableLine:
    return TableLine(PublicRow(c.name, (c.name,), 0, 0, state), (c,))


def _inner(page: PublicPage, c: PublicCreature) -> TableLine:
    offered = {a.who for a in page.state.offer.acts}
    now = page.state.acting in (c.name, c.group or c.name)
    state = "now" if now else "may" if c.name in offered else "done" if "acted" in c.marks else "waits"
    return TableLine(PublicRow(c.name, (c.name,), 0, 0, state), (c,), inner=True)


# --- what holds them


def held(look: Look, line: TableLine) -> list[Piece]:
    """What alarms, the row's state, conditions by what is left of them, other marks; of several how many."""
    assert look.page
    found: dict[str, tuple[int, Role, int]] = {}
    for c in line.people:
        for weight, text, role in {word: x for x in _of(look, c, line) for word in (x[1],)}.values():
            before = found.get(text, (weight, role, 0))
            found[text] = (min(weight, before[0]), role, before[2] + 1)
    every, g = len(line.people), look.glyphs
    told: list[Piece] = [
        (text if many == every else f"{text} {g.times}{many}", role)
        for text, (_, role, many) in sorted(found.items(), key=lambda item: item[1][0])
    ]
    left = sum(not c.out and "acted" not in c.marks for c in line.people)
    if 0 < left < every and line.row.state not in ("staged", "out"):
        told.append((f"{left} of {every} to act", "may"))
    return [*_state(look, line), *told]


def _state(look: Look, line: TableLine) -> list[Piece]:
    """The word of a row's state, where its sign does not say it alone."""
    known = STATES.get(line.row.state)
    if known is None or not known.word or not (known.beside or look.glyphs.spoken):
        return []
    return [(known.word, known.role)]


def _of(look: Look, c: PublicCreature, line: TableLine) -> Iterator[tuple[int, str, Role]]:
    """The words of one creature, each with its weight: small ones come first."""
    assert look.page
    if c.out and line.row.state != "out":
        yield (1, "out", "down")
    if c.arrives > look.page.state.round:
        yield (1, f"round {c.arrives}", "muted")
    for mark in c.marks:
        known = look.page.words.marks.get(mark)
        if known and known.short:
            yield (2, known.short, "alarm") if known.alarming else (_LATEST + 1, known.short, "text")
    for x in c.conditions:
        left = f" {x.rounds}" if x.rounds else ""
        if x.name.lower() == CONCENTRATION:
            yield (3, "concentrating" + left, "concentration")
        else:
            yield (3 + (x.rounds or _LATEST - 3), x.name + left, "condition")
    if c.hidden:
        yield (_LATEST + 2, "hidden", "hidden")

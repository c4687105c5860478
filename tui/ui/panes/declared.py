"""Orders as they are shown: the one being carried out whole, the others line by line, in the order of the track."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.core.fight.agenda import FormAsk, OrderRow
from tui.core.fight.encounter import label
from tui.core.fight.viewer import GAME_MASTER
from tui.core.views.json import readable
from tui.ui.state.columns import cells, pad
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece, Row, wrapped
from tui.ui.state.scene import Scene, due

OR_ELSE = re.compile(r"[,;.]? or else,? ", re.IGNORECASE)
_STATES: dict[str, Role] = {
    "owed": "warning", "written": "ok", "locked": "ok", "now": "acting", "done": "acted", "void": "down",
}  # fmt: skip
_TURN = {"now": 0, "done": 2, "void": 2}
"""What is being resolved is read first, what is over comes last."""
NAME = 12
_SEALED = ("written", "locked")


def order_rows(scene: Scene) -> list[OrderRow]:
    """The orders of this round, those still owed among them, in the order in which they are read."""
    if not scene.encounter.running:
        return []
    found = readable(scene.encounter, scene.system, GAME_MASTER)
    known = {o.who for o in found}
    found += [OrderRow(a.who, "owed") for a in due(scene) if isinstance(a, FormAsk) and a.who not in known]
    place = {r.entry: i for i, r in enumerate(scene.system.rows(scene.encounter))} if found else {}
    # Within a state as on the track, so that the next order is found where the eye already is.
    return sorted(found, key=lambda o: (_TURN.get(o.state, 1), place.get(o.who, 0)))


def now_rows(scene: Scene, width: int) -> list[Row]:
    """The order that is being carried out: all of it, a component to a paragraph."""
    return [row for o in order_rows(scene) if o.state == "now" for row in _whole(o, width)]


def other_rows(scene: Scene, width: int) -> list[Row]:
    """The other orders, each whole, its name in a column of its own."""
    return [row for o in order_rows(scene) if o.state != "now" for row in _paragraph(scene, o, width)]


def written(scene: Scene, key: str) -> list[str]:
    """The order of one entry in words, for its card; nothing where there is none to be read."""
    found = next((o for o in order_rows(scene) if o.who == key), None)
    if found is None or found.state == "now":
        return []
    told = _text(scene, found)
    return [f"order {found.state}" + (f": {told}" if told else "")]


def _text(scene: Scene, o: OrderRow) -> str:
    """The order in one line; only that there is one, where the players could read it from the screen."""
    told = "; ".join(f"{k} {v}" for k, v in o.text.items() if v)
    return "(sealed)" if scene.view.masked and told and o.state in _SEALED else told


def _whole(o: OrderRow, width: int) -> Iterator[Row]:
    """Each component with its name in a column, what it falls back on in a line of its own."""
    told = {k: v for k, v in o.text.items() if v}
    if not told:
        yield ((" nothing", "muted"),)
    wide = min(NAME, max(map(cells, told), default=0))
    for key, value in told.items():
        head = pad(key, wide)
        for place, part in enumerate(OR_ELSE.split(value)):
            said = f"or else {part}" if place else part
            for line in wrapped(said, max(8, width - wide - 3)):
                yield ((f" {head}  ", "hint"), (line, "text"))
                head = " " * wide
    for warning in o.warnings:
        yield from (((f" ! {row}", "warning"),) for row in wrapped(warning, width - 4))


def _paragraph(scene: Scene, o: OrderRow, width: int) -> list[Row]:
    """State, name and text of an order; the text wrapped in its column."""
    g = scene.glyphs
    sign = {"owed": g.owed, "done": g.acted, "void": g.out}.get(o.state, g.waits)
    name = pad(label(scene.encounter, o.who), NAME, ellipsis=g.ellipsis)
    word = "" if o.state in ("locked", "done") and not g.spoken else o.state
    told = " ".join(x for x in (word if not o.text else "", _text(scene, o)) if x) or word or "nothing"
    told += f" ! {o.warnings[0]}" if o.warnings else ""
    rows = wrapped(told, max(8, width - NAME - 4))
    head: tuple[Piece, ...] = ((f" {sign} ", _STATES[o.state]), (f"{name} ", "text"))
    blank: tuple[Piece, ...] = ((" " * (NAME + 4), "text"),)
    role: Role = _STATES[o.state] if o.state == "owed" else "muted" if o.state in ("done", "void") else "text"
    return [(*(blank if i else head), (row, role)) for i, row in enumerate(rows)]

"""Show orders: the one being carried out whole, the others line by line, in the order of the track."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from tui.core.fight.agenda import FormAsk, OrderRow
from tui.core.fight.encounter import label
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.tokens import tokens
from tui.core.views.json import readable
from tui.ui.rows.creatures import HIDDEN, together
from tui.ui.state.scene import Scene, due
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, pad, wrapped

OR_ELSE = r"(?i)[,;.]? or else,? "
_STATES: dict[str, Role] = {
    "owed": "warning",
    "written": "ok",
    "locked": "ok",
    "now": "acting",
    "done": "acted",
    "void": "down",
}
_TURN = {"now": 0, "done": 2, "void": 2}
"""What is being resolved is read first, what is over comes last."""
NAME = 12
_SEALED = ("written", "locked")


def order_rows(scene: Scene) -> list[OrderRow]:
    """Return the orders of this round, those still owed among them, in the order in which they are read."""
    if not scene.encounter.running:
        return []
    found = readable(scene.encounter, scene.system, GAME_MASTER)
    known = {o.who for o in found}
    found += [OrderRow(a.who, "owed") for a in due(scene) if isinstance(a, FormAsk) and a.who not in known]
    place = {r.entry: i for i, r in enumerate(scene.system.rows(scene.encounter))} if found else {}
    # Within a state as on the track, so that the next order is found where the eye already is.
    return sorted(found, key=lambda o: (_TURN.get(o.state, 1), place.get(o.who, 0)))


def running_order(scene: Scene) -> bool:
    """Whether an order is being carried out."""
    return any(o.state == "now" for o in order_rows(scene))


def now_rows(scene: Scene, width: int) -> list[Row]:
    """Return the order being carried out, a paragraph for each component."""
    return [row for o in order_rows(scene) if o.state == "now" for row in _whole(o, width)]


class Interrupter(Struct, frozen=True):
    """Someone who may break in on the running turn: the key that does it, the creature, and with what.

    `shared`: several may do the same, which is written once behind all their names.
    """

    key: str
    name: str
    words: str
    hidden: bool
    shared: bool


def interrupters(scene: Scene) -> list[Interrupter]:
    """Return who may break in on the running turn, those of whom the players do not know first."""
    e = scene.encounter
    # Sealed orders were unsealed by the lock, but a screen that the players read shows none of them.
    if not e.turn or scene.view.masked:
        return []
    by_name = {c.name: c for c in e.combatants.values()}
    found: list[Interrupter] = []
    for verb in ("react", *(v.name for v in scene.system.verbs if v.interrupts)):
        key = scene.verbs.get(verb, f":{verb}")
        for choice in scene.system.choices(e, verb):
            name = tokens(choice.line)[1].text
            c = by_name.get(name)
            if c and c.id in e.turn.members:
                continue
            shared = verb == "react" and choice.title == name
            told = f"{choice.title} ({choice.note})" if choice.note else choice.title
            words = choice.note if shared else told
            found.append(Interrupter(key, name, words, bool(c and c.hidden), shared))
    return sorted(found, key=lambda x: not x.hidden)


def interrupting(scene: Scene, width: int) -> list[Row]:
    """Return who may break in, each behind the key; those who all may do the same in one row."""
    found = interrupters(scene)
    alike: dict[tuple[str, str, bool], list[str]] = {}
    for x in found:
        if x.shared:
            alike.setdefault((x.key, x.words, x.hidden), []).append(x.name)
    rows: list[Row] = []
    for x in found:
        if not x.shared:
            rows += _keyed(x.key, x.words, width, hidden=x.hidden)
        elif names := alike.pop((x.key, x.words, x.hidden), []):
            rows += _keyed(x.key, f"{together(names, scene.glyphs)}: {x.words}", width, hidden=x.hidden)
    return rows


def _keyed(key: str, told: str, width: int, *, hidden: bool) -> list[Row]:
    """Return a text behind its key, wrapped in a column of its own."""
    told = f"{HIDDEN} {told}" if hidden else told
    head: Piece = (f" {key} ", "key")
    blank: Piece = (" " * cells(head[0]), "text")
    seen = wrapped(told, max(8, width - cells(head[0]) - 1))
    return [(blank if i else head, (row, "hidden" if hidden else "text")) for i, row in enumerate(seen)]


def other_rows(scene: Scene, width: int) -> list[Row]:
    """Return the other orders, each whole, its name in a column of its own."""
    found = [o for o in order_rows(scene) if o.state != "now"]
    # No wider than the longest name here: what is left goes to the texts.
    wide = min(NAME, max((cells(label(scene.encounter, o.who)) for o in found), default=0))
    return [row for o in found for row in _paragraph(scene, o, width, wide)]


def written(scene: Scene, key: str) -> list[str]:
    """Return the order of one entry in words, for its card; nothing if there is none to be read."""
    found = next((o for o in order_rows(scene) if o.who == key), None)
    if found is None or found.state == "now":
        return []
    told = _text(scene, found)
    return [f"order {found.state}" + (f": {told}" if told else "")]


def _text(scene: Scene, o: OrderRow) -> str:
    """Return the order in one line; only that there is one while players may see the screen."""
    told = "; ".join(o.said(part) for part, v in o.text.items() if v)
    return "(sealed)" if scene.view.masked and told and o.state in _SEALED else told


def _whole(o: OrderRow, width: int) -> Iterator[Row]:
    """Each component with its name in a column, what it falls back on in a line of its own."""
    told = {k: v for k, v in o.text.items() if v}
    if not told:
        yield ((" nothing", "muted"),)
    wide = min(NAME, max(map(cells, told), default=0))
    for key, value in told.items():
        head = pad(key, wide)
        parts = [f"instead: {o.instead[key]}"] if key in o.instead else re.split(OR_ELSE, value)
        for place, part in enumerate(parts):
            said = f"or else {part}" if place else part
            for line in wrapped(said, max(8, width - wide - 3)):
                yield ((f" {head}  ", "hint"), (line, "text"))
                head = " " * wide
    for warning in o.warnings:
        yield from (((f" ! {row}", "warning"),) for row in wrapped(warning, width - 4))


def _paragraph(scene: Scene, o: OrderRow, width: int, wide: int) -> list[Row]:
    """State, name and text of an order; the text wrapped in its column."""
    g = scene.glyphs
    sign = {"owed": g.owed, "done": g.acted, "void": g.out}.get(o.state, g.waits)
    name = pad(label(scene.encounter, o.who), wide, ellipsis=g.ellipsis)
    word = "" if o.state in ("locked", "done") and not g.spoken else o.state
    told = " ".join(x for x in (word if not o.text else "", _text(scene, o)) if x) or word or "nothing"
    told += f" ! {o.warnings[0]}" if o.warnings else ""
    # One column less: what stands beside it begins with a letter.
    rows = wrapped(told, max(8, width - wide - 5))
    head: tuple[Piece, ...] = ((f" {sign} ", _STATES[o.state]), (f"{name} ", "text"))
    blank: tuple[Piece, ...] = ((" " * (wide + 4), "text"),)
    role: Role = _STATES[o.state] if o.state == "owed" else "muted" if o.state in ("done", "void") else "text"
    return [(*(blank if i else head), (row, role)) for i, row in enumerate(rows)]

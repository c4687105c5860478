"""A form or a board over the whole width: where it stands, and what stays of the fight above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tui.core.fight.agenda import FormAsk
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import active, label
from tui.core.fight.viewer import is_plural
from tui.ui.panes.titles import label_line
from tui.ui.state.layout import Box, Part, arrange
from tui.ui.state.rows import Row, clip, filled, wrapped
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import Form

LEAST = 8
"""Lines of the sheet, below which nothing else stands on the screen."""

MOST = 40
"""How many wounded are looked at: what cannot be seen is not worded."""

LOG = 4
LEAST_ABOVE = 4
"""Lines of the panes above a band."""

BESIDE: tuple[Part, ...] = ("track", "coming", "card", "orders", "roster", "second")
SUMMARY = 4
"""The most lines of the summary, its title among them."""


def sheet(width: int, height: int, need: int, above: int) -> dict[Part, Box]:
    """A box for every part while a sheet of `need` lines is open; `above` are the lines of the summary.

    The log keeps its least, and has what the others do not need; the summary stands in the place of the track.
    """
    found = arrange(width, height, only="orders")
    whole = found.get("orders")
    if whole is None:
        return found
    log = LOG if whole.height >= LEAST + LOG else 0
    room = whole.height - log
    # Of a summary that has no room beside all of the sheet one line stays, as long as the sheet can be used.
    top = above if need + above <= room else min(above, 2) if room >= LEAST + LOG else 0
    log += max(0, room - top - max(need, 1)) if log else 0
    y, size = whole.y + top, whole.height - top - log
    if top:
        found["track"] = Box(0, whole.y, width, top)
    found["orders"] = Box(0, y, width, size)
    if log:
        found["log"] = Box(0, y + size, width, log)
    return found


def band(found: Mapping[Part, Box], lines: int) -> dict[Part, Box]:
    """The boxes with a band of so many lines over the whole width above the log, in place of the order pane.

    What the log can spare goes first, then the panes give way. Without room for it everything stays as it was.
    """
    panes = {part: found[part] for part in BESIDE if part in found}
    top = min((box.y for box in panes.values()), default=0)
    bottom = max((box.y + box.height for box in panes.values()), default=0)
    width = max((box.x + box.width for box in found.values()), default=0)
    log = found.get("log")
    taken = min(lines, max(0, log.height - LOG)) if log else 0
    end, placed = bottom - (lines - taken), dict(found)
    if taken < lines and end - top < LEAST_ABOVE:
        return placed
    if log:
        placed["log"] = Box(log.x, log.y + taken, log.width, log.height - taken)
    order = placed.pop("orders", None)
    for part, box in panes.items():
        # The pane above the order pane has its room, as far as the band leaves any.
        above = order is not None and (box.x, box.y + box.height) == (order.x, order.y)
        if part != "orders":
            placed[part] = Box(
                box.x, box.y, box.width, (end if above else min(end, box.y + box.height)) - box.y
            )
    return {part: box for part, box in placed.items() if box.height > 0} | {
        "orders": Box(0, end, width, lines)
    }


def summary_need(scene: Scene, width: int) -> int:
    """The lines of the summary with its title; 0 where there is nothing to say."""
    rows = _lines(scene, width)
    return min(SUMMARY, 1 + len(rows)) if rows else 0


def summary(scene: Scene, width: int, height: int) -> list[Row]:
    """Who is hurt or has a condition, and who owes an order: what must not be lost from sight."""
    rows = _lines(scene, width)
    room = max(0, height - 1)
    if len(rows) > room > 0:
        rows = [*rows[: room - 1], f" {scene.glyphs.dot} ".join(rows[room - 1 :])]
    body: list[Row] = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in rows[:room]]
    return filled([label_line(scene, "Track", width), *body], height)


def _lines(scene: Scene, width: int) -> list[str]:
    e = scene.encounter
    acts = f"{label(e, e.acting)} {'act' if is_plural(e, e.acting) else 'acts'}" if e.turn else ""
    now = f" {scene.glyphs.dot} ".join(filter(None, (acts, _wounds(scene, active(e)))))
    return [row for text in (_owing(scene), now, *_said(scene)) if text for row in wrapped(text, width - 2)]


def _wounds(scene: Scene, people: Iterable[Combatant]) -> str:
    """Hit points and conditions of whoever is not unhurt; "" for nobody: what is not said is not the matter."""
    found = [c for c in people if c.conditions or (c.hp is not None and c.hp != c.most_hp)]
    said = [_of(c) for c in found[:MOST]]
    return f" {scene.glyphs.dot} ".join(said)


def _of(c: Combatant) -> str:
    hp = f" {c.hp}/{c.most_hp}" if c.hp is not None and c.hp != c.most_hp else ""
    return f"{c.name}{hp}" + (f" {', '.join(x.name for x in c.conditions)}" if c.conditions else "")


def _said(scene: Scene) -> list[str]:
    """What lies open of this round's orders, to be known before one's own is written."""
    e = scene.encounter
    if not isinstance(scene.view.mode, Form) or scene.view.mode.verb or not e.running:
        return []
    rows = [o for o in scene.system.orders(e) if o.open and o.state in ("written", "locked")]
    said = [
        f"{label(e, o.who)}: " + ", ".join(o.said(part) for part, v in o.text.items() if v)
        for o in rows
        if o.text
    ]
    return [f" {scene.glyphs.dot} ".join(said)] if said else []


def _owing(scene: Scene) -> str:
    """Who still owes an order, in the order of writing."""
    mode = scene.view.mode
    if not isinstance(mode, Form) or mode.verb:
        return ""
    owed = [label(scene.encounter, a.who) for a in due(scene) if isinstance(a, FormAsk)]
    return "still owed: " + ", ".join(owed) if owed else ""

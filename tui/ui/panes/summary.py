"""The summary beside a form: who is hurt, and who still owes an order."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.agenda import FormAsk
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import active, label, members
from tui.core.fight.viewer import is_plural
from tui.core.rules.optional import orders_of
from tui.ui.panes.creatures import HIDDEN, alike, kind_of, label_line
from tui.ui.panes.orders import on_a_sheet
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene, due
from tui.ui.text.rows import Box, Row, clip, filled, joined, wrapped
from tui.ui.text.track import aloud

MOST = 40
"""How many wounded are looked at: what cannot be seen is not worded."""

SUMMARY = 4
"""The most lines of the summary, its title among them; twice as many where orders are known already."""


def summary_need(scene: Scene, width: int) -> int:
    """Return the lines of the summary with its title; 0 where there is nothing to say."""
    rows = _lines(scene, width)
    most = 2 * SUMMARY if any(_order_lines(scene)) else SUMMARY
    return min(most, 1 + len(rows)) if rows else 0


def summary(scene: Scene, width: int, height: int) -> list[Row]:
    """Return who is hurt or has a condition, and who owes an order: what must not be lost from sight."""
    beside = "track" in scene.shown
    rows = _lines(scene, width, wounds=not beside)
    room = max(0, height - 1)
    shown = joined(rows, room, scene.glyphs.joint) if room else []
    body: list[Row] = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in shown]
    return filled([label_line(scene, "Written so far" if beside else "Track", width), *body], height)


def _lines(scene: Scene, width: int, *, wounds: bool = True) -> list[str]:
    e = scene.encounter
    acts = f"{label(e, e.acting)} {'act' if is_plural(e, e.acting) else 'acts'}" if e.turn else ""
    now = scene.glyphs.joint.join(filter(None, (acts, _wounds(scene, active(e))))) if wounds else ""
    foes, friends = _order_lines(scene)
    return [row for text in (_owing(scene), foes, now, friends) if text for row in wrapped(text, width - 2)]


def _wounds(scene: Scene, some: Iterable[Combatant]) -> str:
    """Return hit points and conditions of those who are hurt, hidden or have a condition; "" for none.

    Those of one kind who are in the same way stand together.
    """
    creatures: dict[tuple[str, str], list[str]] = {}
    for c in some:
        if how := _how(c):
            creatures.setdefault((kind_of(c.name), how), []).append(c.name)
    texts = [f"{alike(names, scene.glyphs)} {how}" for (_, how), names in creatures.items()]
    return scene.glyphs.joint.join(texts[:MOST])


def _how(c: Combatant) -> str:
    texts = [f"{c.hp}/{c.most_hp}"] if c.hp is not None and c.hp != c.most_hp else []
    texts += [("stable" if c.dying.stable else "dying")] if c.dying else []
    texts += [HIDDEN] if c.hidden else []
    texts += [", ".join(aloud(x.name) for x in c.conditions)] if c.conditions else []
    return " ".join(texts)


def _order_lines(scene: Scene) -> tuple[str, str]:
    """Return the open orders of this round, which are known before one's own is written.

    Those of the writer's foes stand apart: they come first, and are the last to be cut.
    """
    e, mode = scene.encounter, mode_of(scene)
    if not mode or not mode.writes or not e.running:
        return "", ""
    own = {c.side for c in members(e, mode.writes)}
    texts: dict[bool, list[str]] = {True: [], False: []}
    for o in orders_of(scene.system, e):
        if o.open and o.text and o.state in ("written", "locked"):
            words = ", ".join(o.wording(part) for part, v in o.text.items() if v)
            friend = not own.isdisjoint(c.side for c in members(e, o.who))
            texts[friend].append(f"{label(e, o.who)}: {words}")
    joint = scene.glyphs.joint
    return joint.join(texts[False]), joint.join(texts[True])


def _owing(scene: Scene) -> str:
    """Return who still owes an order, in the order of writing."""
    mode = mode_of(scene)
    if not mode or not mode.writes:
        return ""
    owed = [label(scene.encounter, a.who) for a in due(scene) if isinstance(a, FormAsk)]
    return "still owed: " + ", ".join(owed) if owed else ""


def _ask(scene: Scene, room: Room) -> Ask | None:
    if not on_a_sheet(scene):
        return None
    lines = summary_need(scene, room.width)
    return Ask(lines, "across", rank=1, least=min(lines, 2)) if lines else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    return summary(scene, box.width, box.height)


PANE = Pane("summary", _ask, _draw)

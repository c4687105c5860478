"""The summary beside a form: wounded creatures, and orders still owed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from tui.core.table import Creature, DeathSavesView, FormDue
from tui.ui.panes.creatures import creatures_named, join_numbered, kind_of, label_line
from tui.ui.panes.orders import has_form_below_track, takes_full_width
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Room
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene, creatures
from tui.ui.text.held import HIDDEN_WORD, numbers
from tui.ui.text.rows import Box, Row, clip, limit_rows, pad_rows, wrap_text
from tui.ui.text.track import make_adjective

MOST_WOUNDED = 40
"""The most creatures that the summary lists; more would not fit on any screen."""

SUMMARY_LINES = 4
"""The most lines of the summary with its title; twice as many if it shows orders."""


def summary_need(scene: Scene, room: Room) -> int:
    """Return the lines of the summary with its title, 0 if it is empty."""
    rows = _write_lines(scene, room.width, wounds=not has_form_below_track(scene, room))
    most = 2 * SUMMARY_LINES if any(_order_lines(scene)) else SUMMARY_LINES
    return min(most, 1 + len(rows)) if rows else 0


def summary(scene: Scene, width: int, height: int) -> list[Row]:
    """Return creatures that are hurt or have conditions, and orders still owed."""
    has_track = "track" in scene.parts
    rows = _write_lines(scene, width, wounds=not has_track)
    room = max(0, height - 1)
    shown = limit_rows(rows, room, scene.glyphs.joint) if room else []
    body: list[Row] = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in shown]
    return pad_rows([label_line(scene, "Written so far" if has_track else "Track", width), *body], height)


def _write_lines(scene: Scene, width: int, *, wounds: bool) -> list[str]:
    table = scene.table
    here = [c for c in table.combatants if not c.out and c.arrives <= table.round]
    acts = f"{table.acting} {table.does}".strip()
    now = scene.glyphs.joint.join(filter(None, (acts, _wounds(scene, here)))) if wounds else ""
    foes, friends = _order_lines(scene)
    return [
        row for text in (_owed_line(scene), foes, now, friends) if text for row in wrap_text(text, width - 2)
    ]


def _wounds(scene: Scene, some: Iterable[Creature]) -> str:
    """Return hit points and conditions of creatures that are hurt, hidden or have a condition; "" for none.

    Creatures of one kind in the same state are joined.
    """
    kinds: dict[tuple[str, str], list[str]] = {}
    for c in some:
        if wound := _wound_word(c):
            kinds.setdefault((kind_of(c.name), wound), []).append(c.name)
    texts = [f"{join_numbered(names, scene.glyphs)} {wound}" for (_, wound), names in kinds.items()]
    return scene.glyphs.joint.join(texts[:MOST_WOUNDED])


def _wound_word(c: Creature) -> str:
    texts = [f"{hp}/{most}" for hp, most, _ in numbers((c,)) if hp != most]
    texts += (
        [("stable" if c.saves.stable else "dying")]
        if isinstance(c.saves, DeathSavesView) and c.saves.stable is not UNSET
        else []
    )
    texts += [HIDDEN_WORD] if c.hidden else []
    texts += [", ".join(make_adjective(x.name) for x in c.conditions)] if c.conditions else []
    return " ".join(texts)


def _order_lines(scene: Scene) -> tuple[str, str]:
    """Return the open orders of this round as two texts for the writer of an order: foes', then others'.

    Both are "" if no order is being written.
    """
    mode = mode_of(scene)
    if not mode or not mode.writes:
        return "", ""
    own = {c.side for c in creatures(scene, mode.writes)}
    texts: dict[bool, list[str]] = {True: [], False: []}
    for o in scene.table.orders:
        if o.open and o.text and o.state in ("written", "locked"):
            friend = not own.isdisjoint(c.side for c in creatures_named(scene, o.who))
            texts[friend].append(f"{o.who}: {', '.join(o.wording)}")
    joint = scene.glyphs.joint
    return joint.join(texts[False]), joint.join(texts[True])


def _owed_line(scene: Scene) -> str:
    """Return the names whose orders are still owed, in the order of writing."""
    mode = mode_of(scene)
    if not mode or not mode.writes:
        return ""
    names = [x.who for x in scene.table.due if isinstance(x, FormDue)]
    return "still owed: " + ", ".join(names) if names else ""


def _ask(scene: Scene, room: Room) -> Ask | None:
    if not takes_full_width(scene):
        return None
    lines = summary_need(scene, room)
    # Beside the track only orders are worth a pane.
    instead = "" if _owed_line(scene) or any(_order_lines(scene)) else "track"
    return Ask(lines, "across", rank=1, least=min(lines, 2), instead=instead) if lines else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    return summary(scene, box.width, box.height)


PANE = Pane("summary", _ask, _draw)

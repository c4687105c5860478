"""The header and the Now line as lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tui.core.fight.declared import TURNS
from tui.core.fight.viewer import text
from tui.core.language.tokens import tokens
from tui.core.rules.now import beside, join, lead
from tui.ui.panes.over.past import question
from tui.ui.state.columns import cells
from tui.ui.state.rows import Piece, Row, apart, clip, filled, inked, wrapped
from tui.ui.state.scene import Scene
from tui.ui.state.view import Notice, StepPage

_WORDS = re.compile(r"`([^`]+)`")


def header(scene: Scene, width: int) -> list[Row]:
    """Save, system, round, phase; at the end what can be redone, and whether all is on the disk.

    It says nothing that every step changes: the number of the step stands in the log.
    """
    e = scene.encounter
    state = (
        [f"round {e.round}", *([e.phase] if e.phase != TURNS.name else [])] if e.running else ["not begun"]
    )
    right = _right(scene)
    room = width - sum(cells(text) for text, _ in right) - 1
    dot = f" {scene.glyphs.dot} "
    # Where not all of it fits, the system's name gives way: it is the same all evening.
    told = dot.join([scene.system.short or scene.system.title, *state])
    told = told if cells(f" {scene.name}{dot}{told}") <= room else dot.join(state)
    left: Row = ((f" {scene.name}", "title"), (dot + told, "muted"))
    return [apart(left, tuple(right), width, scene.glyphs.ellipsis)]


def _right(scene: Scene) -> list[Piece]:
    """Clocks, filter, selection, what can be redone, and whether all is on the disk."""
    right: list[Piece] = [(f"{scene.clock}  ", "text")] if scene.clock else []
    if scene.view.filter:
        right.append((f"filter: {scene.view.filter}  ", "warning"))
    if scene.view.selected:
        right.append((f"{len(scene.view.selected)} selected  ", "selected"))
    if scene.steps > scene.step:
        right.append((f"redo {scene.steps - scene.step}  ", "hint"))
    if scene.fault:
        right.append(("NOT SAVED ", "error"))
    elif scene.watching.word:
        right.append((f"{scene.watching.word} ", "warning" if scene.watching.line else "hint"))
    else:
        right.append((_saved(scene), "muted"))
    return right


def _saved(scene: Scene) -> str:
    """Whether all is on the disk."""
    if scene.saved:
        return "saved "
    return "saving " if scene.glyphs.spoken else f"{scene.glyphs.ellipsis:>5} "


def now_bar(scene: Scene, width: int, height: int) -> list[Row]:
    """What must happen next; below it what else is open, or a notice until the next key, or what is wrong."""
    if height < 1:
        return []
    said = _said(scene, width, height)
    room = height - len(said)
    rows = _laid_out(scene, width, room) if room else []
    if len(rows) > room:
        # Joined and then clipped, so that the ellipsis shows that something is missing.
        rows = [*rows[: room - 1], " ".join(rows[room - 1 :])]
    lines = [clip(inked(row), width, scene.glyphs.ellipsis) for row in rows]
    return [*filled(lines, room), *said]


def _laid_out(scene: Scene, width: int, room: int) -> list[str]:
    """What must happen next in a row of its own where it fits there; else all of it, one behind the other."""
    e = scene.encounter
    if isinstance(scene.view.mode, StepPage) and scene.view.mode.asking:
        asked = question(scene, scene.view.mode)
        return wrapped(asked if scene.glyphs.spoken else f"{scene.glyphs.may} {asked}", width)
    first, rest = join(lead(e, scene.system)), join(beside(e, scene.system))
    mark = scene.glyphs.acting if e.turn else scene.glyphs.may
    start = "" if scene.glyphs.spoken else f"{mark} "
    head = start + keyed(text(e, first), scene.verbs)
    cited, late = (f" ({x.rule})" if x.rule else "" for x in (first, rest))
    more = [text(e, rest)] if rest.text else []
    more += [f"`group` them as {tokens(scene.grouping)[-1].text}{_or_not(scene)}"] if scene.grouping else []
    told = keyed("; ".join(more), scene.verbs)
    if not told:
        return wrapped(head + cited, width)
    if room > 1 and cells(head) <= width:
        own = head + cited if cells(head + cited) <= width else head
        return [own, *(f"  {row}" for row in wrapped(told + late, width - 2))]
    return wrapped(f"{head}; {told}{cited or late}", width)


def _or_not(scene: Scene) -> str:
    """The key that leaves them as they are, where there is one."""
    key = scene.keys.get("ungroup", "")
    return f" or [{key}] not" if key else ""


def keyed(words: str, keys: Mapping[str, str]) -> str:
    """Words to write become the key that writes them: `next` is [n] next."""

    def key(m: re.Match[str]) -> str:
        verb = m[1].split(" ")[0]
        return f"[{keys[verb]}] {m[1]}" if verb in keys else f":{m[1]}"

    return _WORDS.sub(key, words)


def _said(scene: Scene, width: int, height: int) -> list[Row]:
    """A notice may take every row, for it is gone with the next key; a fault that stays leaves one to Now."""
    if notice := scene.view.notice:
        return _laid(scene, notice, width, height)
    if fault := scene.fault:
        return _laid(scene, fault, width, max(1, height - 1))
    if line := scene.watching.line:
        return _laid(scene, Notice(line, "warning"), width, max(1, height - 1))
    return []


def _laid(scene: Scene, notice: Notice, width: int, most: int) -> list[Row]:
    """The whole notice in as few rows as it takes; where it does not fit, what would work comes first."""
    rows = wrapped(str(notice), width)
    if len(rows) > most:
        rows = wrapped(notice.helpful, width)
        rows = [*rows[: most - 1], " ".join(rows[most - 1 :])]
    return [clip(((row, notice.role),), width, scene.glyphs.ellipsis) for row in rows]

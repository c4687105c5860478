"""The log as lines: a paragraph for each step, the latest at the bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.ui.panes.titles import title
from tui.ui.state.columns import fit
from tui.ui.state.messages import Chronicle, Told
from tui.ui.state.rows import BLANK, Piece, Row, wrapped
from tui.ui.state.scene import Scene, focus

MOST = 3
"""Lines that a step may take, but the last one, which may take all there are."""

HEAD = 7
"""Columns before the text: cursor, number of the step."""

NARROW = 20
"""Columns below which the number gives its room to the text."""


def log(scene: Scene, past: Chronicle, width: int, height: int) -> list[Row]:
    """The title and the latest steps that fit, up to the current one when the log has the keys."""
    lines: list[Row] = []
    step = bottom(scene, past, height - 1)
    # From the bottom up, so that only steps on the screen are told.
    while step > 0 and len(lines) < height - 1:
        most = MOST if lines else max(MOST, height - 1)
        lines = _paragraph(scene, past.told(step), width, most) + lines
        step -= 1
    if 0 < height - 1 < len(lines):
        lines = _cut(scene, lines[1 - height :], _head(width))
    if not past.last:
        lines = [((f" {row}", "muted"),) for row in wrapped(_EMPTY, width - 1)]
    head = title(scene, "log", "Log", width, *_position(scene, past))
    return [head, *lines, *[BLANK] * (height - 1 - len(lines))][:height]


_EMPTY = "Every line and what came of it will stand here"


def _head(width: int) -> int:
    """Columns before the text: without the number where they are few, and none where there is but one."""
    return HEAD if width >= NARROW else min(1, width - 1)


def _cut(scene: Scene, lines: list[Row], head: int) -> list[Row]:
    """The first line says when its paragraph has begun above."""
    if head < HEAD or lines[0][0][0] != " " * head:
        return lines
    return [((f"{scene.glyphs.ellipsis:>{head - 1}} ", "muted"), *lines[0][1:]), *lines[1:]]


def bottom(scene: Scene, past: Chronicle, room: int) -> int:
    """The step at the bottom: the last in force, or so that the current one is in the middle."""
    chosen = scene.view.log
    if not chosen or not _here(scene):
        return past.here
    return max(min(past.last, chosen + room // 2), min(past.here, chosen + room // 2))


def _here(scene: Scene) -> bool:
    """Whether the keys go to the log."""
    return focus(scene) == "log"


def _position(scene: Scene, past: Chronicle) -> tuple[Piece, ...]:
    if scene.view.log and _here(scene):
        return ((f"step {scene.view.log} of {past.last}: Enter goes there", "muted"),)
    return ()


def _paragraph(scene: Scene, told: Told, width: int, most: int) -> list[Row]:
    undone = told.step > scene.step
    here = _here(scene) and told.step == (scene.view.log or scene.step)
    cursor = scene.glyphs.cursor if here else " "
    joint = f" {scene.glyphs.dot} "
    texts = [*_few(told.texts, (most + 1) * width), *([scene.glyphs.ellipsis] if told.more else [])]
    said = joint.join(texts) + (" (undone)" if undone else "")
    asked = _unread(told.asked) if scene.view.masked else told.asked
    start = f"{asked}:" if said else asked
    head = _head(width)
    rows = wrapped(f"{start} {said}".rstrip(), width - head, most + 1)
    if len(rows) > most:
        rows = [
            *rows[: most - 1],
            fit(rows[most - 1] + scene.glyphs.ellipsis, width - head, scene.glyphs.ellipsis),
        ]
    number = f"{told.step:>{HEAD - 2}} " if head == HEAD else ""
    found: list[Row] = []
    spent = 0
    for text in rows:
        before: Row = ((" " * head, "text"),) if found else ((cursor[:head], "focus"), (number, "muted"))
        found.append((*before, *_inked(text, len(start) - spent, undone=undone)))
        spent += len(text) + 1
    return found


def _few(texts: Sequence[str], letters: int) -> Sequence[str]:
    """As many messages as can be seen, so that a roll of hundreds is not laid out in vain."""
    seen = 0
    for place, text in enumerate(texts):
        seen += len(text)
        if seen > letters:
            return texts[: place + 1]
    return texts


def _unread(asked: str) -> str:
    """An order's line without the order, for a screen that the players can see."""
    m = re.match(r'(order (?:"[^"]*"|\S+)) ', asked)
    return f"{m[1]} ..." if m else asked


def _inked(text: str, asked: int, *, undone: bool) -> tuple[Piece, ...]:
    """What was asked is muted, what came of it is not; all is muted that is undone."""
    if undone or asked >= len(text):
        return ((text, "muted"),)
    if asked <= 0:
        return ((text, "text"),)
    return ((text[:asked], "muted"), (text[asked:], "text"))

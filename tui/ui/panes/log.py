"""The log as lines: a paragraph for each step, the latest at the bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tui.core.base.text import NAME_LIMIT
from tui.core.table import Table
from tui.ui.panes.creatures import title
from tui.ui.panes.orders import has_form_below_track, has_running_order
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import LEAST_LOG_LINES, SHORTEST_LOG, Room
from tui.ui.state.messages import Chronicle, StepTexts
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene, focus, shown_line
from tui.ui.text.palette import Role
from tui.ui.text.rows import BLANK, Box, Row, cells, fit, wrap_text

MOST_LINES = 3
"""The most lines of a step; only the last step may take more."""

LEAST_DIGITS = 2
"""The fewest columns for the step's number."""

NARROW_WIDTH = 20
"""The width in columns from which the step's number is shown."""


def log(scene: Scene, past: Chronicle, width: int, height: int, *, bare: bool = False) -> list[Row]:
    """Return the latest steps that fit, the newest last; with focus, the steps around the current one."""
    lines: list[Row] = []
    room, head = height - (not bare), _head(past, width)
    step = bottom(scene, past, room)
    # From the bottom up, so that only steps on the screen are put into words.
    while step > 0 and len(lines) < room:
        # If there is room for many steps, older ones need not be cut at three rows.
        most = max(MOST_LINES, room // 4) if lines else max(MOST_LINES, room)
        rows = _paragraph(scene, past.step(step), (head, width), most)
        lines = _first_rows(scene, rows, room - len(lines), width) + lines
        step -= 1
    if not past.last:
        lines = [((f" {row}", "muted"),) for row in wrap_text(_EMPTY, width - 1)]
    at = f"step {scene.view.log} of {past.last}: Enter reads it whole"
    position: Row = ((at, "muted"),) if scene.view.log and _has_cursor(scene) else ()
    above = [] if bare else [title(scene, "log", "Log", width, *position)]
    # The newest is right above the Now line, so that a step scrolls the log and nothing jumps.
    return [*above, *[BLANK] * (room - len(lines)), *lines][:height]


_EMPTY = "Every line and its result will appear here"


def _head(past: Chronicle, width: int) -> int:
    """Return the columns before the text, for cursor and number."""
    return max(LEAST_DIGITS, len(f"{past.last}")) + 2 if width >= NARROW_WIDTH else min(1, width - 1)


def _first_rows(scene: Scene, rows: list[Row], room: int, width: int) -> list[Row]:
    """Return the first `room` rows of a step, with an ellipsis if there are more."""
    if len(rows) <= room:
        return rows
    if not room:
        return []
    *whole, last = rows[:room]
    ellipsis = scene.glyphs.ellipsis
    *head, (text, ink) = last
    free = width - sum(cells(piece) for piece, _ in head)
    if cells(text) + 2 > free or text.endswith(ellipsis):
        # The cut row shows already that more follows.
        return [*whole, (*head, (fit(text.removesuffix(ellipsis) + " " * free, free, ellipsis), ink))]
    return [*whole, (*head, (_without_joint(scene, text), ink), (f" {ellipsis}", "muted"))]


def _without_joint(scene: Scene, text: str) -> str:
    """Return the text of a cut row without a joint that nothing follows."""
    return text.removesuffix(scene.glyphs.joint.rstrip()).rstrip()


def bottom(scene: Scene, past: Chronicle, room: int) -> int:
    """Return the number of the lowest step shown: the last one, or with focus one that centres the cursor."""
    chosen = scene.view.log
    if not chosen or not _has_cursor(scene):
        return past.current
    return max(min(past.last, chosen + room // 2), min(past.current, chosen + room // 2))


def _has_cursor(scene: Scene) -> bool:
    """Return whether the log has focus."""
    return focus(scene) == "log"


def _paragraph(scene: Scene, account: StepTexts, columns: tuple[int, int], most: int) -> list[Row]:
    """Return a step in at most `most` rows: its messages, or its command line if there are none."""
    undone = account.step > scene.step
    marked = _has_cursor(scene) and account.step == (scene.view.log or scene.step)
    cursor = scene.glyphs.cursor if marked else " "
    head, width = columns[0], columns[1] - columns[0]
    joint = scene.glyphs.joint
    texts = [
        *_visible_messages(account.texts, (most + 1) * columns[1]),
        *([scene.glyphs.ellipsis] if account.more else []),
    ]
    line = shown_line(scene, account.line, account.by)
    words = (joint.join(omit_names(texts, scene.table)) or line) + (" (undone)" if undone else "")
    rows = wrap_text(words, width, most + 1)
    if len(rows) > most:
        last = _without_joint(scene, rows[most - 1])
        rows = [*rows[: most - 1], fit(f"{last}{scene.glyphs.ellipsis}", width, scene.glyphs.ellipsis)]
    number = f"{account.step:>{head - 2}} " if head > LEAST_DIGITS else ""
    ink: Role = "muted" if undone or not texts else "text"
    lines: list[Row] = []
    for text in rows:
        before: Row = (
            ((" " * head, "text"),) if lines else ((cursor[:head], "focus" if marked else ink), (number, ink))
        )
        lines.append((*before, (text, ink)))
    return lines


_SUBJECT = re.compile("(?=:? )")
"""Matches where the name at the beginning of a message can end: before a space, or a colon and a space."""
_SERIES = re.compile(r",| and | to \d")
"""Matches after a name that begins a list, such as "Orc 1 and Orc 2" or "Orc 1 to 3"."""


def omit_names(texts: Sequence[str], table: Table) -> list[str]:
    """Return the messages of a step; a message that begins with the same name as the one before omits it."""
    if len(texts) < 2:
        return list(texts)
    known = frozenset(x for c in table.combatants for x in (c.name, c.group, c.side) if x)
    result, before = list(texts[:1]), _leading_name(texts[0], known)
    for message in texts[1:]:
        name = _leading_name(message, known)
        rest = message[len(name) :]
        words = rest.removeprefix(":").lstrip()
        # A verb alone is hard to find: "Ana acts" is what people look for.
        is_repeated = name and name == before and " " in words
        result.append(words if is_repeated else message)
        before = name
    return result


def _leading_name(message: str, known: frozenset[str]) -> str:
    """Return the longest known name that the message begins with; "" for none or a list of names."""
    ends = [m.start() for m in _SUBJECT.finditer(message, 0, NAME_LIMIT + 1)]
    name = next((message[:end] for end in reversed(ends) if message[:end] in known), "")
    return "" if _SERIES.match(message, len(name)) else name


def _visible_messages(texts: Sequence[str], letters: int) -> Sequence[str]:
    """Return the first messages, up to `letters` characters; only these can be seen and are laid out."""
    seen = 0
    for place, text in enumerate(texts):
        seen += len(text)
        if seen > letters:
            return texts[: place + 1]
    return texts


def _ask(scene: Scene, room: Room) -> Ask | None:
    mode = mode_of(scene)
    if mode and mode.where == "over" and mode.covers == "all":
        return None
    if room.kind == "small":
        return Ask(1, "log", rank=4, least=1) if room.height > LEAST_HEIGHT else None
    short = has_form_below_track(scene, room) or (room.kind == "narrow" and has_running_order(scene))
    least = SHORTEST_LOG if short and scene.log_lines <= LEAST_LOG_LINES else scene.log_lines
    return Ask(room.height, "log", least=least)


LEAST_HEIGHT = 11
"""The height in lines above which a small screen shows the latest message."""


def _draw(scene: Scene, box: Box) -> list[Row]:
    assert scene.past is not None
    return log(scene, scene.past, box.width, box.height, bare=box.bare)


PANE = Pane("log", _ask, _draw, tab=4)

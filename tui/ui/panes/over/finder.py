"""The palette: what fits the letters, and below it what the line under the cursor would do."""

from __future__ import annotations

from tui.ui.panes.titles import heading
from tui.ui.state.columns import cells
from tui.ui.state.rows import Piece, Row, clip, column, filled, wrapped
from tui.ui.state.scene import Scene, page
from tui.ui.state.view import Item, Menu

TOLD = 3
"""Rows for what the current line would do, at the most; and a blank one above them."""

LEAST = 6
"""Rows from which on there is room for that."""

LINE = 26
"""Columns for lines, at the most."""


def finder(scene: Scene, menu: Menu, width: int, height: int) -> list[Row]:
    """The items in so many rows."""
    shown = menu.shown
    at = min(menu.at, len(shown) - 1)
    told = _told(shown[at], width) if shown and height >= LEAST else []
    room = max(0, height - 1 - len(told))
    first = page(max(0, at), room, len(shown))
    few = shown[first : first + room]
    span = (
        f"{first + 1}{scene.glyphs.range}{first + len(few)} of {len(shown)}, best first"
        if shown
        else "nothing has these letters"
    )
    head = heading(scene, f"{menu.title}: {menu.typed}_", width, span)
    wide = min(LINE, max((cells(i.label or i.line) for i in shown), default=0), width // 3)
    keyed = max((cells(i.key) for i in shown), default=0)
    rows = [_item(scene, i, here=n == at, wide=(keyed, wide), width=width) for n, i in enumerate(few, first)]
    return filled([head, *filled(rows, room), *(clip(r, width, scene.glyphs.ellipsis) for r in told)], height)


def _item(scene: Scene, item: Item, *, here: bool, wide: tuple[int, int], width: int) -> Row:
    ellipsis = scene.glyphs.ellipsis
    line: list[Piece] = [
        (scene.glyphs.cursor if here else " ", "focus"),
        (" ", "text"), column(item.key, wide[0], "key", ellipsis),
        column(item.label or item.line, wide[1], "muted" if item.why_not else "title" if here else "text", ellipsis),
        (f" {item.text}", "muted" if item.why_not else "text"),
        (f"  now {item.note}" if item.note else "", "hint"), (f"  not now: {item.why_not}" if item.why_not else "", "warning"),
    ]  # fmt: skip
    return clip(line, width, ellipsis)


def _told(item: Item, width: int) -> list[Row]:
    """What it would do, or why it cannot be done."""
    said = f"Not now: {item.why_not}" if item.why_not else item.told
    rows = wrapped(said, width - 4) if said else []
    rows = [*rows[: TOLD - 1], " ".join(rows[TOLD - 1 :])] if len(rows) > TOLD else rows
    return [(), *(((f"   {row}", "warning" if item.why_not else "hint"),) for row in rows)] if rows else []

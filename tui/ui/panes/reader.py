"""Something to read, over the panes."""

from __future__ import annotations

from tui.ui.panes.titles import heading
from tui.ui.state.rows import Row, clip, filled, wrapped
from tui.ui.state.scene import Scene
from tui.ui.state.view import Page


def reader(scene: Scene, width: int, height: int) -> list[Row]:
    """The title and the lines from `top` on, long ones wrapped."""
    mode = scene.view.mode
    if not isinstance(mode, Page):
        return filled([], height)
    rows = laid(mode, width)
    top = max(0, min(mode.top, len(rows) - height + 1))
    more = (
        f"{top + 1}{scene.glyphs.range}{min(len(rows), top + height - 1)} of {len(rows)}"
        if len(rows) >= height
        else ""
    )
    head = heading(scene, mode.title, width, more)
    body = [
        clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in rows[top : top + height - 1]
    ]
    return filled([head, *body], height)


def laid(mode: Page, width: int) -> list[str]:
    """The text in rows."""
    return [row for line in mode.text for row in (wrapped(line, width - 2) if line else [""])]

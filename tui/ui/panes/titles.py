"""The title line of a pane: its name, whether the keys go to it, and what its lines leave out."""

from __future__ import annotations

from collections.abc import Sequence

from tui.ui.state.columns import cells
from tui.ui.state.glyphs import Glyphs
from tui.ui.state.layout import Pane
from tui.ui.state.rows import Piece, Row, clip
from tui.ui.state.scene import Scene, focus

WHOLE = 10
"""Columns up to which the name in a title is never cut."""


def title(scene: Scene, part: Pane, text: str, width: int, *more: Piece) -> Row:
    """`── Track ── more`, with brackets around the name of the pane that has the keys."""
    here = focus(scene) == part
    return titled(
        scene.glyphs,
        (framed(scene.glyphs, text) if here else text, "focus" if here else "title"),
        width,
        more,
    )


def heading(scene: Scene, text: str, width: int, more: str = "") -> Row:
    """The title of something that has the keys, whatever pane they were in."""
    return titled(
        scene.glyphs, (framed(scene.glyphs, text), "focus"), width, ((more, "muted"),) if more else ()
    )


def label_line(scene: Scene, text: str, width: int, *more: Piece) -> Row:
    """A title like that of a pane, over something that never has the keys."""
    return titled(scene.glyphs, (text, "title"), width, more)


def titled(glyphs: Glyphs, name: Piece, width: int, more: Sequence[Piece]) -> Row:
    """A title line: the name, and what stands behind it."""
    rule = glyphs.rule * 2
    tail: list[Piece] = []
    for piece in more:
        tail += [(f" {rule} ", "border"), piece]
    # What is left out is told also where the title has to be cut for it.
    least = cells(rule) + 1 + min(cells(name[0]), WHOLE)
    room = max(least, width - sum(cells(text) for text, _ in tail))
    head = clip(((rule, "border"), (" ", "text"), name), room, glyphs.ellipsis)
    return clip((*head, *tail), width, glyphs.ellipsis)


def framed(glyphs: Glyphs, text: str) -> str:
    """The name, marked as the one that has the keys."""
    return f"{text}, keys go here" if glyphs.spoken else f"[{text}]"


def span(first: int, shown: int, total: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """`4-9 of 17` when a list does not fit; nothing when it does."""
    if shown >= total:
        return ()
    return ((f"{first + 1}{glyphs.range}{first + shown} of {total}", "muted"),)

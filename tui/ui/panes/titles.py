"""The title line of a pane: its name, whether the keys go to it, and what its lines leave out."""

from __future__ import annotations

from tui.ui.state.columns import cells
from tui.ui.state.layout import Pane
from tui.ui.state.rows import Piece, Row, clip, words
from tui.ui.state.scene import Scene, focus


def title(scene: Scene, part: Pane, text: str, width: int, *more: Piece) -> Row:
    """`─ Track ────`, with brackets around the name of the pane that has the keys."""
    here = focus(scene) == part
    rule = scene.glyphs.rule
    name = _framed(scene, text) if here else f" {text} "
    tail: tuple[Piece, ...] = ((" ", "border"), *more, (" ", "border")) if more else ()
    line = clip(((rule, "border"), (name, "focus" if here else "title"), *tail), width, scene.glyphs.ellipsis)
    return (*line, (rule * (width - cells(words(line))), "border"))


def _framed(scene: Scene, text: str) -> str:
    """The name, marked as the one that has the keys."""
    return f" {text}, keys go here" if scene.glyphs.spoken else f"[{text}]"


def span(first: int, shown: int, total: int) -> tuple[Piece, ...]:
    """`4-9 of 17` when a list does not fit; nothing when it does."""
    if shown >= total:
        return ()
    return ((f"{first + 1}-{first + shown} of {total}", "muted"),)


def heading(scene: Scene, text: str, width: int, more: str = "") -> Row:
    """The title of something that has the keys, whatever pane they were in."""
    rule = scene.glyphs.rule
    tail: tuple[Piece, ...] = ((f" {more} ", "muted"),) if more else ()
    # What is left out is told also where the title has to be cut for it.
    room = max(0, width - cells(words(tail)))
    name = clip(((rule, "border"), (_framed(scene, text), "focus")), room, scene.glyphs.ellipsis)
    line = clip((*name, *tail), width, scene.glyphs.ellipsis)
    return (*line, (rule * (width - cells(words(line))), "border"))

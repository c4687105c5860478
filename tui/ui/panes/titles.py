"""The title line of a pane: its name, whether the keys go to it, and what its lines leave out."""

from __future__ import annotations

from tui.ui.state.layout import Pane
from tui.ui.state.rows import Piece, Row, framed, titled
from tui.ui.state.scene import Scene, focus


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

"""Words that stand for signs, for whoever has the screen read aloud."""

from __future__ import annotations

from tui.ui.state.scene import Scene, side_of_key


def spoken_words(scene: Scene, key: str) -> list[str]:
    """For a screen reader: the side of a row, and whether it is selected, in words."""
    if not scene.glyphs.spoken:
        return []
    return [
        side_of_key(scene.encounter, key),
        *([_selected(scene, key)] if key in scene.view.selected else []),
    ]


def _selected(scene: Scene, key: str) -> str:
    return "selected, for half" if key in scene.view.half else "selected"

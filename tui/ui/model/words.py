"""Words for the marks that creatures bear."""

from __future__ import annotations

from tui.ui.model.scene import Scene, side_of_key

TAGS = {
    "surprised": "!surprised", "reaction": "reacted", "ready": "ready", "holding": "holding", "hit": "hit",
    "kill": "kill", "cantrips": "cantrips only", "hidden": "(hidden)",
}  # fmt: skip


def spoken_marks(scene: Scene, key: str) -> list[str]:
    """For a screen reader: the side and the mark of a row in words."""
    if not scene.glyphs.spoken:
        return []
    return [side_of_key(scene.e, key), *(["marked"] if key in scene.view.marks else [])]

"""Words for the marks that creatures bear."""

from __future__ import annotations

from tui.ui.state.scene import Scene, side_of_key

TAGS = {
    "surprised": "!surprised", "reaction": "reacted", "ready": "ready", "holding": "holding", "hit": "hit",
    "kill": "kill", "cantrips": "cantrips only", "hidden": "(hidden)",
}  # fmt: skip

MARKS = {
    "acted": "has acted", "barred": "sits out", "cantrips": "may only cast cantrips", "early": "acted ahead of its place",
    "held": "delays", "holding": "keeps a readied action", "met": "in the fight", "moved": "has moved its one square",
    "new": "newly come", "reaction": "has reacted", "ready": "holds a readied action", "surprised": "surprised",
}  # fmt: skip
"""The same in whole words, where there is room."""


def spoken_marks(scene: Scene, key: str) -> list[str]:
    """For a screen reader: the side and the mark of a row in words."""
    if not scene.glyphs.spoken:
        return []
    return [side_of_key(scene.encounter, key), *(["marked"] if key in scene.view.selected else [])]

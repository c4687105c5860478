"""Words for what creatures bear, as their system declares them."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.fight.combatant import Combatant
from tui.core.fight.declared import Mark
from tui.core.views.json import borne
from tui.ui.state.scene import Scene, side_of_key

HIDDEN = "(hidden)"


def short_marks(scene: Scene, found: Iterable[Combatant]) -> list[Mark]:
    """The marks that have a word on rows, borne by at least one of these creatures."""
    return [mark for mark in borne(found, scene.system) if mark.short]


def spoken_marks(scene: Scene, key: str) -> list[str]:
    """For a screen reader: the side of a row, and whether it is selected, in words."""
    if not scene.glyphs.spoken:
        return []
    return [side_of_key(scene.encounter, key), *(["selected"] if key in scene.view.selected else [])]

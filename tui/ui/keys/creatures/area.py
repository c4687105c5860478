"""Damage as it falls: rows selected once take all of it, rows selected twice half, all others nothing."""

from __future__ import annotations

from tui.ui.keys.base import BaseDesk
from tui.ui.state.editor import Editor
from tui.ui.state.targets import halved, targets, who
from tui.ui.state.view import Prompt

DAMAGE = "damage "


def fall(desk: BaseDesk, words: str) -> bool:
    """The prompt for one line of damage that some take whole and some half; whether rows are selected so."""
    scene = desk.scene
    half = halved(scene)
    if not half or not words.startswith(DAMAGE):
        return False
    whole = tuple(k for k in targets(scene) if k not in half)
    # Those who take half are named in any case: where nobody takes all of it, the line still needs its WHO.
    stem = f"{DAMAGE}{who(scene.encounter, whole or half)} "
    tail = f" half={who(scene.encounter, half)}"
    text = f"{stem}{scene.view.count}"
    desk.show(mode=Prompt("points", Editor(text + tail, len(text)), stem))
    return True

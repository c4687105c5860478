"""A group of the roster in one row: how many there are, their hit points together, what holds how many of them."""

from __future__ import annotations

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import label, members
from tui.ui.panes.creatures.held import held
from tui.ui.state.rows import Piece
from tui.ui.state.scene import Scene
from tui.ui.state.words import spoken_words


def folded(scene: Scene, key: str) -> tuple[Combatant, list[Piece]]:
    """One creature that stands for a group, and what holds its members, counted."""
    found = list(members(scene.encounter, key))
    there = [c for c in found if not c.out]
    known = [c for c in there if c.hp is not None]
    one = replace(
        found[0],
        name=f"{label(scene.encounter, key)} {scene.glyphs.times}{len(there)}",
        # Only those who stand: the points of the fallen would make the bar look better than the group is.
        hp=sum(c.hp or 0 for c in known) if known else None,
        max_hp=sum(c.most_hp or c.hp or 0 for c in known) if known else None,
        temp_hp=sum(c.temp_hp for c in known),
        temp_max=0,  # in the sum already
        out=not there,
        hidden=all(c.hidden for c in found),
        note="",
    )
    return one, _held(scene, key, found)


def _held(scene: Scene, key: str, found: list[Combatant]) -> list[Piece]:
    """`2 out`, `prone x3`: every word with the number of members it is true of."""
    out = sum(c.out for c in found)
    told: list[Piece] = [("out" if out == len(found) else f"{out} out", "down")] if out else []
    there = [c for c in found if not c.out] or found
    told += [x for x in held(scene, there, wide=True) if not x[0].startswith("out")]
    return told + [(x, "text") for x in spoken_words(scene, key)]

"""A group of the roster in one row: how many there are, their hit points together, what holds how many of them."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import label, members
from tui.ui.state.rows import Piece
from tui.ui.state.scene import Scene
from tui.ui.state.words import HIDDEN, short_marks, spoken_marks


def folded(scene: Scene, key: str) -> tuple[Combatant, list[Piece]]:
    """One creature that stands for a group, and what holds its members, counted."""
    found = list(members(scene.encounter, key))
    there = [c for c in found if not c.out]
    known = [c for c in there if c.hp is not None]
    one = replace(
        found[0],
        name=f"{label(scene.encounter, key)} x{len(there)}",
        # Only those who stand: the points of the fallen would make the bar look better than the group is.
        hp=sum(c.hp or 0 for c in known) if known else None,
        max_hp=sum(c.max_hp or c.hp or 0 for c in known) if known else None,
        temp_hp=sum(c.temp_hp for c in known),
        out=not there,
        hidden=all(c.hidden for c in found),
        note="",
    )
    return one, _held(scene, key, found)


def _held(scene: Scene, key: str, found: list[Combatant]) -> list[Piece]:
    """`2 out`, `prone 3`: every word with the number of members it is true of."""
    counts: Counter[str] = Counter()
    for c in found:
        counts.update(["out"] if c.out else ["at 0 HP"] if c.hp == 0 else [])
        counts.update(mark.short for mark in short_marks(scene, (c,)))
        counts.update([HIDDEN] if c.hidden else [])
        counts.update({x.name for x in c.conditions})
        counts.update([f"in round {c.arrives}"] if c.arrives > scene.encounter.round else [])
    words = [word if n == len(found) else f"{word} {n}" for word, n in counts.items()]
    words += spoken_marks(scene, key)
    return [piece for word in words for piece in ((word, "condition"), (" ", "text"))][:-1]

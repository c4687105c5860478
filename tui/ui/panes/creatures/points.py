"""Hit points in few columns: of one creature, and of a group the weakest and the best."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.combatant import Combatant
from tui.ui.state.glyphs import Glyphs
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece

BAR = 5


def points(c: Combatant) -> str:
    """`13/24+5`; "" where there are none."""
    if c.hp is None:
        return ""
    return f"{c.hp}/{top(c)}" + (f"+{c.temp_hp}" if c.temp_hp else "")


def top(c: Combatant) -> int:
    """The most that a creature can have."""
    return c.most_hp or c.hp or 0


def of_several(people: Sequence[Combatant], glyphs: Glyphs) -> str:
    """`2-9/9`: the weakest and the best of those who have the same maximum, else `2-9`; of one what it has."""
    known = [c for c in people if c.hp is not None]
    if len(known) < 2:
        return points(known[0]) if known else ""
    low, high = min(c.hp or 0 for c in known), max(c.hp or 0 for c in known)
    tops = {top(c) for c in known}
    most = f"/{tops.pop()}" if len(tops) == 1 else ""
    temp = max(c.temp_hp for c in known)
    return (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else "")


def bar(people: Sequence[Combatant], glyphs: Glyphs) -> Piece:
    """The hit points that are left of all, as a bar; blank where there are none."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return (" " * BAR, "text")
    most = sum(map(top, known)) or 1
    left = min(sum(c.hp or 0 for c in known), most)
    # Rounded up: whoever has one point left still has a piece of bar.
    full = -(-BAR * left // most)
    return (glyphs.full * full + glyphs.empty * (BAR - full), hurt(left, most))


def hurt(left: int, most: int) -> Role:
    """The role of so many hit points of so many."""
    return "hp-good" if 2 * left > most else "hp-mid" if 4 * left > most else "hp-low"


def ink(people: Sequence[Combatant]) -> Role:
    """The role in which the points of these creatures are written: that of the weakest."""
    known = [c for c in people if c.hp is not None]
    if not known:
        return "text"
    weakest = min(known, key=lambda c: (c.hp or 0) / (top(c) or 1))
    return "down" if weakest.hp == 0 else hurt(weakest.hp or 0, top(weakest) or 1)

"""How hurt somebody is: in words, in numbers, or not at all, as the house rule lets a viewer see it."""

from __future__ import annotations

from collections.abc import Sequence

from tui.ui.state.glyphs import Glyphs
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece
from tui.ui.table.page import PublicCreature

_WORST: dict[str, tuple[int, Role]] = {
    "down": (0, "down"),
    "bloodied": (1, "hp-low"),
    "hurt": (2, "hp-mid"),
    "unhurt": (3, "hp-good"),
}
"""How bad each word for hit points is, and how it is drawn."""


def points(people: Sequence[PublicCreature], glyphs: Glyphs) -> Piece:
    """`13/24+5`, `bloodied`, of several `1 bloodied` or `2-9/9`; blank where the house rule says nothing."""
    numbers = [c for c in people if c.hp is not None]
    if numbers and len(numbers) == len(people):
        return _numbers(numbers, glyphs)
    said = [c.health or _word(c) for c in people if c.health or c.hp is not None]
    if not said:
        return ("", "text")
    worst = min(said, key=lambda word: _WORST.get(word, (9, "text"))[0])
    many = said.count(worst)
    role = _WORST.get(worst, (9, "text"))[1]
    return (worst if many == len(said) else f"{many} {worst}", role)


def _numbers(people: Sequence[PublicCreature], glyphs: Glyphs) -> Piece:
    low, high = min(c.hp or 0 for c in people), max(c.hp or 0 for c in people)
    tops = {c.max_hp for c in people}
    most = f"/{top}" if len(tops) == 1 and (top := next(iter(tops))) is not None else ""
    temp = max(c.temp_hp for c in people)
    role = min((_WORST[_word(c)] for c in people), default=(3, "hp-good"))[1]
    return (
        (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else ""),
        role,
    )


def _word(c: PublicCreature) -> str:
    """The word for hit points that are known in numbers."""
    if c.hp == 0 or c.out:
        return "down"
    if c.hp is None or c.max_hp is None or c.hp >= c.max_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.max_hp else "bloodied"

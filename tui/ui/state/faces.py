"""Faces as people type them: with spaces, with commas, or run together."""

from __future__ import annotations

import re
from collections.abc import Sequence


def read_faces(text: str, dice: Sequence[int]) -> tuple[int, ...]:
    """The faces in a text; digits run together (`53` for two d6) are taken apart where only one way fits.

    What fits no way is read as it stands, so that the rules can say what is wrong with it.
    """
    parts = [int(p) for p in re.findall(r"\d{1,9}", text)]
    if len(parts) != 1 or len(dice) == 1:
        return tuple(parts)
    digits = re.findall(r"\d+", text)[0]
    ways = _ways(digits, dice)
    return ways[0] if len(ways) == 1 else tuple(parts)


def _ways(digits: str, dice: Sequence[int]) -> list[tuple[int, ...]]:
    """Every way to read digits as one face of each die."""
    if not dice:
        return [()] if not digits else []
    found = []
    for size in (1, 2, 3):
        head = digits[:size]
        if len(head) == size and head[0] != "0" and int(head) <= dice[0]:
            found += [(int(head), *rest) for rest in _ways(digits[size:], dice[1:])]
        if len(found) > 1:
            break
    return found

"""Name a roll that is owed, so that an answer to another one is noticed."""

from __future__ import annotations

from collections.abc import Iterable


def roll_fingerprint(who: str, dice: Iterable[int], rule: str) -> str:
    """Return a roll in words, at most 400 characters: `c3: d6 d6 TRK-4`."""
    return f"{who}: {' '.join(f'd{sides}' for sides in dice)} {rule}"[:400]

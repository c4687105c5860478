"""Numbers that people type: ASCII digits, and no more of them than anybody needs."""

from __future__ import annotations

DIGITS = "0123456789"
"""What a digit key types. A keyboard has others, such as the `²` of a French one: they are no numbers."""

MOST_DIGITS = 9


def number(text: str, most: int = 10**MOST_DIGITS - 1) -> int | None:
    """The number that a text of digits says, at most `most`; None for any other text."""
    if not text or not set(text) <= set(DIGITS):
        return None
    shown = text.lstrip("0") or "0"
    return min(most, int(shown)) if len(shown) <= MOST_DIGITS else most


LONGEST_TURN = 3_600
"""Seconds that a limit for turns may be."""

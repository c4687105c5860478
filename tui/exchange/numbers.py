"""Numbers as other tools write them: `15 (natural armor)`, `7 (2d6)`, `+3`, an ability score."""

from __future__ import annotations

import re
from typing import Any

_WHOLE = re.compile(r"\s{0,9}([+\-\u2212\u2013]?)\s{0,3}([0-9]{1,6})(?![0-9])")
_DICE = re.compile(
    r"([0-9]{0,3})\s{0,3}[dD]\s{0,3}([0-9]{1,4})(?:\s{0,3}([+\-\u2212\u2013])\s{0,3}([0-9]{1,5}))?"
)
_PASSIVE = re.compile(r"passive\s{1,4}perception:?\s{1,4}([0-9]{1,3})", re.IGNORECASE)
_SIZES = {
    "tiny": "tiny", "t": "tiny", "f": "tiny",
    "small": "small", "s": "small", "sm": "small",
    "medium": "medium", "m": "medium", "med": "medium",
    "large": "large", "l": "large", "lg": "large",
    "huge": "huge", "h": "huge",
    "gargantuan": "gargantuan", "g": "gargantuan", "grg": "gargantuan",
}  # fmt: skip


def whole(value: Any) -> int | None:
    """The number that stands at the beginning; None where there is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if abs(value) < 1e9 and value.is_integer() else None
    if isinstance(value, list):
        return whole(value[0]) if value else None
    found = _WHOLE.match(value) if isinstance(value, str) else None
    return (int(found[2]) if found[1] in ("", "+") else -int(found[2])) if found else None


def dice(value: Any) -> str | None:
    """The first dice notation in a text, without blanks."""
    found = _DICE.search(value) if isinstance(value, str) else None
    if not found:
        return None
    rest = f"{'+' if found[3] == '+' else '-'}{int(found[4])}" if found[3] and int(found[4]) else ""
    return f"{found[1] or 1}d{found[2]}{rest}"


def average(value: Any) -> int | None:
    """What dice come to on average, rounded down."""
    found = _DICE.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return None
    rest = int(found[4] or 0) * (-1 if found[3] and found[3] != "+" else 1)
    return max(0, int(found[1] or 1) * (int(found[2]) + 1) // 2 + rest)


def modifier(value: Any) -> int | None:
    """The modifier of an ability score; half of what it is above 10, rounded down."""
    score = whole(value)
    return None if score is None else (score - 10) // 2


def score(value: Any) -> int | None:
    """The ability score of a modifier, where a game has given scores up: 10 and twice the modifier."""
    found = whole(value)
    return None if found is None else 10 + 2 * found


def size(value: Any) -> str | None:
    """A size in the words of a line; of `Medium or Small` and of a list the first."""
    if isinstance(value, list):
        return size(value[0]) if value else None
    words = re.findall(r"[a-z]+", value.lower()) if isinstance(value, str) else []
    return _SIZES.get(words[0]) if words else None


def passive(value: Any) -> int | None:
    """The number behind `passive Perception` in a text, or in a list of texts; a number alone is it."""
    if isinstance(value, int):
        return whole(value)
    text = ", ".join(x for x in value if isinstance(x, str)) if isinstance(value, list) else value
    found = _PASSIVE.search(text) if isinstance(text, str) else None
    return int(found[1]) if found else None


def bonus(name: str, value: Any) -> int | None:
    """The number behind a name in a text such as `Perception +3, Stealth +6`, or in a list of such texts."""
    text = ", ".join(x for x in value if isinstance(x, str)) if isinstance(value, list) else value
    if not isinstance(text, str):
        return None
    found = re.search(rf"\b{name}\b[^0-9+\-\u2212]{{0,3}}([+\-\u2212]?\s*[0-9]{{1,3}})", text, re.IGNORECASE)
    return whole(found[1]) if found else None


def plus(one: int | None, other: int | None) -> int | None:
    """The sum of two numbers; None when one is missing."""
    return None if one is None or other is None else one + other


def text(value: Any) -> str | None:
    """A text that is there."""
    return value.strip() or None if isinstance(value, str) else None

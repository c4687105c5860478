"""Work out sums of whole numbers, as templates of 5etools write them: `8 + 2 * (1 + 1/2)`."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"\s*(?:([0-9]{1,6})(?![0-9dD])|([a-z]{3,5})(?=\s*\()|([-+*/(),])|$)")
_CALLS: dict[str, Callable[..., int]] = {
    "max": max,
    "min": min,
    "floor": int,
    "ceil": int,
    "round": int,
    "abs": abs,
}
_MOST = 10**6
_DEPTH = 20


class _BadFormula(Exception):  # noqa: N818 - never leaves this module
    """It is no arithmetic of whole numbers."""


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def token(self) -> str:
        match = _TOKEN.match(self.text, self.place)
        if not match:
            raise _BadFormula
        return match[1] or match[2] or match[3] or ""

    def take(self) -> str:
        match = _TOKEN.match(self.text, self.place)
        if not match:
            raise _BadFormula
        self.place = match.end()
        return match[1] or match[2] or match[3] or ""

    def total(self, depth: int = 0) -> float:
        """Return a sum of products."""
        value = self.product(depth)
        while self.token() in ("+", "-"):
            sign = self.take()
            other = self.product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def product(self, depth: int) -> float:
        value = self.single(depth)
        while self.token() in ("*", "/"):
            sign = self.take()
            other = self.single(depth)
            if sign == "/" and not other:
                raise _BadFormula
            value = value * other if sign == "*" else value / other
        if abs(value) > _MOST:
            raise _BadFormula
        return value

    def single(self, depth: int) -> float:
        if depth > _DEPTH:
            raise _BadFormula
        part = self.take()
        if part.isdecimal():
            return int(part)
        if part in ("-", "+"):
            value = self.single(depth + 1)
            return -value if part == "-" else value
        if part in _CALLS:
            return self.call(part, depth)
        if part == "(":
            value = self.total(depth + 1)
            self.close()
            return value
        raise _BadFormula

    def call(self, name: str, depth: int) -> float:
        self.take()
        parts = [self.total(depth + 1)]
        while self.token() == ",":
            self.take()
            parts.append(self.total(depth + 1))
        self.close()
        if name in ("max", "min"):
            return _CALLS[name](*parts, parts[0])
        value = parts[0]
        return float(-(-value // 1)) if name == "ceil" else float((value + (name == "round") / 2) // 1)

    def close(self) -> None:
        if self.take() != ")":
            raise _BadFormula


def total(formula: object) -> int | None:
    """Return the total of a formula, rounded down; 0 for an empty one, None with dice or words."""
    if isinstance(formula, bool):
        return None
    if isinstance(formula, int):
        return formula if abs(formula) <= _MOST else None
    if isinstance(formula, float):
        return int(formula) if formula.is_integer() and abs(formula) <= _MOST else None
    text = formula.strip() if isinstance(formula, str) else ""
    if not text:
        return 0
    reader = _Reader(text[:300])
    try:
        value = reader.total()
        return int(value // 1) if reader.token() == "" and reader.place >= len(text[:300].rstrip()) else None
    except _BadFormula:
        return None

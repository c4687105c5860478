"""Work out formulas of virtual tabletops: `8 + @mod + @prof`, `max(1, @mod)`, `2d6 + 3`."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(r"\s*(?:([0-9]{1,6})(?![0-9dD])|([a-z]{3,5})(?=\s*\()|([-+*/(),])|$)")
_REFERENCE = re.compile(r"@([A-Za-z0-9_.-]{1,80})")
_DICE = re.compile(r"([0-9]{0,3})d([0-9]{1,4})", re.IGNORECASE)
_PLUS = re.compile(r"(?<=[0-9])\s*([+-])\s*(?=[0-9@(])")
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


def filled(formula: object, look_up: Callable[[str], object]) -> str:
    """Return a formula with numbers for each `@path`; an unknown one becomes the last word of its path."""
    text = str(formula)[:300] if isinstance(formula, str | int) else ""

    def number(match: re.Match[str]) -> str:
        value = look_up(match[1])
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}" if value >= 0 else f"({value:g})"
        if isinstance(value, str) and value:
            return value
        return match[1].rsplit(".", 1)[-1].replace("-", " ")

    return _REFERENCE.sub(number, text).strip()


_COUNT = re.compile(r"((?:\b[a-z]{3,5})?\((?:[^()]|\([^()]{0,60}\)){1,80}\))(?=d[0-9])")


def counted(formula: str) -> str:
    """Return a formula whose numbers of dice are worked out: `2d6` for `(floor(4/2))d6`."""

    def number(match: re.Match[str]) -> str:
        worked = total(match[1])
        return match[1] if worked is None else str(worked)

    return _COUNT.sub(number, formula) if ")d" in formula else formula


_ONE_DIE = re.compile(r"\s*([0-9]{0,3})d([0-9]{1,4})((?:\s*[+-]\s*[0-9]{1,4})?)\s*")


def added(formula: str, more: str, times: int) -> str:
    """Return a formula with another added several times: `1d8` and two times `2d8` are `5d8`."""
    if times <= 0:
        return formula
    first, second = _ONE_DIE.fullmatch(formula), _ONE_DIE.fullmatch(more)
    if first and second and first[2] == second[2] and not second[3]:
        return f"{int(first[1] or 1) + times * int(second[1] or 1)}d{first[2]}{first[3]}"
    return "+".join([formula, *[more] * times])


def plus(dice: str, bonus: int) -> str:
    """Return dice with a number added: `2d6+3`; dice alone for 0, the number alone without dice."""
    if not dice:
        return str(bonus)
    return f"{dice}{bonus:+}" if bonus else dice


_SUM = re.compile(r"\s*([+-]?)\s*\(?\s*(-?)\s*([0-9]{0,3}[dD][0-9]{1,4}|[0-9]{1,6})\s*\)?\s*(?=[+-]|$)")


def summed(formula: str) -> str:
    """Return a sum with its numbers added up behind the dice, `2d4+2` for `2d4 + 5 - 3`; else the formula."""
    dice, number, place = "", 0, 0
    while place < len(formula):
        match = _SUM.match(formula, place)
        if not match or (place and not match[1]):
            return formula
        minus = (match[1] == "-") != bool(match[2])
        if match[3].isdecimal():
            number += -int(match[3]) if minus else int(match[3])
        else:
            dice += f"{'-' if minus else '+' if dice else ''}{match[3]}"
        place = match.end()
    return plus(dice, number)


def average(dice: str, bonus: int = 0) -> int | None:
    """Return what dice such as `2d6+1d4+3` come to on average, rounded down; None where it is no such sum."""
    rest = _DICE.sub("", dice)
    twice = sum(int(count or 1) * (int(sides) + 1) for count, sides in _DICE.findall(dice))
    number = total(re.sub(r"(?:^|[+-])\s*(?=[+-]|$)", "", rest.strip())) if rest.strip() else 0
    return None if number is None else max(0, (twice + 2 * (number + bonus)) // 2)


def spaced(dice: str) -> str:
    """Return dice as books write them: `2d6 + 3`."""
    return _PLUS.sub(r" \1 ", dice)


def rolled(dice: str, least: int = 0) -> str:
    """Return dice with their average before them, `19 (2d10 + 8)`; a number alone as it is."""
    mean = average(dice) if "d" in dice else None
    return dice if mean is None else f"{max(least, mean)} ({spaced(dice)})"

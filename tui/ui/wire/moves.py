"""The cheapest way to bring the cursor from one cell to another."""

from __future__ import annotations

from functools import lru_cache


def address(y: int, x: int) -> str:
    """The absolute move; a missing number means 1."""
    row, column = str(y + 1) if y else "", f";{x + 1}" if x else ""
    return f"\x1b[{row}{column}H"


def _steps(count: int, one: str, many: str) -> str:
    """The shorter of `count` times the short code and the one that takes a number."""
    return min(one * count, f"\x1b[{count if count > 1 else ''}{many}", key=len)


def _across(x0: int | None, x1: int) -> str:
    """The shortest move within a row; `x0` None: the column is not known."""
    if x0 == x1:
        return ""
    if x1 == 0:
        return "\r"
    ways = [f"\x1b[{x1 + 1}G", "\r" + _steps(x1, "\x1b[C", "C")]
    if x0 is not None:
        ways.append(_steps(x1 - x0, "\x1b[C", "C") if x1 > x0 else _steps(x0 - x1, "\b", "D"))
    return min(ways, key=len)


def _along(y0: int, y1: int, *, linefeed: bool) -> str:
    """The shortest move within a column. A line feed never scrolls here: y1 is on the screen."""
    down = _steps(y1 - y0, "\n" if linefeed else "\x1b[B", "B")
    return min(down if y1 > y0 else _steps(y0 - y1, "\x1bM", "A"), f"\x1b[{y1 + 1}d", key=len)


@lru_cache(maxsize=4096)
def move(start: tuple[int | None, int | None], goal: tuple[int, int], *, linefeed: bool) -> str:
    """The shortest sequence from cell `start` to cell `goal`, both (row, column) from 0.

    A row of None is an unknown place; a column of None an unknown column, as after writing the last one,
    where terminals disagree about the cursor. `linefeed`: the line discipline sends line feeds unchanged.
    """
    (y0, x0), (y1, x1) = start, goal
    if (y0, x0) == (y1, x1):
        return ""
    direct = address(y1, x1)
    # Nothing relative can be trusted from an unknown place.
    if y0 is None:
        return direct
    if y0 == y1:
        return min(_across(x0, x1), direct, key=len)
    return min(direct, _along(y0, y1, linefeed=linefeed) + _across(x0, x1), key=len)

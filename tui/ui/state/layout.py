"""Where each part of the screen stands, for every size there is."""

from __future__ import annotations

from msgspec import Struct

PANES = ("track", "roster", "orders", "log")
NARROW, LOW = 60, 18
WIDE = 100


class Box(Struct, frozen=True):
    """A rectangle of the screen, in columns and lines from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


def arrange(width: int, height: int, only: str = "", need: int = 0) -> dict[str, Box]:
    """A box for every part that has room: header, the four panes, now, hints.

    `only` names the pane that has all the room; in a small terminal there is always one. `need` is how many
    lines the order pane would like to have.
    """
    if width < 1 or height < 1:
        return {}
    small = width < NARROW or height < LOW
    found = _frame(width, height, small=small)
    top, bottom = (1 if "header" in found else 0), found["now"].y
    if small or only:
        if bottom > top:
            found[only or "track"] = Box(0, top, width, bottom - top)
        return found
    return found | _four(width, top, bottom, need)


def _frame(width: int, height: int, *, small: bool) -> dict[str, Box]:
    hints = 1 if height > 1 else 0
    now = max(1, min(2 if width >= NARROW else 3, height - hints - 2))
    found = {"now": Box(0, height - hints - now, width, now)}
    if hints:
        found["hints"] = Box(0, height - 1, width, 1)
    if not small or height - hints - now > 4:
        found["header"] = Box(0, 0, width, 1)
    return found


def _four(width: int, top: int, bottom: int, need: int) -> dict[str, Box]:
    log = max(4, min(12, (bottom - top) * 3 // 10))
    high = bottom - top - log
    left = max(30, min(58, width * 9 // 20 if width < WIDE else width // 2))
    orders = max(min(need, high - 4), 4, high // 4)
    return {
        "track": Box(0, top, left, high),
        "roster": Box(left, top, width - left, high - orders),
        "orders": Box(left, top + high - orders, width - left, orders),
        "log": Box(0, top + high, width, log),
    }

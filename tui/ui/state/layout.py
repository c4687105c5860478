"""Where each part of the screen stands, for every size there is."""

from __future__ import annotations

from typing import Literal, assert_never, get_args

from msgspec import Struct

Pane = Literal["track", "roster", "orders", "log"]
PANES: tuple[Pane, ...] = get_args(Pane)
"""The panes, in the order in which Tab goes through them."""

Part = Literal["header", Pane, "now", "hints", "over"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What the screen is made of. `over` lies over all panes."""

Content = Literal["entries", "creatures", "steps", "text"]
"""What the rows of a pane stand for; it decides what the keys do there, so that a pane of known content is drawn
and placed, and everything else follows."""

NARROW, LOW = 60, 18
WIDE = 100


def content(pane: Pane) -> Content:
    """What the rows of this pane stand for."""
    match pane:
        case "track":
            return "entries"
        case "roster":
            return "creatures"
        case "log":
            return "steps"
        case "orders":
            return "text"
        case _:
            assert_never(pane)


def lists_creatures(pane: Pane) -> bool:
    """Whether a command can mean the current row of this pane."""
    return content(pane) in ("entries", "creatures")


class Box(Struct, frozen=True):
    """A rectangle of the screen, in columns and lines from its upper left corner."""

    x: int
    y: int
    width: int
    height: int


def arrange(width: int, height: int, only: Part | None = None, need: int = 0) -> dict[Part, Box]:
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


def right_of(width: int) -> int:
    """The columns of the panes on the right, where there are four."""
    return width - max(30, min(58, width * 9 // 20 if width < WIDE else width // 2))


def _frame(width: int, height: int, *, small: bool) -> dict[Part, Box]:
    hints = 1 if height > 1 else 0
    # Narrow screens wrap the Now line sooner, so it gets a third line there.
    now = max(1, min(2 if width >= NARROW else 3, height - hints - 2))
    found: dict[Part, Box] = {"now": Box(0, height - hints - now, width, now)}
    if hints:
        found["hints"] = Box(0, height - 1, width, 1)
    if not small or height - hints - now > 4:
        found["header"] = Box(0, 0, width, 1)
    return found


def _four(width: int, top: int, bottom: int, need: int) -> dict[Part, Box]:
    log = max(4, min(12, (bottom - top) * 3 // 10))
    high = bottom - top - log
    left = width - right_of(width)
    # The roster keeps four lines whatever a form would like to have.
    orders = max(min(need, high - 4), 4, high // 4)
    return {
        "track": Box(0, top, left, high),
        "roster": Box(left, top, width - left, high - orders),
        "orders": Box(left, top + high - orders, width - left, orders),
        "log": Box(0, top + high, width, log),
    }

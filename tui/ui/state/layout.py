"""Where each part of the screen stands, for every size there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.rows import Box

Pane = Literal["track", "roster", "orders", "log"]
PANES: tuple[Pane, ...] = get_args(Pane)
"""The panes, in the order in which Tab goes through them."""

Part = Literal["header", Pane, "card", "second", "coming", "now", "hints", "over"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What the screen is made of. `card` is that of who acts, `second` that of the current row, `coming` the
orders beside the one being carried out; `over` lies over all panes."""

Content = Literal["entries", "creatures", "steps", "text"]
"""What the rows of a pane stand for; it decides what the keys do there, so that a pane of known content is
drawn and placed, and everything else follows."""

NARROW, LOW = 60, 18
"""Columns and lines from which on there are panes below each other."""
TWO = 80
"""Columns from which on there are two sides."""


def content(pane: Pane) -> Content:
    """Return what the rows of this pane stand for."""
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
    """Return whether a command can mean the current row of this pane."""
    return content(pane) in ("entries", "creatures")


KEPT = 5
"""Lines that a card keeps for the rest of the round, at the most."""
LOG = 4
"""Lines that the log has at the least, its title among them."""


LEAST_LOG = 2
"""Lines that the log has beside a running order on a narrow screen, its title among them."""


class Heights(Struct, frozen=True):
    """Heights of the upper part and the card.

    Those since the last step hold while the cursor moves. Those of the round grow at once and shrink when a
    round begins: a card that took its lines back with every turn would push all that stands below it.
    """

    upper: int = 0
    card: int = 0


class Needs(Struct, frozen=True):
    """The lines that the parts would like to have, titles among them; 0: nothing to say.

    `least`: the lines that the upper part had before in this round, `upper` those that it has exactly, where
    that is not 0, `log` those that the log has at the least. `first`: the pane that has the keys, which gives
    way last; `running`: an order is being carried out; `left`: the pane in place of the track.
    """

    track: int = 1
    coming: int = 0
    card: int = 0
    second: int = 0
    orders: int = 0
    roster: int = 0
    least: int = 0
    upper: int = 0
    log: int = LOG
    first: Pane = "track"
    left: Pane = "track"
    running: bool = False


LOWEST = 8
"""Lines that the upper part has at the least, where there is room for both."""
LIST = 3
"""Lines below which a list beside other parts is not worth its title."""


def arrange(width: int, height: int, only: Part | None = None, needs: Needs | None = None) -> dict[Part, Box]:
    """Return a box for every part that has room and something to say.

    `only` names the pane that has all the room.
    """
    if width < 1 or height < 1:
        return {}
    small = is_small(width, height)
    boxes = _frame(width, height, small=small)
    top, bottom = (1 if "header" in boxes else 0), boxes["now"].y
    wanted = needs or Needs()
    if only or bottom <= top:
        if bottom > top:
            # A title would take the place of the acting row.
            boxes[only or "track"] = Box(
                0, top, width, bottom - top, bare=only == "track" and bottom - top < LIST
            )
        return boxes
    if small:
        return boxes | _stacked(width, top, bottom, wanted)
    upper = _upper(bottom - top, wanted, height, narrow=width < TWO)
    boxes |= _parts(width, top, upper, wanted)
    return boxes | {"log": Box(0, top + upper, width, bottom - top - upper)}


def is_small(width: int, height: int) -> bool:
    """Return whether there is no room for panes beside or below each other."""
    return width < NARROW or height < LOW


def right_of(width: int) -> int:
    """Return the columns of the parts on the right; of all parts on a screen without two sides."""
    return width if width < TWO else 32 + (width - TWO) * 19 // 40


def upper_of(boxes: Mapping[Part, Box]) -> int:
    """Return how many lines lie above the log; 0 where there is none."""
    return boxes["log"].y - (1 if "header" in boxes else 0) if "log" in boxes else 0


def risen(boxes: Mapping[Part, Box], before: Heights) -> Heights:
    """Return how high the parts are now, or were before; a card with nothing below takes what is left."""
    card = boxes["card"].height if {"card", "roster"} <= boxes.keys() else 0
    return Heights(max(before.upper, upper_of(boxes)), min(KEPT, max(before.card, card)))


def heights(boxes: Mapping[Part, Box]) -> Heights:
    """Return how high the upper part and the card are."""
    return Heights(upper_of(boxes), boxes["card"].height if "card" in boxes else 0)


def _frame(width: int, height: int, *, small: bool) -> dict[Part, Box]:
    hints = 1 if height > 1 else 0
    now = max(1, min(2, height - hints - 2))
    boxes: dict[Part, Box] = {"now": Box(0, height - hints - now, width, now)}
    if hints:
        boxes["hints"] = Box(0, height - 1, width, 1)
    if not small or height - hints - now > 4:
        boxes["header"] = Box(0, 0, width, 1)
    return boxes


def _upper(room: int, n: Needs, height: int, *, narrow: bool) -> int:
    """Return the lines above the log: what the fuller side wants, and no fewer than before in this round."""
    # Without the second card, which follows the cursor: no pane moves because that does.
    left, right = n.track + n.coming, n.card + n.orders + n.roster
    wanted = n.track + min(n.card, LIST) + n.orders if narrow else max(left, right)
    if n.upper:
        return min(n.upper, room)
    # Of a narrow screen the running order takes the lines of the log, unless a lesson stands there.
    log = LEAST_LOG if narrow and n.running and n.log <= LOG else max(n.log, LOG + max(0, height - 24) // 4)
    most = room - min(log, room // 2)
    return min(max(wanted, n.least, LOWEST), most)


def _parts(width: int, top: int, upper: int, n: Needs) -> dict[Part, Box]:
    if width < TWO:
        boxes = _column(0, top, width, _shares(upper, _narrow(n, upper)))
        # Beside a running order the card is one line.
        return {k: replace(box, bare=k == "card" and box.height == 1) for k, box in boxes.items()}
    right = right_of(width)
    boxes = _column(0, top, width - right, _shares(upper, ((n.left, n.track), ("coming", n.coming))))
    return boxes | _column(width - right, top, right, _shares(upper, _wanted(n)))


def _wanted(n: Needs) -> tuple[tuple[Part, int], ...]:
    """Return the parts on the right with the lines that they want; the last gives way first."""
    parts: list[tuple[Part, int]] = [
        ("card", n.card),
        ("orders", n.orders),
        ("second", n.second),
        ("roster", n.roster),
    ]
    # The pane that has the keys must be there for them, whatever gives way.
    return (
        tuple(sorted(parts, key=lambda part: part[0] != n.first))
        if n.first in ("orders", "roster")
        else tuple(parts)
    )


def _narrow(n: Needs, upper: int) -> tuple[tuple[Part, int], ...]:
    """Lay the parts one below the other: a short card, the order, and the track around them."""
    if n.first in ("orders", "roster") and n.first != n.left:
        wanted = n.orders if n.first == "orders" else n.roster
        return ((n.first, min(max(wanted, LIST), upper - LIST)), (n.left, upper))
    card, orders = min(n.card, LIST), min(n.orders, max(0, upper // 3))
    if n.running:
        card = min(n.card, 1)
        orders = min(n.orders, max(LIST, upper - LIST - 1 - card))
    elif n.track > upper - card - orders:
        # In three lines a card says little more than in one, and who acts after whom needs the rows.
        card = min(n.card, 1)
    return ((n.left, max(LIST, upper - card - orders)), ("card", card), ("orders", orders))


SHOWN: tuple[Part, ...] = ("track", "coming", "card", "orders", "roster", "second")
"""The order in which parts stand below each other."""


def _shares(room: int, wanted: Sequence[tuple[Part, int]]) -> list[tuple[Part, int]]:
    """Return the lines of each part: what it wants while there is room; the last one has the rest."""
    shares: dict[Part, int] = {}
    for part, lines in wanted:
        given = min(lines, room)
        if lines and (given >= min(lines, LIST) or not shares):
            shares[part] = given
            room -= given
    pairs = [(part, shares[part]) for part in SHOWN if part in shares]
    return [*pairs[:-1], (pairs[-1][0], pairs[-1][1] + room)] if pairs else []


def _column(x: int, top: int, width: int, shares: Sequence[tuple[Part, int]]) -> dict[Part, Box]:
    boxes: dict[Part, Box] = {}
    for part, lines in shares:
        boxes[part] = Box(x, top, width, lines)
        top += lines
    return boxes


def _stacked(width: int, top: int, bottom: int, n: Needs) -> dict[Part, Box]:
    """Return the boxes of a small screen, without titles: track, a line of card, order, latest message."""
    room = bottom - top
    card = 1 if n.card and room > LIST else 0
    wanted = max(0, n.orders - 1)
    # The order that is being carried out goes before what has happened.
    log = 1 if room > LIST + 3 and room - card - LIST - 2 >= wanted else 0
    orders = min(wanted, max(0, room - card - log - LIST))
    track = room - card - orders - log
    shares: list[tuple[Part, int]] = [("track", track), ("card", card), ("orders", orders), ("log", log)]
    boxes = _column(0, top, width, [(part, lines) for part, lines in shares if lines])
    return {part: replace(box, bare=True) for part, box in boxes.items()}

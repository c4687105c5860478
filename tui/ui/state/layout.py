"""Give each part of the screen a box, for every size: first the least height, then more by rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.rows import Box

Part = str
"""The name of a part of the screen, as in its file in `ui/panes`."""
Pane = Part
"""The name of a part that can have focus."""

Content = Literal["entries", "creatures", "steps", "text"]
"""The kind of rows in a pane, which decides what keys do there."""
_CONTENTS: Mapping[Pane, Content] = {"track": "entries", "roster": "creatures", "log": "steps"}

Place = Literal["top", "left", "right", "across", "log", "over", "bottom"]
"""Where a part is.

In a column above the log, across both of them below, in place of the log, over all of these, or in the frame
around them.
"""
Kind = Literal["small", "narrow", "wide"]
"""Whether there is room for one pane, for panes below each other, or also beside each other."""

NARROW, LOW = 60, 18
"""The least columns and lines for panes below each other."""
TWO_COLUMNS_WIDTH = 80
"""The least columns for two columns of panes."""
CARD_LINES_KEPT = 5
"""The most lines of a card that are remembered until the round ends, so that the panes below do not move."""
SECOND_LINES = 5
"""The lines for the second card, with its title, that are kept free below the card."""
LEAST_LOG_LINES = 4
"""The least lines of the log, with its title."""
LEAST_LOG = 3
"""The fewest lines that the log keeps below a notice, or below a part that covers the panes."""
SHORTEST_LOG = 2
"""The fewest lines that the log keeps with its title, below an order that is written or carried out."""
LEAST_UPPER_LINES = 8
"""The fewest lines of the upper part, if the log fits below it."""
LEAST_LIST_LINES = 3
"""The least lines of a list, with its title."""
TALL_HEIGHT = 24
"""The height in lines from which the log gets more than its least."""


def content(pane: Pane) -> Content:
    """Return the kind of rows that a pane has; "text" for a pane that is not in the table."""
    return _CONTENTS.get(pane, "text")


def lists_creatures(pane: Pane) -> bool:
    """Return whether a command can use the current row of this pane."""
    return content(pane) in ("entries", "creatures")


class Room(Struct, frozen=True):
    """The size of the screen in columns and lines."""

    width: int
    height: int

    @property
    def kind(self) -> Kind:
        """Which panes fit at once, for this width and height."""
        if is_small(self.width, self.height):
            return "small"
        return "narrow" if self.width < TWO_COLUMNS_WIDTH else "wide"

    @property
    def left(self) -> int:
        """The width of a part on the left, in columns."""
        return self.width - right_of(self.width) if self.width >= TWO_COLUMNS_WIDTH else self.width

    @property
    def right(self) -> int:
        """The width of a part on the right, in columns."""
        return right_of(self.width)


class Claim(Struct, frozen=True):
    """The lines that a part asks for."""

    part: Part
    place: Place
    wants: int
    """The lines that the part can use, including its title."""
    least: int = LEAST_LIST_LINES
    """The fewest lines that the part needs, including its title."""
    rank: int = 0
    """Of the parts in one place, those with lower ranks get their lines first."""
    instead: Part = ""
    """The part that this one replaces: while that part has a box, this one gets none; "" for none."""


class Heights(Struct, frozen=True):
    """Heights of the upper part and the card, in lines."""

    upper: int = 0
    card: int = 0


class Remembered(Struct, frozen=True):
    """Heights to keep from earlier frames, so that panes do not jump."""

    round: Heights = Heights()
    """The greatest heights in this round: they grow at once, and shrink only when a round begins."""
    step: Heights = Heights()
    """The heights since the last step, which stay while the cursor moves."""


def is_small(width: int, height: int) -> bool:
    """Return whether there is room for only one pane."""
    return width < NARROW or height < LOW


def right_of(width: int) -> int:
    """Return the columns of the parts on the right, the whole width if there is only one column."""
    return width if width < TWO_COLUMNS_WIDTH else 32 + (width - TWO_COLUMNS_WIDTH) * 19 // 40


def upper_of(boxes: Mapping[Part, Box]) -> int:
    """Return how many lines are above the log, 0 if the log has no box."""
    return boxes["log"].y - (1 if "header" in boxes else 0) if "log" in boxes else 0


def heights(boxes: Mapping[Part, Box]) -> Heights:
    """Return the heights of the upper part and the card."""
    return Heights(upper_of(boxes), boxes["card"].height if "card" in boxes else 0)


def grow_heights(boxes: Mapping[Part, Box], before: Heights) -> Heights:
    """Return the greater of these heights and those before; the last card fills what is left."""
    card = boxes["card"].height if {"card", "roster"} <= boxes.keys() else 0
    return Heights(max(before.upper, upper_of(boxes)), min(CARD_LINES_KEPT, max(before.card, card)))


# --- the solver


def arrange(
    claims: Sequence[Claim], width: int, height: int, remembered: Remembered | None = None
) -> dict[Part, Box]:
    """Return a box for each part that fits, in the order of the claims."""
    if width < 1 or height < 1:
        return {}
    by_place: dict[Place, Sequence[Claim]] = {}
    for claim in claims:
        if claim.wants > 0:
            by_place[claim.place] = (*by_place.get(claim.place, ()), claim)
    kind = Room(width, height).kind
    boxes = _frame(by_place, width, height, kind)
    top = max((b.y + b.height for name, b in boxes.items() if name in _parts(by_place, "top")), default=0)
    bottom = min((b.y for name, b in boxes.items() if name in _parts(by_place, "bottom")), default=height)
    if bottom > top:
        inner = Box(0, top, width, bottom - top)
        boxes |= _arrange_inner(by_place, inner, height, kind, remembered or Remembered())
    if any(claim.part in boxes and claim.instead in boxes for claim in claims):
        needed = [claim for claim in claims if claim.instead not in boxes]
        return arrange(needed, width, height, remembered)
    return _with_notice(boxes, by_place)


def _parts(by_place: Mapping[Place, Sequence[Claim]], *places: Place) -> list[Part]:
    return [claim.part for place in places for claim in by_place.get(place, ())]


def _frame(by_place: Mapping[Place, Sequence[Claim]], width: int, height: int, kind: Kind) -> dict[Part, Box]:
    """Return the boxes of header, Now and hints; the smallest screens have no hints, then no header."""
    now, *hints = by_place.get("bottom", ())
    last = 1 if hints and height > 1 else 0
    high = max(1, min(now.least, height - last - 2))
    boxes = {now.part: Box(0, height - last - high, width, high)}
    if last:
        boxes[hints[0].part] = Box(0, height - 1, width, 1)
    if kind != "small" or height - last - high > 4:
        boxes |= {claim.part: Box(0, 0, width, 1) for claim in by_place.get("top", ())}
    return boxes


def _arrange_inner(
    by_place: Mapping[Place, Sequence[Claim]], inner: Box, height: int, kind: Kind, remembered: Remembered
) -> dict[Part, Box]:
    """Return the boxes of everything between header and Now."""
    if claim := by_place.get("over"):
        rest: dict[Place, Sequence[Claim]] = {k: x for k, x in by_place.items() if k != "over"}
        beneath = _arrange_inner(rest, inner, height, kind, remembered) if rest.get("log") else {}
        return _arrange_cover(claim[0], beneath.get("log"), inner)
    log = by_place.get("log", [])
    columns = [*by_place.get("left", ()), *by_place.get("right", ())]
    across = by_place.get("across", [])
    if not log and len(columns) + len(across) == 1:
        # A title would take the line of the acting row.
        bare = bool(columns) and inner.height < LEAST_LIST_LINES
        return {x.part: replace(inner, bare=bare) for x in (*columns, *across)}
    if kind == "small" and not across:
        return _arrange_column(replace(inner, bare=True), _shares(inner.height, [*columns, *log], first=True))
    return _stack(by_place, inner, height, kind, remembered)


def _arrange_cover(claim: Claim, log: Box | None, inner: Box) -> dict[Part, Box]:
    """Return the box of a part that covers the panes, and of the last log rows if enough stay free."""
    end = inner.y + inner.height
    start = max(log.y, inner.y + claim.least) if log else end
    if log is None or log.y + log.height != end or end - start < LEAST_LOG:
        return {claim.part: inner}
    return {
        claim.part: replace(inner, height=start - inner.y),
        "log": Box(inner.x, start, inner.width, end - start),
    }


def _stack(
    by_place: Mapping[Place, Sequence[Claim]], inner: Box, height: int, kind: Kind, remembered: Remembered
) -> dict[Part, Box]:
    """Return the boxes of the upper part, of the parts across below it, and of the log."""
    left, right = list(by_place.get("left", ())), list(by_place.get("right", ()))
    across, logs = list(by_place.get("across", ())), list(by_place.get("log", ()))
    log = min(max((x.least for x in logs), default=0), inner.height // 2)
    wanted = max(_wanted_lines(left, right, kind), remembered.round.upper, LEAST_UPPER_LINES)
    shares: list[tuple[Part, int]] = []
    if across:
        needed = max(x.least for x in across)
        room = inner.height - log if inner.height - log >= needed else inner.height
        # A track that is worth a few lines keeps these; else the columns get what the parts across leave.
        kept = next((x.least for x in left if x.part == "track"), 0)
        kept = kept if kept < LEAST_UPPER_LINES and room - kept >= needed else 0
        wants = min(room - kept, sum(x.wants for x in across))
        shares = _shares(wants if room < inner.height else room, across)
        room -= sum(lines for _, lines in shares)
        upper = min(wanted, room) if left and room >= max(x.least for x in left) else 0
    else:
        # The higher the screen, the more of the log is shown.
        most = inner.height - min(log + max(0, height - TALL_HEIGHT) // 4, inner.height // 2)
        upper = min(remembered.step.upper, inner.height) or min(wanted, most)
    band = sum(lines for _, lines in shares)
    boxes: dict[Part, Box] = {}
    if upper:
        boxes = _upper(left, right, replace(inner, height=upper), kind, remembered)
    y = inner.y + upper
    below = _arrange_column(replace(inner, y=y, height=band), shares)
    rest = inner.y + inner.height - y - band
    ends = {x.part: Box(inner.x, y + band, inner.width, rest) for x in logs if rest > 0}
    return boxes | below | ends


def _wanted_lines(left: Sequence[Claim], right: Sequence[Claim], kind: Kind) -> int:
    """Return the lines that the upper part can use: the taller column, or all claims in a single column.

    The second card has a fixed count: it changes with the cursor, and panes must not move with the cursor.
    """
    sums = [sum(x.wants for x in some if x.part != "second") for some in (left, right)]
    kept = SECOND_LINES * any(x.part == "card" for x in right)
    return max(sums[0], sums[1] + kept) if kind == "wide" else sum(sums)


def _upper(
    left: Sequence[Claim], right: Sequence[Claim], box: Box, kind: Kind, remembered: Remembered
) -> dict[Part, Box]:
    """Return the boxes of the two columns, on a narrow screen of one."""
    if kind != "wide":
        return _arrange_column(box, _shares(box.height, [*left, *right], first=True))
    if not any(x.part == "orders" for x in right):
        # If there are orders, other parts come and go too, and they need the lines.
        card = remembered.step.card or remembered.round.card
        right = [replace(x, wants=max(x.wants, card)) if x.part == "card" else x for x in right]
    wide = right_of(box.width)
    column = Box(box.x + box.width - wide, box.y, wide, box.height)
    one = _arrange_column(replace(box, width=box.width - wide), _shares(box.height, left))
    return one | _arrange_column(column, _shares(box.height, right))


def _shares(room: int, claims: Sequence[Claim], *, first: bool = False) -> list[tuple[Part, int]]:
    """Return the lines of each part: first the least of each, then by rank as many as it wants.

    Lines still free go to the last part, or to the first one if `first`.
    """
    shares: dict[Part, int] = {}
    ordered = sorted(claims, key=lambda x: x.rank)
    for x in ordered:
        share = min(x.wants, x.least, room)
        if share and (share >= min(x.wants, x.least, LEAST_LIST_LINES) or not shares):
            shares[x.part] = share
            room -= share
    for x in ordered:
        more = min(x.wants - shares.get(x.part, x.wants), room)
        if more > 0:
            shares[x.part] += more
            room -= more
    pairs = [(x.part, shares[x.part]) for x in claims if x.part in shares]
    if pairs and room:
        place = 0 if first else -1
        pairs[place] = (pairs[place][0], pairs[place][1] + room)
    return pairs


def _arrange_column(box: Box, shares: Sequence[tuple[Part, int]]) -> dict[Part, Box]:
    boxes: dict[Part, Box] = {}
    y = box.y
    for part, lines in shares:
        boxes[part] = replace(box, y=y, height=lines)
        y += lines
    return boxes


def _with_notice(boxes: dict[Part, Box], by_place: Mapping[Place, Sequence[Claim]]) -> dict[Part, Box]:
    """Return the boxes with Now as high as it wants, so that a notice does not hide its first row.

    The log gives up the lines. If fewer than `LEAST_LOG` would stay, the boxes are unchanged.
    """
    claim = by_place["bottom"][0]
    now, log = boxes[claim.part], boxes.get("log")
    more = claim.wants - now.height
    if log is None or more < 1 or log.height - more < LEAST_LOG or log.y + log.height != now.y:
        return boxes
    return {
        **boxes,
        "log": replace(log, height=log.height - more),
        claim.part: replace(now, y=now.y - more, height=now.height + more),
    }

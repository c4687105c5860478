"""Draw the whole screen: where every part stands, and where the cursor is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec.structs import replace

from tui.core.fight.agenda import FormAsk
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import active, label, members
from tui.core.fight.viewer import is_plural
from tui.core.rules.optional import orders_of
from tui.ui.panes.header import header
from tui.ui.panes.hints import bottom
from tui.ui.panes.now import notice_need, now
from tui.ui.rows.card import card, card_line
from tui.ui.rows.card import need as card_need
from tui.ui.rows.creatures import HIDDEN, alike, kind_of, label_line
from tui.ui.rows.log import log
from tui.ui.rows.orders import coming, coming_need, orders, running_order
from tui.ui.rows.orders import last_top as orders_top
from tui.ui.rows.orders import need as orders_need
from tui.ui.rows.roster import need as roster_need
from tui.ui.rows.roster import roster
from tui.ui.rows.track import need as track_need
from tui.ui.rows.track import track
from tui.ui.state.layout import (
    LIST,
    LOG,
    PANES,
    TWO,
    Heights,
    Needs,
    Pane,
    Part,
    arrange,
    is_small,
    right_of,
)
from tui.ui.state.messages import Chronicle
from tui.ui.state.mode import ShownMode, mode_of
from tui.ui.state.scene import Scene, cards, due, focus, must_read, people, rows_pane
from tui.ui.text.rows import Box, Row, caret, clip, filled, joined, wrapped
from tui.ui.text.track import aloud

LEAST_OVER, LEAST_LOG = 13, 3
"""Lines that something over the panes would like, and those that the log keeps below it."""
MANUAL = 9
"""Lines of the help, its title among them: where the log has them, the panes above it stay as they are."""


SPACIOUS = (1000, 1000)
"""A size at which nothing gives way."""


def boxes(
    scene: Scene,
    width: int,
    height: int,
    least: Heights | None = None,
    log_lines: int = LOG,
    kept: Heights | None = None,
) -> dict[Part, Box]:
    """Return the box of every part that is shown.

    `least` are the heights of the parts in this round, `kept` their exact heights since the last step,
    `log_lines` the lines that the log needs.
    """
    placed = _without_notice(scene, width, height, least, log_lines, kept)
    return grown(placed, notice_need(scene, width))


def grown(placed: Mapping[Part, Box], lines: int) -> dict[Part, Box]:
    """Return the boxes with Now so high that a notice of `lines` leaves its first row; the log gives way."""
    now, log = placed.get("now"), placed.get("log")
    more = 1 + lines - now.height if now and lines else 0
    if now is None or log is None or more < 1 or log.height - more < LEAST_LOG or log.y + log.height != now.y:
        return dict(placed)
    return {
        **placed,
        "log": Box(log.x, log.y, log.width, log.height - more),
        "now": Box(now.x, now.y - more, now.width, now.height + more),
    }


def _without_notice(
    scene: Scene, width: int, height: int, least: Heights | None, log_lines: int, kept: Heights | None
) -> dict[Part, Box]:
    mode = mode_of(scene)
    if mode and mode.where == "band":
        return band(_panes(scene, width, height, least, log_lines), mode.need(scene, width))
    if on_a_sheet(scene):
        # Rows of a form come and go while it is written: what stands below it does not move with them.
        wanted = max(LEAST if mode and mode.writes else 0, orders_need(scene, width))
        return sheet(width, height, wanted, summary_need(scene, width))
    return _panes(scene, width, height, least, log_lines, kept)


def _panes(
    scene: Scene,
    width: int,
    height: int,
    least: Heights | None,
    log_lines: int,
    kept: Heights | None = None,
) -> dict[Part, Box]:
    mode = mode_of(scene)
    if mode and mode.where == "over":
        return _covered(scene, mode, (width, height), least, log_lines)
    beside = mode is not None and mode.where in ("beside", "sheet")
    at = focus(scene)
    alone: Part = "orders" if beside else at
    if scene.view.zoom and (scene.glyphs.spoken or not beside):
        return arrange(width, height, only=alone)
    # A small screen shows the track with what belongs to it, and anything else alone.
    if is_small(width, height) and (alone != "track" or not scene.encounter.running):
        return arrange(width, height, only=alone)
    before, needs = least or Heights(), _needs(scene, width, at, beside=beside)
    # Where there are orders the card is not the only thing that comes and goes, and they need the lines.
    card = needs.card if needs.orders or not needs.card else max(needs.card, before.card)
    needs = replace(needs, card=card, least=before.upper, log=log_lines)
    if kept and kept.upper and not beside:
        needs = replace(needs, upper=kept.upper, card=kept.card)
    return arrange(width, height, needs=needs)


def _needs(scene: Scene, width: int, at: Pane, *, beside: bool) -> Needs:
    right = right_of(width)
    first, second = cards(scene)
    mode = mode_of(scene)
    adds = mode is not None and mode.where == "band"
    coming = coming_need(scene, width - right) if width >= TWO and not beside else 0
    # What stands at the left is not said again at the right.
    running = running_order(scene)
    orders = 0 if adds or (coming and not running) else orders_need(scene, right, aside=bool(coming))
    if not scene.encounter.running:
        # Before the fight the roster is what the keys go to: it stands where the track will be.
        known = card_need(scene, first, right)
        orders = max(orders, LIST if at == "orders" else 0)
        first_ = "orders" if beside else at
        return Needs(roster_need(scene), 0, known, 0, orders, first=first_, left="roster")
    # Where members are chosen their conditions need the columns of the track; the cards stay.
    chosen = width >= TWO and rows_pane(scene) == "roster"
    return Needs(
        running=running and not beside and not adds,
        left="roster" if chosen else "track",
        track=1 + len(people(scene)) if chosen else track_need(scene),
        coming=coming,
        card=card_need(scene, first, right),
        second=card_need(scene, second, right),
        orders=max(orders, LIST if at == "orders" else 0),
        roster=0 if chosen else roster_need(scene),
        first="orders" if beside else at,
    )


def shown_panes(scene: Scene) -> tuple[Pane, ...]:
    """Return the panes that have something to say, in the order of Tab."""
    full = boxes(scene, *SPACIOUS)
    # Orders that stand below the track have the keys in the order pane.
    return tuple(pane for pane in PANES if pane in full or (pane == "orders" and "coming" in full))


def _covered(
    scene: Scene, mode: ShownMode, size: tuple[int, int], least: Heights | None, log_lines: int
) -> dict[Part, Box]:
    """Return the boxes under an overlay: the others stay, so that closing it sends only what it covered."""
    width, height = size
    placed = arrange(width, height, only="over")
    over = placed.get("over")
    idle = replace(scene, view=replace(scene.view, mode=None))
    # The log itself is not needed under one of its own steps.
    if over is None or scene.view.zoom or mode.covers == "all":
        return placed
    if mode.covers == "log":
        # What is looked up is looked up for the rows and the card, which stay: the log gives its place.
        below = _panes(idle, width, height, least, max(log_lines, MANUAL))
        log = below.pop("log", None)
        return {**below, "over": log} if log and log.height >= MANUAL else placed
    below_log = _panes(idle, width, height, least, log_lines).get("log")
    if below_log is None:
        return placed
    end = over.y + over.height
    start = max(below_log.y, over.y + LEAST_OVER)
    if below_log.y + below_log.height != end or end - start < LEAST_LOG:
        return placed
    # The log loses its upper rows, if any: its last ones stay where they are.
    return placed | {"over": Box(0, over.y, width, start - over.y), "log": Box(0, start, width, end - start)}


def on_a_sheet(scene: Scene) -> bool:
    """Return whether the order pane has the whole width: for forms, long menus, what must be read first."""
    mode = mode_of(scene)
    if mode and mode.where != "foot":
        return mode.where == "sheet"
    return must_read(scene) and scene.view.focus in (None, "orders") and not scene.view.zoom


def last_top(scene: Scene, pane: Pane, box: Box) -> int:
    """Return the offset that shows the last row of a pane of text; 0 for panes that page themselves."""
    match pane:
        case "orders":
            return orders_top(scene, box)
        case "track" | "roster" | "log":
            return 0
        case _:
            assert_never(pane)


def draw(
    scene: Scene, past: Chronicle, labels: Mapping[str, str], places: Mapping[Part, Box]
) -> dict[Part, list[Row]]:
    """Return the rows of every part that has a box. `labels` are the short words of commands, by id."""
    aside = "coming" in places
    return {part: _part(scene, past, labels, part, (box, aside)) for part, box in places.items()}


def _part(
    scene: Scene, past: Chronicle, labels: Mapping[str, str], part: Part, place: tuple[Box, bool]
) -> list[Row]:
    box, aside = place
    match part:
        case "header":
            return header(scene, box.width)
        case "track" if on_a_sheet(scene):
            return summary(scene, box.width, box.height)
        case "track":
            return track(scene, box.width, box.height, bare=box.bare)
        case "card" | "second":
            key = cards(scene)[part == "second"]
            return [card_line(scene, key, box.width)] if box.bare else card(scene, key, box.width, box.height)
        case "coming":
            return coming(scene, box.width, box.height)
        case "roster":
            return roster(scene, box.width, box.height)
        case "orders" if (mode := mode_of(scene)) and mode.where in ("sheet", "beside", "band"):
            return mode.rows(scene, box)
        case "orders":
            return orders(scene, box.width, box.height, bare=box.bare, aside=aside)
        case "log":
            return log(scene, past, box.width, box.height, bare=box.bare)
        case "now":
            return now(scene, box.width, box.height)
        case "hints":
            return bottom(scene, labels, box.width)
        case "over":
            mode = mode_of(scene)
            return mode.rows(scene, box) if mode else []
        case _:
            assert_never(part)


LEAST = 8
"""Lines of the sheet, below which nothing else stands on the screen."""

MOST = 40
"""How many wounded are looked at: what cannot be seen is not worded."""

SHEET_LOG = 4
LEAST_ABOVE = 4
"""Lines of the panes above a band."""

BESIDE: tuple[Part, ...] = ("track", "coming", "card", "orders", "roster", "second")
SUMMARY = 4
"""The most lines of the summary, its title among them; twice as many where orders are known already."""


def sheet(width: int, height: int, need: int, above: int) -> dict[Part, Box]:
    """Return the boxes while a sheet of `need` lines is open; `above` are the lines of the summary.

    The log has what the others do not need, and its least at all times; the summary replaces the track.
    """
    placed = arrange(width, height, only="orders")
    whole = placed.get("orders")
    if whole is None:
        return placed
    log = SHEET_LOG if whole.height >= LEAST + SHEET_LOG else 0
    room = whole.height - log
    # Of a summary that has no room beside the sheet one line stays, as long as the sheet can be used.
    least = min(above, 2) if room >= LEAST + SHEET_LOG else 0
    top = max(least, min(above, room - need))
    top = top if top > 1 else 0  # a title without a row says nothing
    log += max(0, room - top - max(need, 1)) if log else 0
    y, size = whole.y + top, whole.height - top - log
    if top:
        placed["track"] = Box(0, whole.y, width, top)
    placed["orders"] = Box(0, y, width, size)
    if log:
        placed["log"] = Box(0, y + size, width, log)
    return placed


def band(beneath: Mapping[Part, Box], lines: int) -> dict[Part, Box]:
    """Return the boxes with a band of `lines` over the whole width above the log, in place of the order pane.

    The log gives way first, then the panes. Without room for the band nothing changes.
    """
    panes = {part: beneath[part] for part in BESIDE if part in beneath}
    top = min((box.y for box in panes.values()), default=0)
    bottom = max((box.y + box.height for box in panes.values()), default=0)
    width = max((box.x + box.width for box in beneath.values()), default=0)
    log = beneath.get("log")
    taken = min(lines, max(0, log.height - SHEET_LOG)) if log else 0
    end, placed = bottom - (lines - taken), dict(beneath)
    if taken < lines and end - top < LEAST_ABOVE:
        return placed
    if log:
        placed["log"] = Box(log.x, log.y + taken, log.width, log.height - taken)
    order = placed.pop("orders", None)
    for part, box in panes.items():
        # The pane above the order pane has its room, as far as the band leaves any.
        above = order is not None and (box.x, box.y + box.height) == (order.x, order.y)
        if part != "orders":
            placed[part] = Box(
                box.x, box.y, box.width, (end if above else min(end, box.y + box.height)) - box.y
            )
    return {part: box for part, box in placed.items() if box.height > 0} | {
        "orders": Box(0, end, width, lines)
    }


def summary_need(scene: Scene, width: int) -> int:
    """Return the lines of the summary with its title; 0 where there is nothing to say."""
    rows = _lines(scene, width)
    most = 2 * SUMMARY if any(_order_lines(scene)) else SUMMARY
    return min(most, 1 + len(rows)) if rows else 0


def summary(scene: Scene, width: int, height: int) -> list[Row]:
    """Return who is hurt or has a condition, and who owes an order: what must not be lost from sight."""
    rows = _lines(scene, width)
    room = max(0, height - 1)
    shown = joined(rows, room, scene.glyphs.joint) if room else []
    body: list[Row] = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in shown]
    return filled([label_line(scene, "Track", width), *body], height)


def _lines(scene: Scene, width: int) -> list[str]:
    e = scene.encounter
    acts = f"{label(e, e.acting)} {'act' if is_plural(e, e.acting) else 'acts'}" if e.turn else ""
    now = scene.glyphs.joint.join(filter(None, (acts, _wounds(scene, active(e)))))
    foes, friends = _order_lines(scene)
    return [row for text in (_owing(scene), foes, now, friends) if text for row in wrapped(text, width - 2)]


def _wounds(scene: Scene, some: Iterable[Combatant]) -> str:
    """Return hit points and conditions of those who are hurt, hidden or have a condition; "" for none.

    Those of one kind who are in the same way stand together.
    """
    creatures: dict[tuple[str, str], list[str]] = {}
    for c in some:
        if how := _how(c):
            creatures.setdefault((kind_of(c.name), how), []).append(c.name)
    texts = [f"{alike(names, scene.glyphs)} {how}" for (_, how), names in creatures.items()]
    return scene.glyphs.joint.join(texts[:MOST])


def _how(c: Combatant) -> str:
    texts = [f"{c.hp}/{c.most_hp}"] if c.hp is not None and c.hp != c.most_hp else []
    texts += [("stable" if c.dying.stable else "dying")] if c.dying else []
    texts += [HIDDEN] if c.hidden else []
    texts += [", ".join(aloud(x.name) for x in c.conditions)] if c.conditions else []
    return " ".join(texts)


def _order_lines(scene: Scene) -> tuple[str, str]:
    """Return the open orders of this round, which are known before one's own is written.

    Those of the writer's foes stand apart: they come first, and are the last to be cut.
    """
    e, mode = scene.encounter, mode_of(scene)
    if not mode or not mode.writes or not e.running:
        return "", ""
    own = {c.side for c in members(e, mode.writes)}
    texts: dict[bool, list[str]] = {True: [], False: []}
    for o in orders_of(scene.system, e):
        if o.open and o.text and o.state in ("written", "locked"):
            words = ", ".join(o.wording(part) for part, v in o.text.items() if v)
            friend = not own.isdisjoint(c.side for c in members(e, o.who))
            texts[friend].append(f"{label(e, o.who)}: {words}")
    joint = scene.glyphs.joint
    return joint.join(texts[False]), joint.join(texts[True])


def _owing(scene: Scene) -> str:
    """Return who still owes an order, in the order of writing."""
    mode = mode_of(scene)
    if not mode or not mode.writes:
        return ""
    owed = [label(scene.encounter, a.who) for a in due(scene) if isinstance(a, FormAsk)]
    return "still owed: " + ", ".join(owed) if owed else ""


def place(scene: Scene, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
    """Return column and line, from 0, of the text cursor, else of the current row, the text, or Now."""
    return caret(scene.glyphs, _cursor_part(scene), boxes, drawn)


def _cursor_part(scene: Scene) -> Part:
    """Return the part that the keys go to."""
    mode = mode_of(scene)
    return mode.part if mode else focus(scene)

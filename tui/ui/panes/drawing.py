"""The whole screen: where every part stands, and what is drawn there.

Forms, menus and what lies over the panes are imported when they are drawn: the first picture does not wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from tui.ui.panes.bars import header, now_bar
from tui.ui.panes.creatures.card import MOST as CARD
from tui.ui.panes.creatures.card import card, card_line
from tui.ui.panes.creatures.card import need as card_need
from tui.ui.panes.creatures.roster import need as roster_need
from tui.ui.panes.creatures.roster import roster
from tui.ui.panes.declared import running_order
from tui.ui.panes.hints import bottom
from tui.ui.panes.log import log
from tui.ui.panes.orders import USUAL, coming, coming_need, orders, widest
from tui.ui.panes.orders import last_top as orders_top
from tui.ui.panes.orders import need as orders_need
from tui.ui.panes.track import need as track_need
from tui.ui.panes.track import track
from tui.ui.state.finder.manual import Manual
from tui.ui.state.layout import (
    LIST,
    LOG,
    PANES,
    TWO,
    Box,
    Heights,
    Needs,
    Pane,
    Part,
    Risen,
    arrange,
    is_small,
    right_of,
)
from tui.ui.state.messages import Chronicle
from tui.ui.state.rows import Row
from tui.ui.state.scene import Scene, cards, focus, must_read
from tui.ui.state.view import Form, Intake, Menu, Page, PickList, Prompt, StepPage, lies_over

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
    least: Risen | None = None,
    log_lines: int = LOG,
    kept: Heights | None = None,
) -> dict[Part, Box]:
    """Return the box of every part that is shown.

    `least`: how high the parts were before in this round; `kept`: how high they are since the last step, exactly;
    `log_lines`: those that the log needs.
    """
    mode = scene.view.mode
    if isinstance(mode, Prompt) and mode.kind == "add":
        from tui.ui.panes.adding import NEED
        from tui.ui.panes.sheet import band

        return band(_panes(scene, width, height, least, log_lines), NEED)
    if on_a_sheet(scene):
        from tui.ui.panes.form import form_need
        from tui.ui.panes.sheet import LEAST, sheet, summary_need

        # Rows of a form come and go while it is written: what stands below it does not move with them.
        form = max(LEAST, form_need(scene, mode, width)) if isinstance(mode, Form) else 0
        wanted = form or orders_need(scene, width)
        return sheet(width, height, wanted, summary_need(scene, width))
    return _panes(scene, width, height, least, log_lines, kept)


def _panes(
    scene: Scene, width: int, height: int, least: Risen | None, log_lines: int, kept: Heights | None = None
) -> dict[Part, Box]:
    mode = scene.view.mode
    if lies_over(mode):
        return _covered(scene, width, height, least, log_lines)
    beside = isinstance(mode, PickList | Menu | Page)
    at = focus(scene)
    alone: Part = "orders" if beside else at
    if scene.view.zoom and (scene.glyphs.spoken or not beside):
        return arrange(width, height, only=alone)
    # A small screen shows the track with what belongs to it, and anything else alone.
    if is_small(width, height) and (alone != "track" or not scene.encounter.running):
        return arrange(width, height, only=alone)
    before, needs = least or Risen(), _needs(scene, width, at, beside=beside)
    # Where there are orders the card is not the only thing that comes and goes, and they need the lines.
    card = needs.card if needs.orders or not needs.card else max(needs.card, before.card)
    needs = replace(needs, card=card, least=before.upper, log=log_lines)
    if kept and kept.upper and not beside:
        needs = replace(needs, upper=kept.upper, card=kept.card)
    return arrange(width, height, needs=needs)


def _needs(scene: Scene, width: int, at: Pane, *, beside: bool) -> Needs:
    right = right_of(width)
    first, second = cards(scene)
    adds = isinstance(scene.view.mode, Prompt) and scene.view.mode.kind == "add"
    coming = coming_need(scene, width - right) if width >= TWO and not beside else 0
    # What stands at the left is not said again at the right.
    orders = 0 if adds or (coming and not running_order(scene)) else orders_need(scene, right)
    if not scene.encounter.running and at != "track":
        # Before the fight the roster is what the keys go to: it stands where the track will be.
        known = min(CARD, card_need(scene, first, right))
        orders = max(orders, LIST if at == "orders" else 0)
        first_ = "orders" if beside else at
        return Needs(roster_need(scene), 0, known, 0, orders, first=first_, left="roster")
    return Needs(
        track=track_need(scene),
        coming=coming,
        card=min(CARD, card_need(scene, first, right)),
        second=min(CARD, card_need(scene, second, right)),
        orders=max(orders, LIST if at == "orders" else 0),
        roster=roster_need(scene),
        first="orders" if beside else at,
    )


def there(scene: Scene) -> tuple[Pane, ...]:
    """The panes that have something to say, in the order in which Tab goes through them."""
    full = boxes(scene, *SPACIOUS)
    # Orders that stand below the track have the keys in the order pane.
    return tuple(pane for pane in PANES if pane in full or (pane == "orders" and "coming" in full))


def _covered(scene: Scene, width: int, height: int, least: Risen | None, log_lines: int) -> dict[Part, Box]:
    """Something over the panes, which leaves the others as they are: closing it sends only what it had covered."""
    found = arrange(width, height, only="over")
    mode, over = scene.view.mode, found.get("over")
    idle = replace(scene, view=replace(scene.view, mode=None))
    # The log itself is not needed under one of its own steps.
    if over is None or scene.view.zoom or isinstance(mode, StepPage):
        return found
    if isinstance(mode, Manual):
        # What is looked up is looked up for the rows and the card, which stay: the log gives its place.
        below = _panes(idle, width, height, least, max(log_lines, MANUAL))
        log = below.pop("log", None)
        return {**below, "over": log} if log and log.height >= MANUAL else found
    below_log = _panes(idle, width, height, least, log_lines).get("log")
    if below_log is None:
        return found
    end = over.y + over.height
    start = max(below_log.y, over.y + LEAST_OVER)
    if below_log.y + below_log.height != end or end - start < LEAST_LOG:
        return found
    # The log loses its upper rows, if any: its last ones stay where they are.
    return found | {"over": Box(0, over.y, width, start - over.y), "log": Box(0, start, width, end - start)}


def on_a_sheet(scene: Scene) -> bool:
    """Whether the order pane has the whole width: for forms, menus of long rows, what must be read first."""
    mode = scene.view.mode
    if isinstance(mode, Menu):
        return not mode.narrow and widest(mode) > right_of(USUAL)
    return isinstance(mode, Form) or (
        isinstance(mode, Prompt | None)
        and must_read(scene)
        and scene.view.focus in (None, "orders")
        and not scene.view.zoom
    )


def last_top(scene: Scene, pane: Pane, box: Box) -> int:
    """The offset at which the last row of a pane of text is shown; 0 for panes that show a page by themselves."""
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
    """The rows of every part that has a box. `labels` are the short words of commands, by id."""
    return {part: _part(scene, past, labels, part, box) for part, box in places.items()}


def _part(scene: Scene, past: Chronicle, labels: Mapping[str, str], part: Part, box: Box) -> list[Row]:
    match part:
        case "header":
            return header(scene, box.width)
        case "track" if on_a_sheet(scene):
            from tui.ui.panes.sheet import summary

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
        case "orders":
            return _orders(scene, box)
        case "log":
            return log(scene, past, box.width, box.height, bare=box.bare)
        case "now":
            return now_bar(scene, box.width, box.height)
        case "hints":
            return bottom(scene, labels, box.width)
        case "over":
            return _over(scene, box)
        case _:
            assert_never(part)


def _orders(scene: Scene, box: Box) -> list[Row]:
    """The order pane, or what is written in its place."""
    match scene.view.mode:
        case Form() as mode:
            from tui.ui.panes.form import form

            return form(scene, mode, box.width, box.height)
        case Prompt(kind="add") as prompt:
            from tui.ui.panes.adding import adding

            return adding(scene, prompt, box.width, box.height)
        case _:
            return orders(scene, box.width, box.height, bare=box.bare)


def _over(scene: Scene, box: Box) -> list[Row]:
    """What lies over the panes."""
    match scene.view.mode:
        case StepPage() as step:
            from tui.ui.panes.over.past import step_page

            return step_page(scene, step, box.width, box.height)
        case Menu() as menu:
            from tui.ui.panes.over.finder import finder

            return finder(scene, menu, box.width, box.height)
        case Intake() as mode:
            from tui.ui.panes.over.intake import intake

            return intake(scene, mode, box.width, box.height)
        case Manual() as manual:
            from tui.ui.panes.over.manual import manual_page

            return manual_page(scene, manual, box.width, box.height)
        case _:
            from tui.ui.panes.reader import reader

            return reader(scene, box.width, box.height)

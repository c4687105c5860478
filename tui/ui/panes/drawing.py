"""The whole screen: where every part stands, and what is drawn there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from tui.ui.panes.adding import NEED, adding
from tui.ui.panes.bars import header, now_bar
from tui.ui.panes.form import form, form_need
from tui.ui.panes.hints import bottom
from tui.ui.panes.log import log
from tui.ui.panes.orders import last_top as orders_top
from tui.ui.panes.orders import need, orders
from tui.ui.panes.reader import reader
from tui.ui.panes.roster import roster
from tui.ui.panes.sheet import band, sheet, summary, summary_need
from tui.ui.panes.track import track
from tui.ui.state.layout import Box, Pane, Part, arrange, right_of
from tui.ui.state.messages import Chronicle
from tui.ui.state.rows import Row
from tui.ui.state.scene import Scene, focus, must_read
from tui.ui.state.view import Form, Menu, Page, PickList, Prompt


def boxes(scene: Scene, width: int, height: int) -> dict[Part, Box]:
    """The box of every part that is shown."""
    mode = scene.view.mode
    if isinstance(mode, Prompt) and mode.kind == "add":
        return band(_panes(scene, width, height), NEED)
    if on_a_sheet(scene):
        wanted = form_need(scene, mode, width) if isinstance(mode, Form) else need(scene, width)
        return sheet(width, height, wanted, summary_need(scene, width))
    return _panes(scene, width, height)


def _panes(scene: Scene, width: int, height: int) -> dict[Part, Box]:
    mode = scene.view.mode
    over = isinstance(mode, Page) and not mode.beside
    beside = isinstance(mode, PickList | Menu | Page) and not over
    alone: Part = "over" if over else "orders" if beside else focus(scene)
    if over or (scene.view.zoom and (scene.glyphs.spoken or not beside)):
        return arrange(width, height, only=alone)
    full = arrange(width, height, need=need(scene, right_of(width)))
    # No log means a small terminal, which has room for one pane: the one that has the keys.
    return full if "log" in full else arrange(width, height, only=alone)


def on_a_sheet(scene: Scene) -> bool:
    """Whether the order pane has the whole width: for a form, and for what must be read before play goes on."""
    mode = scene.view.mode
    return isinstance(mode, Form) or (
        mode is None and must_read(scene) and scene.view.focus in (None, "orders") and not scene.view.zoom
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
            return summary(scene, box.width, box.height)
        case "track":
            return track(scene, box.width, box.height)
        case "roster":
            return roster(scene, box.width, box.height)
        case "orders":
            return _orders(scene, box)
        case "log":
            return log(scene, past, box.width, box.height)
        case "now":
            return now_bar(scene, box.width, box.height)
        case "hints":
            return bottom(scene, labels, box.width)
        case "over":
            return reader(scene, box.width, box.height)
        case _:
            assert_never(part)


def _orders(scene: Scene, box: Box) -> list[Row]:
    """The order pane, or what is written in its place."""
    match scene.view.mode:
        case Form() as mode:
            return form(scene, mode, box.width, box.height)
        case Prompt(kind="add") as prompt:
            return adding(scene, prompt, box.width, box.height)
        case _:
            return orders(scene, box.width, box.height)

"""The order pane as lines: what is owed and written; or the choice, the board that is being read."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import AcknowledgeAsk, FormAsk, OrderRow, PickAsk
from tui.core.fight.encounter import label
from tui.core.fight.viewer import GAME_MASTER, text
from tui.core.views.json import readable
from tui.ui.panes.reader import laid
from tui.ui.panes.titles import heading, span, title
from tui.ui.state.columns import cells, pad
from tui.ui.state.layout import Box
from tui.ui.state.palette import Role
from tui.ui.state.rows import Row, clip, filled, words, wrapped
from tui.ui.state.scene import Scene, due, offer, page
from tui.ui.state.view import Menu, Page, PickList

_STATES: dict[str, Role] = {
    "owed": "warning", "written": "ok", "locked": "ok", "now": "acting", "done": "acted", "void": "down",
}  # fmt: skip
_TURN = {"now": 0, "done": 2, "void": 2}
"""What is being resolved is read first, what is over comes last."""

NAME = 12
MENU = 20
"""Columns for what a menu offers, before its notes."""


class _Content(Struct, frozen=True):
    """What the pane holds. `at` is the row that must be seen; `top`, where there is one, the first row shown instead.

    `taken`: it has the keys, whatever pane they were in.
    """

    title: str
    rows: list[Row]
    at: int = 0
    top: int | None = None
    more: str = ""
    taken: bool = True

    def first(self, room: int) -> int:
        """The first row shown in so much room: never so far down that rows below stay empty."""
        if self.top is None:
            return page(self.at, room, len(self.rows))
        return max(0, min(self.top, len(self.rows) - room))


def orders(scene: Scene, width: int, height: int) -> list[Row]:
    """The title, which says what is left out, and as much of the content as there is room for."""
    found, room = _content(scene, width), max(0, height - 1)
    first = found.first(room)
    shown = found.rows[first : first + room]
    left_out = span(first, len(shown), len(found.rows)) if room else ()
    if found.taken:
        more = " ".join(text for text in (found.more, words(left_out)) if text)
        head = heading(scene, found.title, width, more)
    else:
        head = title(scene, "orders", found.title, width, *left_out)
    return filled([head, *(clip(row, width, scene.glyphs.ellipsis) for row in shown)], height)


def last_top(scene: Scene, box: Box) -> int:
    """The offset at which the last row is shown; 0 when all of them are."""
    return max(0, len(_content(scene, box.width).rows) - max(0, box.height - 1))


def need(scene: Scene, width: int) -> int:
    """How many rows the pane would like to have in so many columns."""
    match scene.view.mode:
        case Menu(items=items):
            return len(items) + 1
        case Page(beside=True) as reading:
            return len(laid(reading, width)) + 1
        case _:
            return len(_idle(scene, width)) + 1


def _content(scene: Scene, width: int) -> _Content:
    match scene.view.mode:
        case Menu() as menu:
            return _Content(menu.title, _menu(scene, menu), menu.at, more=menu.typed)
        case PickList() as pick:
            return _pick(scene, pick)
        case Page(beside=True) as reading:
            rows: list[Row] = [((f" {row}", "text"),) for row in laid(reading, width)]
            return _Content(reading.title, rows, top=reading.top)
        case _:
            top = scene.view.tops.get("orders", 0)
            return _Content(_name(scene), _idle(scene, width), top=top, taken=False)


def _name(scene: Scene) -> str:
    owed = due(scene)
    if owed and isinstance(owed[0], AcknowledgeAsk):
        return "Read before play goes on"
    return "Who goes" if len(offer(scene).acts) > 1 else "Orders"


def _idle(scene: Scene, width: int) -> list[Row]:
    owed = due(scene)
    if owed and isinstance(owed[0], AcknowledgeAsk):
        rows = [row for s in owed[0].board for row in wrapped(text(scene.encounter, s), width - 2)]
        return [((f" {row}", "text"),) for row in rows]
    if owed and isinstance(owed[0], PickAsk):
        return _names(scene, owed[0], PickList(owed[0].key, -1))
    acts = offer(scene).acts
    if len(acts) > 1:
        return [
            (
                (
                    f"  {scene.glyphs.may} {label(scene.encounter, a.who) if a.kind == 'turn' else a.kind}",
                    "may",
                ),
            )
            for a in acts
        ]
    rows_ = readable(scene.encounter, scene.system, GAME_MASTER) if scene.encounter.running else []
    place = {r.entry: i for i, r in enumerate(scene.system.rows(scene.encounter))} if rows_ else {}
    # Within a state as on the track, so that the next order is found where the eye already is.
    rows_ = sorted(rows_, key=lambda o: (_TURN.get(o.state, 1), place.get(o.who, 0)))
    owing = [a for a in owed if isinstance(a, FormAsk) and a.who not in {o.who for o in rows_}]
    lines = [
        line for o in rows_ for line in (_whole(scene, o, width) if o.state == "now" else [_order(scene, o)])
    ]
    lines += [_order(scene, OrderRow(a.who, "owed")) for a in owing]
    return lines or [((" Nobody owes an order", "muted"),)]


def _whole(scene: Scene, o: OrderRow, width: int) -> list[Row]:
    """The order that is being resolved: all of it, a component to a paragraph."""
    rows = [row for k, v in o.text.items() if v for row in wrapped(f"{k}: {v}", width - 3)]
    return [_order(scene, replace(o, text={})), *(((f"   {row}", "text"),) for row in rows)]


def _order(scene: Scene, o: OrderRow) -> Row:
    text_ = "; ".join(f"{k} {v}" for k, v in o.text.items() if v)
    shown = "(sealed)" if scene.view.masked and text_ and o.state in ("written", "locked") else text_
    warning = f" ! {o.warnings[0]}" if o.warnings else ""
    return (
        (f" {pad(label(scene.encounter, o.who), NAME, ellipsis=scene.glyphs.ellipsis)} ", "text"),
        (f"{o.state:<8}", _STATES[o.state]),
        (shown, "text"),
        (warning, "warning"),
    )


def _menu(scene: Scene, menu: Menu) -> list[Row]:
    shown = menu.shown
    at = min(menu.at, len(shown) - 1)
    keyed = max((len(item.key) for item in shown), default=0)
    wide = min(MENU, max((cells(item.text) for item in shown if item.note), default=0))
    lines: list[Row] = [
        (
            (scene.glyphs.cursor if i == at else " ", "focus"),
            (f" {item.key:<{keyed}} " if keyed else " ", "key"),
            (pad(item.text, wide) if cells(item.text) < wide else item.text, "text"),
            (f"  {item.note}" if item.note else "", "hint"),
        )
        for i, item in enumerate(shown)
    ]
    return lines or [((" nothing has these letters", "muted"),)]


def _pick(scene: Scene, pick: PickList) -> _Content:
    ask = next((a for a in due(scene) if isinstance(a, PickAsk)), None)
    if ask is None:
        return _Content("Choice", [(("Nothing is to choose any more", "muted"),)])
    bounds = f"{ask.least}" if ask.least == ask.most else f"{ask.least} to {ask.most}"
    return _Content("Choose", _names(scene, ask, pick), pick.at, more=bounds)


def _names(scene: Scene, ask: PickAsk, pick: PickList) -> list[Row]:
    lines: list[Row] = []
    for i, key in enumerate(ask.names):
        number = (
            f"[{pick.chosen.index(key) + 1}]"
            if key in pick.chosen
            else "   "
            if scene.glyphs.spoken
            else "[ ]"
        )
        cursor = scene.glyphs.cursor if i == pick.at else " "
        lines.append(
            (
                (cursor, "focus"),
                (" ", "text"),
                (number, "selected"),
                (" ", "text"),
                (label(scene.encounter, key), "text"),
            )
        )
    return lines

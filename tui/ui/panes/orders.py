"""The order pane: orders owed, written and carried out, an owed choice, and texts to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.table import FormDue, InterruptView, OrderView, PickDue, ReadDue
from tui.core.table_lines import count_doubts
from tui.ui.panes.creatures import creatures_named, focus_title, join_names, label_line, title
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import LEAST_LIST_LINES, TALL_HEIGHT, Room
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import (
    Scene,
    focus,
    has_hidden_orders,
    is_sealed,
    must_read,
    page,
    row_name,
)
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.palette import Role
from tui.ui.text.rows import (
    Box,
    Piece,
    Row,
    cells,
    clip,
    join_ends,
    pad,
    pad_rows,
    short,
    span,
    words,
    wrap_text,
)

OR_ELSE = r"(?i)[,;.]? or else,? "
_STATES: dict[str, Role] = {
    "owed": "warning",
    "written": "ok",
    "locked": "ok",
    "now": "acting",
    "done": "acted",
    "void": "down",
}
_STATE_RANKS = {"now": 0, "done": 2, "void": 2}
"""How orders are sorted by state: the one being carried out first (0), others (1), finished ones last (2)."""
NAME_WIDTH = 12


def order_rows(scene: Scene) -> list[OrderView]:
    """Return the orders of this round, owed ones among them, in the order in which they are shown."""
    known = {o.who for o in scene.table.orders}
    orders_due = [OrderView(x.who, "owed") for x in scene.table.due if isinstance(x, FormDue)]
    place = {row.entry: i for i, row in enumerate(scene.table.track)}
    # Within a state in the order of the track, so that the next order is easy to find.
    return sorted(
        [*scene.table.orders, *(o for o in orders_due if o.who not in known)],
        key=lambda o: (_STATE_RANKS.get(o.state, 1), place.get(o.who, 0)),
    )


def has_running_order(scene: Scene) -> bool:
    """Return whether an order is being carried out."""
    return any(o.state == "now" for o in order_rows(scene))


def now_rows(scene: Scene, width: int) -> list[Row]:
    """Return the order that is carried out, a paragraph for each component."""
    return [row for o in order_rows(scene) if o.state == "now" for row in _component_rows(o, width)]


class Interrupter(Struct, frozen=True):
    """How a creature may interrupt the running turn."""

    key: str
    """The key or line that starts the interruption."""
    name: str
    """The name of the creature."""
    words: str
    """What the interruption is, such as a held action."""
    is_hidden: bool
    """Whether the creature is hidden from players."""
    is_shared: bool
    """Whether several creatures have the same `words`, which are then shown once after their names."""


def interrupters(scene: Scene) -> list[Interrupter]:
    """Return the creatures that may interrupt the running turn; [] on a masked screen.

    Hidden creatures come first; creatures with shared words come last, because they can be cut first.
    """
    # Sealed orders are opened by the lock, but a masked screen shows none of them.
    if scene.view.is_masked:
        return []
    secret = {c.name for c in scene.table.combatants if c.hidden}
    offers = [_make_interrupter(scene, x, hidden=x.who in secret) for x in scene.table.interrupts]
    return sorted(offers, key=lambda x: (not x.is_hidden, x.is_shared))


def _make_interrupter(scene: Scene, x: InterruptView, *, hidden: bool) -> Interrupter:
    shared = x.verb == "react" and x.title == x.who
    line = f"{x.title} ({x.note})" if x.note else x.title
    return Interrupter(
        scene.verbs.get(x.verb, f":{x.verb}"), x.who, x.note if shared else line, hidden, shared
    )


def interrupt_rows(scene: Scene, width: int) -> list[Row]:
    """Return a row for each way to interrupt, after its key; creatures that share the words share the row."""
    offers = interrupters(scene)
    alike: dict[tuple[str, str, bool], list[str]] = {}
    for x in offers:
        if x.is_shared:
            alike.setdefault((x.key, x.words, x.is_hidden), []).append(x.name)
    rows: list[Row] = []
    for x in offers:
        if not x.is_shared:
            rows += _key_rows(x.key, x.words, width, hidden=x.is_hidden)
        elif names := alike.pop((x.key, x.words, x.is_hidden), []):
            rows += _key_rows(
                x.key, f"{join_names(names, scene.glyphs)}: {x.words}", width, hidden=x.is_hidden
            )
    return rows


def _key_rows(key: str, line: str, width: int, *, hidden: bool) -> list[Row]:
    """Return a text after its key, wrapped and indented."""
    line = f"{HIDDEN_WORD} {line}" if hidden else line
    head: Piece = (f" {key} ", "key")
    blank: Piece = (" " * cells(head[0]), "text")
    seen = wrap_text(line, max(8, width - cells(head[0]) - 1))
    return [(blank if i else head, (row, "hidden" if hidden else "text")) for i, row in enumerate(seen)]


def other_rows(scene: Scene, width: int) -> list[Row]:
    """Return the orders that are not being carried out, in full, with the names in a column."""
    others = [o for o in order_rows(scene) if o.state != "now"]
    # No wider than the longest name here: the texts get the rest.
    wide = min(NAME_WIDTH, max((cells(o.who) for o in others), default=0))
    return [row for o in others for row in _draw_order(scene, o, width, wide)]


def order_lines(scene: Scene, key: str) -> list[str]:
    """Return the order of a row in words, for its card; [] if it has none or it is sealed."""
    order = next((o for o in order_rows(scene) if o.who == row_name(scene, key)), None)
    if order is None or order.state == "now":
        return []
    line = _write_text(scene, order)
    return [f"order {order.state}" + (f": {line}" if line else "")]


def _write_text(scene: Scene, o: OrderView) -> str:
    """Return an order in one line; "(sealed)" if others may see the screen before it is opened."""
    line = "; ".join(o.wording)
    return "(sealed)" if line and is_sealed(scene, o) else line


def _component_rows(o: OrderView, width: int) -> Iterator[Row]:
    """Yield the components of an order, with names in a column; `or else` begins a new row."""
    if not o.text:
        yield ((" nothing", "muted"),)
    wide = min(NAME_WIDTH, max(map(cells, o.text), default=0))
    for (key, value), phrase in zip(o.text.items(), o.wording, strict=True):
        if phrase == key:
            yield ((f" {key}", "text"),)
            continue
        head = pad(key, wide)
        parts = [f"instead: {o.instead[key]}"] if key in o.instead else re.split(OR_ELSE, value)
        for place, part in enumerate(parts):
            for line in wrap_text(f"or else {part}" if place else part, max(8, width - wide - 3)):
                yield ((f" {head}  ", "hint"), (line, "text"))
                head = " " * wide
    for warning in o.warnings:
        yield from (((f" ! {row}", "warning"),) for row in wrap_text(warning, width - 4))


def _draw_order(scene: Scene, o: OrderView, width: int, wide: int) -> list[Row]:
    """Return state, name and text of an order; the text is wrapped in its own column."""
    g = scene.glyphs
    sign = {"owed": g.owed, "done": g.acted, "void": g.out}.get(o.state, g.waits)
    name = short(o.who, wide, g.ellipsis)
    word = "" if o.state in ("locked", "done") and not g.spoken else o.state
    is_unread = is_sealed(scene, o)
    before = word if is_unread or not o.text else ""
    line = " ".join(x for x in (before, _write_text(scene, o)) if x) or word or "nothing"
    # A warning quotes the order: of a sealed one only the number is shown.
    doubts = count_doubts(o) if is_unread else next(iter(o.warnings), "")
    line += f" ! {doubts}" if o.warnings else ""
    # One column less, so that it does not touch the text beside it.
    rows = wrap_text(line, max(8, width - wide - 5))
    head: tuple[Piece, ...] = ((f" {sign} ", _STATES[o.state]), (f"{name} ", "text"))
    blank: tuple[Piece, ...] = ((" " * (wide + 4), "text"),)
    role: Role = _STATES[o.state] if o.state == "owed" else "muted" if o.state in ("done", "void") else "text"
    return [(*(blank if i else head), (row, role)) for i, row in enumerate(rows)]


USUAL_WIDTH = 80
"""The screen width, in columns, whose order pane must hold a menu; wider menus take the whole width."""


class Listing(Struct, frozen=True):
    """The rows of a list in the order pane, before they are cut."""

    title: str
    rows: list[Row]
    at: int = 0
    """The index of the row that must be shown."""
    top: int | None = None
    """The index of the first row shown, None to show the page that has row `at`."""
    more: str = ""
    """Text after the title."""
    has_focus: bool = True
    """Whether a mode with focus shows the list, so that the title is framed."""

    def first(self, room: int) -> int:
        """Return the index of the first row shown in `room` rows, so that the last page is full."""
        if self.top is None:
            return page(self.at, room, len(self.rows))
        return max(0, min(self.top, len(self.rows) - room))


def orders(scene: Scene, width: int, height: int, *, bare: bool = False, aside: bool = False) -> list[Row]:
    """Return the title, with the range shown, and as much of the content as fits.

    With `aside`, creatures that may interrupt are left to the pane below the track.
    """
    return list_rows(
        scene, _draw_content(scene, width, bare=bare, aside=aside), Box(0, 0, width, height, bare=bare)
    )


def list_rows(scene: Scene, content: Listing, box: Box) -> list[Row]:
    """Return a title, with the range shown, and the rows around the one that must be shown."""
    width, height, room = box.width, box.height, max(0, box.height - (not box.bare))
    first = content.first(room)
    shown = content.rows[first : first + room]
    body = [clip(row, width, scene.glyphs.ellipsis) for row in shown]
    left_out = span(first, len(shown), len(content.rows), scene.glyphs) if room else ()
    if box.bare:
        if left_out and body:
            # Without a title the last row ends with the range shown.
            body[-1] = join_ends(body[-1], ((" ", "text"), *left_out), width, scene.glyphs.ellipsis)
        return pad_rows(body, height)
    if content.has_focus:
        more = ", ".join(text for text in (content.more, words(left_out)) if text)
        head = focus_title(scene, content.title, width, more)
    else:
        key = scene.keys.get("card-down", "")
        more_: Piece = (f"[{key}]", "key")
        scrolls = left_out and key and focus(scene) != "orders"
        extra: list[Piece] = [(content.more, "key")] if content.more else []
        head = title(scene, "orders", content.title, width, *left_out, *([more_] if scrolls else extra))
    return pad_rows([head, *body], height)


def last_top(scene: Scene, box: Box) -> int:
    """Return the offset at which the last row is shown, 0 if all are."""
    rows = _draw_content(scene, box.width, aside="coming" in scene.parts).rows
    return max(0, len(rows) - max(0, box.height - 1))


def wanted_rows(scene: Scene, width: int, *, aside: bool = False) -> int:
    """Return the number of rows that the pane can use at this width."""
    if (mode := mode_of(scene)) and mode.part == "orders":
        return mode.need(scene, width)
    rows = _draw_idle(scene, width, aside=aside)
    return len(rows) + 1 if rows else 0


def _draw_content(scene: Scene, width: int, *, aside: bool, bare: bool = False) -> Listing:
    top = scene.view.tops.get("orders", 0)
    rows = _draw_idle(scene, width, bare=bare, aside=aside) or [((" No order is owed", "muted"),)]
    opens = not has_hidden_orders(scene) and any(is_sealed(scene, o) for o in order_rows(scene))
    more = "[ctrl+t] opens" if opens else ""
    return Listing(_pane_name(scene), rows, top=top, more=more, has_focus=False)


def _pane_name(scene: Scene) -> str:
    if must_read(scene):
        return "Read before play goes on"
    return "Choice" if any(isinstance(x, PickDue) for x in scene.table.due[:1]) else "Orders"


def _draw_idle(scene: Scene, width: int, *, aside: bool, bare: bool = False) -> list[Row]:
    """Return the pane without a mode: the text to read or the choice owed, else the running and other orders.

    Other orders are left out while one is carried out, unless the pane has focus. A `bare` pane has no title
    over the creatures that may interrupt.
    """
    match next(iter(scene.table.due), None):
        case ReadDue(lines=lines) as owed if lines:
            return _draw_board(scene, owed, width)
        case PickDue(names=names):
            return pick_rows(scene, names, -1)
        case _:
            pass
    now = now_rows(scene, width)
    if now:
        breaking = [] if aside else interrupt_rows(scene, width)
        now += [label_line(scene, "may interrupt", width)] if breaking and not bare else []
        now += breaking
    if now and focus(scene) != "orders":
        return now
    return [*now, *other_rows(scene, width)]


def _draw_board(scene: Scene, reading: ReadDue, width: int) -> list[Row]:
    """Return the lines to read aloud, each after its place; lines about unknown creatures below a warning."""
    pairs = list(zip(reading.lines, reading.about, strict=True))
    secret = [pair for pair in pairs if _is_unknown(scene, pair[1])]
    rows = _draw_lines(scene, [pair for pair in pairs if pair not in secret], width)
    if secret:
        rows.append(
            label_line(scene, "Do not read aloud", width, (f"{HIDDEN_WORD} from the players", "hidden"))
        )
        rows += _draw_lines(scene, secret, width)
    return rows


def _is_unknown(scene: Scene, name: str) -> bool:
    """Return whether players know of no creature with this name."""
    people = creatures_named(scene, name) if name else []
    return bool(people) and all(c.hidden for c in people)


def _draw_lines(scene: Scene, some: Sequence[tuple[str, str]], width: int) -> list[Row]:
    places = {name: x.place for x in scene.table.track if x.place for name in (x.entry, *x.members)}
    room = 3 if places else 0
    rows: list[Row] = []
    for line, about in some:
        head = f"{places.get(about, ''):>{room}} " if room else " "
        for number, part in enumerate(wrap_text(line, width - len(head) - 1)):
            rows.append(((head if not number else " " * len(head), "hint"), (part, "text")))
    return rows


def pick_rows(scene: Scene, names: Sequence[str], at: int, chosen: Sequence[str] = ()) -> list[Row]:
    """Return a row for each name of a choice, with the place of the chosen ones in brackets."""
    rows: list[Row] = []
    for i, name in enumerate(names):
        number = f"[{chosen.index(name) + 1}]" if name in chosen else "   " if scene.glyphs.spoken else "[ ]"
        cursor = scene.glyphs.cursor if i == at else " "
        rows.append(((cursor, "focus"), (f" {number} ", "selected"), (name, "text")))
    return rows


LEAST_ORDER_LINES = 4
"""The fewest lines for orders; if fewer are free, the panes beside them are left out."""
LEAST_FORM_LINES = 8
"""The fewest lines for a form; if fewer are free, the other panes are left out."""


def takes_full_width(scene: Scene) -> bool:
    """Return whether the order pane takes the whole width: for forms, wide menus, a text to read first."""
    mode = mode_of(scene)
    if mode and mode.where != "foot":
        return mode.where == "sheet"
    return must_read(scene) and scene.view.focus in (None, "orders") and not scene.view.is_zoomed


def has_form_below_track(scene: Scene, room: Room) -> bool:
    """Return whether an order is written on a screen that has room for the track above its form."""
    mode = mode_of(scene)
    return mode is not None and bool(mode.writes) and room.kind == "wide" and room.height >= TALL_HEIGHT


def _ask(scene: Scene, room: Room) -> Ask | None:
    mode = mode_of(scene)
    if mode and mode.where == "band":
        wants = mode.need(scene, room.width)
        return Ask(wants, "across", 0, wants)
    if takes_full_width(scene):
        # Rows of a form come and go while it is written: the parts below it do not move with them.
        return Ask(
            max(LEAST_FORM_LINES if mode and mode.writes else 0, wanted_rows(scene, room.width)),
            "across",
            0,
            LEAST_FORM_LINES,
        )
    if mode and mode.where == "beside":
        order = now_rows(scene, room.right)
        wants = max(LEAST_LIST_LINES, wanted_rows(scene, room.right)) + len(order) + bool(order)
        return Ask(wants, "right", 1, wants if room.kind == "wide" else LEAST_LIST_LINES)
    aside, running = _has_coming(scene, room), has_running_order(scene)
    # What is on the left is not repeated on the right.
    wants = 0 if aside and not running else wanted_rows(scene, room.right, aside=aside)
    least = max(LEAST_LIST_LINES, min(wants, LEAST_ORDER_LINES))
    if focus(scene) == "orders":
        wants = max(wants, LEAST_LIST_LINES)
        least = wants if room.kind == "wide" else LEAST_LIST_LINES
    elif room.kind == "narrow" and not running:
        wants = min(wants, room.height // 6)
    if room.kind == "small":
        return Ask(wants - 1, "right", 3, 1)
    return Ask(wants, "right", -2 if room.kind == "narrow" and running else 1, least)


def _has_coming(scene: Scene, room: Room) -> bool:
    """Return whether interrupters and other orders are shown below the track.

    They are not while the order pane shows them, an order is being written, or a text must be read.
    """
    mode = mode_of(scene)
    is_beside = (mode is not None and mode.where == "beside") or takes_full_width(scene)
    if not scene.table.running or room.kind != "wide" or is_beside or focus(scene) == "orders":
        return False
    if any(isinstance(x, FormDue | ReadDue) for x in scene.table.due):
        return False
    return bool(interrupters(scene)) or any(o.state != "now" for o in order_rows(scene))


def _draw(scene: Scene, box: Box) -> list[Row]:
    if (mode := mode_of(scene)) and mode.where in ("sheet", "beside", "band"):
        order = now_rows(scene, box.width) if mode.where == "beside" else []
        high = max(LEAST_LIST_LINES, mode.need(scene, box.width))
        if not order or box.height < high + LEAST_LIST_LINES:
            return mode.rows(scene, box)
        # Who chooses an attack reads the order that is carried out.
        rows = mode.rows(scene, replace(box, height=high))
        return [*rows, label_line(scene, "Order", box.width), *order[: box.height - high - 1]]
    return orders(scene, box.width, box.height, bare=box.bare, aside="coming" in scene.parts)


PANE = Pane("orders", _ask, _draw, tab=3, last_top=last_top)


def _draw_coming(scene: Scene, box: Box) -> list[Row]:
    """Return the creatures that may interrupt the running order, and below them the other orders that fit."""
    width, height = box.width, box.height
    breaking = interrupt_rows(scene, width)
    head: list[Row] = []
    if breaking:
        room = max(0, min(len(breaking), height - 1))
        head = [
            label_line(scene, "may interrupt", width, *span(0, room, len(breaking), scene.glyphs)),
            *breaking[:room],
        ]
    rows, room = other_rows(scene, width), max(0, height - len(head) - 1)
    if not rows or (head and room < LEAST_ORDER_ROWS):
        return pad_rows([clip(row, width, scene.glyphs.ellipsis) for row in head], height)
    more = span(0, min(room, len(rows)), len(rows), scene.glyphs)
    others: tuple[Piece, ...] = (("the others", "muted"),) if now_rows(scene, width) else ()
    lines = [*head, label_line(scene, "Orders", width, *(more or others)), *rows[:room]]
    return pad_rows([clip(row, width, scene.glyphs.ellipsis) for row in lines], height)


LEAST_ORDER_ROWS = 2
"""With fewer free lines the other orders have no title."""


def _ask_coming(scene: Scene, room: Room) -> Ask | None:
    if not _has_coming(scene, room):
        return None
    breaking, others = interrupt_rows(scene, room.left), other_rows(scene, room.left)
    return Ask(sum(len(rows) + 1 for rows in (breaking, others) if rows), "left", 1)


COMING = Pane("coming", _ask_coming, _draw_coming)

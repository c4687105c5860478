"""Draw the whole screen: which panes there are, their boxes, and the caret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from tui.ui.panes import (
    card,
    header,
    hints,
    listing,
    log,
    now,
    orders,
    roster,
    summary,
    track,
)
from tui.ui.panes.pane import Ask, Pane
from tui.ui.state.layout import Claim, Part, Remembered, Room, arrange
from tui.ui.state.mode import mode_of
from tui.ui.state.scene import Scene, focus
from tui.ui.text.rows import Box, Row, caret, pad_rows

WANTED_LINES = 13
"""The fewest lines for a mode that covers the panes."""


def _ask_over(scene: Scene, room: Room) -> Ask | None:
    del room
    mode = mode_of(scene)
    # On the start screen there is no other place for a menu.
    if mode is None or mode.where == "foot" or (mode.where != "over" and not scene.home):
        return None
    return Ask(WANTED_LINES, "over", least=WANTED_LINES)


def _draw_over(scene: Scene, box: Box) -> list[Row]:
    mode = mode_of(scene)
    return mode.rows(scene, box) if mode else []


OVER = Pane("over", _ask_over, _draw_over)


PANES: tuple[Pane, ...] = (
    header.PANE,
    summary.PANE,
    track.PANE,
    orders.COMING,
    card.PANE,
    orders.PANE,
    roster.PANE,
    card.SECOND,
    OVER,
    log.PANE,
    now.PANE,
    hints.PANE,
)
"""The panes of a fight, in each place from top to bottom."""
WITHOUT_KEY = {header.PANE.name, card.PANE.name, card.SECOND.name}
"""The panes that show what changes without a key, `Scene.is_saved` and `Scene.card`."""
START_PANES: tuple[Pane, ...] = (
    header.PANE,
    listing.SAVES,
    listing.PREPARED,
    listing.SYSTEMS,
    listing.LIBRARY,
    OVER,
    now.PANE,
    hints.PANE,
)
"""The panes of the start screen."""
PARTS = tuple(pane.name for pane in PANES)
TAB = tuple(pane.name for pane in sorted(PANES, key=lambda pane: pane.tab) if pane.tab)
"""The panes that can have focus, in the order of Tab."""
FRAME = ("top", "bottom")

SPACIOUS_SIZE = (1000, 1000)
"""A size at which every pane fits."""


def ask_panes(
    scene: Scene, room: Room, known: Mapping[Part, Ask | None] | None = None
) -> dict[Part, Ask | None]:
    """Return what each pane asks for; `known` has it for a scene that no key has changed since."""
    other = {part: ask for part, ask in (known or {}).items() if part not in WITHOUT_KEY}
    return {
        pane.name: other[pane.name] if pane.name in other else pane.ask(scene, room)
        for pane in panes_of(scene)
    }


def boxes(
    scene: Scene,
    width: int,
    height: int,
    remembered: Remembered | None = None,
    asked: Mapping[Part, Ask | None] | None = None,
) -> dict[Part, Box]:
    """Return the box of every part that is shown; `asked` as by `ask_panes`, if the caller has it."""
    room = Room(width, height)
    claims = _list_claims(scene, room, asked or ask_panes(scene, room))
    return arrange(list(claims), width, height, remembered)


def _list_claims(scene: Scene, room: Room, asked: Mapping[Part, Ask | None]) -> Iterator[Claim]:
    """Yield the claims of the panes; if one pane has the whole room, only its own and the frame's."""
    only, at = _sole_pane(scene, room), _with_keys(scene)
    for part, ask in asked.items():
        if only == part:
            yield Claim(part, "left" if only == "track" else "across", 1)
        elif ask and (not only or ask.place in FRAME):
            # The pane with focus must be shown, whatever else is left out.
            first = part == at and not scene.home
            yield Claim(part, ask.place, ask.wants, ask.least, -1 if first else ask.rank, ask.instead)


def panes_of(scene: Scene) -> tuple[Pane, ...]:
    """Return the panes of a fight, or of the start screen."""
    return START_PANES if scene.home else PANES


def _sole_pane(scene: Scene, room: Room) -> Part:
    """Return the pane that has the whole room alone, "" if panes share it."""
    mode, at, zoom = mode_of(scene), _with_keys(scene), scene.view.is_zoomed
    if mode and mode.where == "over":
        return "over" if zoom or mode.covers == "all" else ""
    if orders.takes_full_width(scene) or (mode and mode.where == "band"):
        return ""
    if zoom and (scene.glyphs.spoken or at != "orders" or not mode):
        return at
    # A small screen shows the track with what belongs to it, and any other pane alone.
    if room.kind == "small" and (at != "track" or not scene.table.running):
        return at
    # A pane that is beside others on a wide screen is alone on a narrow one.
    return at if room.kind == "narrow" and _find_pane(at).ask(scene, room) is None else ""


def _with_keys(scene: Scene) -> Part:
    """Return the pane with focus, which must get a box; "orders" if a mode is open beside the track."""
    mode = mode_of(scene)
    return "orders" if mode and mode.where == "beside" else focus(scene)


def draw(
    scene: Scene, places: Mapping[Part, Box], kept: Mapping[Part, list[Row]] | None = None
) -> dict[Part, list[Row]]:
    """Return the rows of every part that has a box; those in `kept` are known."""
    shown, known = replace(scene, parts=frozenset(places)), kept or {}
    return {
        pane.name: known[pane.name] if pane.name in known else pad_rows(pane.draw(shown, box), box.height)
        for pane in panes_of(scene)
        if (box := places.get(pane.name)) is not None
    }


def last_top(scene: Scene, part: Part, box: Box) -> int:
    """Return the offset that shows the last row of a pane of text; 0 if its rows follow the cursor."""
    return _find_pane(part).last_top(scene, box)


def _find_pane(part: Part) -> Pane:
    return next(pane for pane in (*PANES, *START_PANES) if pane.name == part)


def shown_panes(scene: Scene) -> tuple[Part, ...]:
    """Return the panes that have something to show, in the order of Tab."""
    full = boxes(scene, *SPACIOUS_SIZE)
    # Orders below the track have focus in the order pane, and the roster is shown once it has focus.
    return tuple(x for x in TAB if x in full or x == "roster" or (x == "orders" and "coming" in full))


def cursor_position(
    scene: Scene, boxes: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]
) -> tuple[int, int]:
    """Return column and line of the caret, from 0: text cursor, else current row, first row, or Now."""
    return caret(scene.glyphs, _cursor_part(scene), boxes, drawn)


def _cursor_part(scene: Scene) -> Part:
    """Return the part that has the caret."""
    mode = mode_of(scene)
    return mode.part if mode else focus(scene)

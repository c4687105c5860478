"""The lists of the start screen as rows."""

from __future__ import annotations

from typing import NamedTuple

from tui.ui.panes.start.told import detail, when
from tui.ui.state.columns import cells
from tui.ui.state.layout import NARROW
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece, Row, clip, column, filled, framed, span, titled, wrapped
from tui.ui.state.scene import page
from tui.ui.state.start.scene import ListPart, Refusal, Spot, SpotLine, StartScene, current, listed_of, parts

LEAST = 3
"""Rows of a list that is cut: its title and two."""

NAME, SYSTEM = 20, 22
"""Columns for the name of a fight and for its system, at the most."""

TITLE = 26
"""Columns for the title of a system, at the most: what it is matters more."""

DETAIL = 12
"""Lines from which on there is room for what is known of the current row."""


def lists(scene: StartScene, width: int, height: int) -> list[Row]:
    """The lists, and below them what is known of the current row: in one row, or in those that are left over."""
    found, here = parts(scene), current(scene)
    said = wrapped(detail(scene, here), width - 2) if here else []
    told = (
        (min(5, 1 + len(said)) if isinstance(scene.view.mode, Refusal) else 2)
        if here and height >= DETAIL
        else 0
    )
    high = _heights(found, here, height - told)
    rows: list[Row] = []
    for number, (part, room) in enumerate(zip(found, high, strict=True)):
        first = here is None and number == 0
        rows += _part(scene, part, here, (width, room), first=first)
    if told and here:
        rows += _detail(scene, here, width, height - len(rows) - 1)
    return filled(rows, height)


def _heights(found: tuple[ListPart, ...], here: Spot | None, room: int) -> list[int]:
    """Rows for each list: what it wants, the longest cut first; where not even two of each fit, one list alone."""
    wants = [1 + max(1, len(part.lines)) for part in found]
    least = [min(LEAST, want) for want in wants]
    if sum(least) > room:
        alone = next((i for i, part in enumerate(found) if _holds(part, here)), 0)
        return [room if i == alone else 0 for i in range(len(found))]
    while sum(wants) > room:
        longest = max((i for i in range(len(wants)) if wants[i] > least[i]), key=lambda i: wants[i])
        wants[longest] -= 1
    return wants


def _holds(part: ListPart, here: Spot | None) -> bool:
    return any(here in line.spots for line in part.lines)


def _part(
    scene: StartScene, part: ListPart, here: Spot | None, size: tuple[int, int], *, first: bool
) -> list[Row]:
    """One list in so many columns and rows; `first`: the cursor, which stands nowhere, is meant to be in it."""
    width, height = size
    if height < 1:
        return []
    at = next((i for i, line in enumerate(part.lines) if here in line.spots), 0)
    room = height - 1
    top = page(at, room, len(part.lines))
    shown = part.lines[top : top + room]
    more_ = "".join(text for text, _ in span(top, len(shown), len(part.lines), scene.glyphs))
    more = ", ".join(x for x in (part.note, more_) if x)
    rows: list[Row] = [heading(scene, part.title, width, more, here=first or _holds(part, here))]
    wide = _widths(scene, part)
    rows += [_line(scene, line, here, width, wide) for line in shown]
    if not part.lines and part.empty:
        rows.append(clip(((f"  {part.empty}", "muted"),), width, scene.glyphs.ellipsis))
    return filled(rows, height)


def heading(scene: StartScene, text: str, width: int, more: str = "", *, here: bool = False) -> Row:
    """A title, in brackets when the cursor is below it."""
    name: Piece = (framed(scene.glyphs, text), "focus") if here else (text, "title")
    return titled(scene.glyphs, name, width, ((more, "muted"),) if more else ())


class _Told(NamedTuple):
    """The columns of a fight's row, as texts."""

    system: str
    turn: str
    day: str
    stands: str
    problem: str


def _widths(scene: StartScene, part: ListPart) -> tuple[int, int, int]:
    """Columns for the names, and for the systems and days of fights."""
    if any(line.title for line in part.lines):
        return max(cells(line.title) for line in part.lines), 0, 0
    spots = [line.spots[0] for line in part.lines]
    most = TITLE if any(s.kind == "system" for s in spots) else NAME
    told = [_told(scene, s) for s in spots if s.kind in ("fight", "thrown")]
    return (
        min(most, max((cells(s.name) for s in spots), default=0)),
        min(SYSTEM, max((cells(t.system) for t in told), default=0)),
        max((cells(t.day) for t in told), default=0),
    )


def _told(scene: StartScene, spot: Spot) -> _Told:
    listed, brief = listed_of(scene, spot), scene.briefs.get(spot.key)
    titles = {s.id: s.title for s in scene.systems}
    known = titles.get(listed.system, listed.system) if listed else ""
    return _Told(
        brief.system if brief and brief.system else known,
        f"round {brief.round}" if brief and brief.round else "",
        when(listed.modified, scene.now) if listed else "",
        brief.stands if brief else "",
        (listed.problem if listed else "") or (brief.problem if brief else ""),
    )


def _line(
    scene: StartScene, line: SpotLine, here: Spot | None, width: int, wide: tuple[int, int, int]
) -> Row:
    ellipsis = scene.glyphs.ellipsis
    on = here in line.spots
    head: list[Piece] = [(scene.glyphs.cursor if on else " ", "focus"), (" ", "text")]
    if line.title:
        head.append(column(line.title, wide[0], "hint", ellipsis))
        return clip([*head, *_beside(scene, line, here, width - wide[0] - 4)], width, ellipsis)
    spot = line.spots[0]
    role: Role = "focus" if on else "text"
    head.append(column(spot.name, wide[0], role, ellipsis))
    if spot.kind in ("fight", "thrown"):
        return clip([*head, *_fight(scene, spot, wide, narrow=width < NARROW)], width, ellipsis)
    return clip([*head, (f" {line.note}", "muted")], width, ellipsis)


def _beside(scene: StartScene, line: SpotLine, here: Spot | None, width: int) -> list[Piece]:
    """Spots beside each other, the current one in brackets; those before it go where not all fit."""
    at = line.spots.index(here) if here in line.spots else 0
    first = 0
    while first < at and sum(cells(s.name) + 2 for s in line.spots[first : at + 1]) > width:
        first += 1
    pieces: list[Piece] = [(f" {scene.glyphs.ellipsis}", "muted")] if first else []
    for spot in line.spots[first:]:
        on = spot == here
        pieces.append((f"[{spot.name}]" if on else f" {spot.name} ", "focus" if on else "text"))
    return pieces


def _fight(scene: StartScene, spot: Spot, wide: tuple[int, int, int], *, narrow: bool) -> list[Piece]:
    """System, round, day, and how it stands; or what is wrong with the file."""
    ellipsis, told = scene.glyphs.ellipsis, _told(scene, spot)
    if told.problem:
        return [(f" {told.problem}", "error")]
    if narrow:
        return [(f" {told.turn:<8} ", "text"), (f" {told.stands}", "text")]
    return [
        (" ", "text"), column(told.system, wide[1], "muted", ellipsis), (f" {told.turn:<8} ", "text"),
        column(told.day, wide[2], "muted", ellipsis), (f" {told.stands}", "text"),
    ]  # fmt: skip


def _detail(scene: StartScene, here: Spot, width: int, most: int) -> list[Row]:
    rows = wrapped(detail(scene, here), width - 2)
    rows = [*rows[: most - 1], " ".join(rows[most - 1 :])] if len(rows) > most else rows
    body = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in rows]
    return [heading(scene, here.name, width), *body]

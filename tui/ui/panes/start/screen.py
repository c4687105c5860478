"""The start screen: its parts, where they stand, and what is drawn there."""

from __future__ import annotations

from collections.abc import Mapping

from tui.ui.panes.reader import laid
from tui.ui.panes.start.lists import heading, lists
from tui.ui.panes.start.told import now_line, second_line
from tui.ui.state.columns import cells
from tui.ui.state.layout import Box, Part, arrange
from tui.ui.state.rows import Piece, Row, apart, clip, filled, inked, wrapped
from tui.ui.state.start.scene import Asked, Refusal, StartScene, current
from tui.ui.state.typing.rows import typed_line
from tui.ui.state.view import Page

Hint = tuple[str, str]
HOME: tuple[Hint, ...] = (
    ("Enter", "open"), ("c", "copy"), ("R", "rename"), ("x", "trash"), ("/", "filter"), ("Tab", "next part"), ("?", "help"),
    ("q", "quit"),
)  # fmt: skip
ELSEWHERE: tuple[Hint, ...] = (("Enter", "take"), ("/", "filter"), ("?", "help"), ("Esc", "back"))
READING: tuple[Hint, ...] = (("j/k", "scroll"), ("Esc", "back"))
NARROWED: tuple[Hint, ...] = (("Up/Down", "choose"), ("Enter", "take"), ("Esc", "all again"))


def boxes(width: int, height: int) -> dict[Part, Box]:
    """A box for every part that has room."""
    return arrange(width, height, only="over")


def draw(scene: StartScene, places: Mapping[Part, Box]) -> dict[Part, list[Row]]:
    """The rows of every part that has a box."""
    return {part: _part(scene, part, box) for part, box in places.items()}


def _part(scene: StartScene, part: Part, box: Box) -> list[Row]:
    match part:
        case "header":
            return [_header(scene, box.width)]
        case "now":
            return _now(scene, box.width, box.height)
        case "hints":
            return [_hints(scene, box.width)]
        case _:
            mode = scene.view.mode
            return _page(scene, mode, box) if isinstance(mode, Page) else lists(scene, box.width, box.height)


def _header(scene: StartScene, width: int) -> Row:
    count, folder = len(scene.contents.fights), scene.contents.folder
    # The end of a long path tells more than its beginning.
    most = max(12, width // 3)
    shown = folder if cells(folder) <= most else scene.glyphs.ellipsis + folder[len(folder) - most :]
    told = f"{count} fight{'s' * (count != 1)} in {shown} "
    right: list[Piece] = [(f"filter: {scene.view.filter}  ", "warning")] if scene.view.filter else []
    return apart(((" tocsin", "title"),), (*right, (told, "muted")), width, scene.glyphs.ellipsis)


def _now(scene: StartScene, width: int, height: int) -> list[Row]:
    """What Enter does; below it what else there is, or the notice to the last key."""
    here, glyphs = current(scene), scene.glyphs
    start = "" if glyphs.spoken else f"{glyphs.may} "
    if notice := scene.view.notice:
        rows = wrapped(str(notice), width)
        rows = rows if len(rows) <= height else wrapped(notice.helpful, width)
        rows = [*rows[: height - 1], " ".join(rows[height - 1 :])] if len(rows) > height else rows
        said = [clip(((row, notice.role),), width, glyphs.ellipsis) for row in rows]
        first = [clip(inked(start + now_line(scene, here)), width, glyphs.ellipsis)][: height - len(said)]
        return filled([*first, *said], height)
    asked = isinstance(scene.view.mode, Refusal)
    rows = wrapped(start + now_line(scene, here), width) if asked else [start + now_line(scene, here)]
    second = second_line(scene, here)
    room = height - 1 if second and height > 1 else height
    rows = [*rows[: room - 1], " ".join(rows[room - 1 :])] if len(rows) > room else rows
    rows += [f"  {second}"] if second and height > 1 else []
    return filled([clip(inked(row), width, glyphs.ellipsis) for row in rows], height)


def _hints(scene: StartScene, width: int) -> Row:
    match scene.view.mode:
        case Asked() as asked:
            sign = "/" if asked.purpose == "filter" else "name: "
            found = NARROWED if asked.purpose == "filter" else (("Enter", "go on"), ("Esc", "back"))
            typed = typed_line(asked.editor, max(1, width - cells(sign)))
            gap: Piece = ("  ", "text")
            return clip(((sign, "key"), *typed, gap, *_keyed(found)), width, scene.glyphs.ellipsis)
        case Page():
            return _fitted(READING, width, scene)
        case Refusal(taken=taken):
            return _fitted(
                (("l", "look on"), *((("t", "take over"),) if taken else ()), ("Esc", "back")), width, scene
            )
        case None:
            return _fitted(
                HOME if scene.view.place == "home" and not scene.view.new.name else ELSEWHERE, width, scene
            )


def _keyed(found: tuple[Hint, ...]) -> list[Piece]:
    return [piece for key, word in found for piece in ((f" {key}", "key"), (f" {word} ", "hint"))]


def _fitted(found: tuple[Hint, ...], width: int, scene: StartScene) -> Row:
    """As many hints as fit whole, and always the last."""
    kept = list(found)
    while len(kept) > 1 and sum(cells(text) for text, _ in _keyed(tuple(kept))) > width:
        del kept[-2]
    return clip(_keyed(tuple(kept)), width, scene.glyphs.ellipsis)


def _page(scene: StartScene, reading: Page, box: Box) -> list[Row]:
    rows = laid(reading, box.width)
    top = max(0, min(reading.top, len(rows) - box.height + 1))
    shown = rows[top : top + box.height - 1]
    more = f"{top + 1}{scene.glyphs.range}{top + len(shown)} of {len(rows)}" if len(shown) < len(rows) else ""
    body = [clip(((f" {row}", "text"),), box.width, scene.glyphs.ellipsis) for row in shown]
    return filled([heading(scene, reading.title, box.width, more, here=True), *body], box.height)


def place(scene: StartScene, places: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
    """Column and line, from 0, of what is typed, else of the current row: for the terminal's own cursor."""
    part: Part = "hints" if isinstance(scene.view.mode, Asked) else "over"
    box, rows = places.get(part), drawn.get(part, [])
    if box is None:
        now = places.get("now", Box(0, 0, 1, 1))
        return now.x, now.y
    for y, row in enumerate(rows):
        x = 0
        for text, role in row:
            if role == "current":
                return min(box.x + x, box.x + box.width - 1), box.y + y
            x += cells(text)
    found = [y for y, row in enumerate(rows) if row[:1] == ((scene.glyphs.cursor, "focus"),)]
    return box.x, box.y + (found[0] if found else 0)

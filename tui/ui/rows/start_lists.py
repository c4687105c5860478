"""Show the start screen: its lists, and what is known of the entry under the cursor."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, assert_never

from tui.ui.state.layout import NARROW, TWO, Claim, Part, arrange
from tui.ui.state.scene import page
from tui.ui.state.start_view import (
    Asked,
    HelpText,
    ListPart,
    Refusal,
    Resting,
    Spot,
    SpotLine,
    StartScene,
    current,
    listed_of,
    parts,
    party_text,
)
from tui.ui.text.editor import typed_line
from tui.ui.text.palette import Role
from tui.ui.text.rows import (
    Box,
    Piece,
    Row,
    apart,
    caret,
    cells,
    clip,
    column,
    filled,
    framed,
    hint_row,
    inked,
    joined,
    paragraphs,
    scrolled,
    span,
    titled,
    wrapped,
)

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def when(moment: float, now: float) -> str:
    """Return `today 22:25`, `yesterday`, `17 Nov`, `17 Nov 2025`: local time, from seconds since 1970."""
    then, today = time.localtime(moment), time.localtime(now)
    day, month = then.tm_mday, _MONTHS[then.tm_mon - 1]
    if then[:3] == today[:3]:
        return f"today {then.tm_hour:02}:{then.tm_min:02}"
    # Noon of today less a day: also right on the days on which the clocks change.
    noon = time.mktime((*today[:3], 12, 0, 0, 0, 0, -1))
    if then[:3] == time.localtime(noon - 86_400)[:3]:
        return "yesterday"
    return f"{day} {month}" if then.tm_year == today.tm_year else f"{day} {month} {then.tm_year}"


def detail(scene: StartScene, spot: Spot) -> str:
    """Return what is known of it, or why it cannot be written."""
    if isinstance(scene.view.mode, Refusal):
        return scene.view.mode.why
    match spot.kind:
        case "fight" | "thrown" | "sample":
            return _fight_text(scene, spot)
        case "system":
            return next((s.summary for s in scene.systems if s.id == spot.key), "")
        case "lesson":
            return "About ten minutes, on a fight of its own that is gone afterwards."
        case "party":
            roster = next((p for p in scene.contents.parties if p.path == spot.key), None)
            return roster.summary if roster else ""
        case "trash":
            return "What is thrown away stays there until you delete it outside of this program."
        case _:
            assert_never(spot.kind)


def _fight_text(scene: StartScene, spot: Spot) -> str:
    listed = listed_of(scene, spot)
    if listed and listed.problem:
        return listed.problem
    if (brief := scene.briefs.get(spot.key)) is None:
        return ""
    if brief.problem:
        return brief.problem
    steps = f"{brief.steps} step{'s' * (brief.steps != 1)}"
    counts = f"{brief.present} here" + (f", {brief.out} out" if brief.out else "")
    texts = [steps, counts, brief.people] if brief.present else [steps, brief.stands]
    return scene.glyphs.joint.join(texts)


def now_line(scene: StartScene, spot: Spot | None) -> str:
    """Return what Enter does, or what is being asked."""
    match scene.view.mode:
        case Refusal():
            return f"{spot.name if spot else 'This fight'} cannot be written now"
        case Asked() as asked:
            return _asked(scene, asked)
        case Resting(spot=party):
            return f"How long does {party.name} rest? [s] short or [l] long"
        case _:
            return _enter(scene, spot) if spot else "Nothing is here: [Esc] goes back"


def _asked(scene: StartScene, asked: Asked) -> str:
    name = asked.spot.name if asked.spot else ""
    match asked.purpose:
        case "make":
            called = asked.editor.text.strip() or scene.glyphs.ellipsis
            return f"[Enter] begins {called} ({name}) {party_text(scene)}"
        case "copy":
            return f"What is the copy of {name} called?"
        case "rename":
            return f"What is {name} called from now on?"
        case "line":
            return "A line: open NAME, new NAME, look NAME, tutor SYSTEM, help, quit"
        case "filter":
            return "Letters narrow the list; [Enter] does what the cursor stands on"
        case _:
            assert_never(asked.purpose)


def _enter(scene: StartScene, spot: Spot) -> str:
    new = scene.view.new
    match spot.kind:
        case "fight":
            brief = scene.briefs.get(spot.key)
            return (
                f"[Enter] says what to do about {spot.name}"
                if brief and brief.problem
                else f"[Enter] opens {spot.name}"
            )
        case "system":
            return f"[Enter] begins {new.name or f'a new {spot.name} fight: its name comes next'}"
        case "lesson":
            return f"[Enter] plays the lesson on {spot.name}"
        case "sample":
            return f"[Enter] opens a copy of the sample {spot.name}"
        case "party":
            return f"[Enter] a new fight with {spot.name}: its system, then its name"
        case "trash":
            return "[Enter] shows what was thrown away"
        case "thrown":
            return f"[Enter] puts {spot.name} back among the fights"
        case _:
            assert_never(spot.kind)


def second_line(scene: StartScene, spot: Spot | None) -> str:
    """Return what else can be done, or what a question offers."""
    return scene.glyphs.joint.join(_second(scene, spot))


def _second(scene: StartScene, spot: Spot | None) -> Sequence[str]:
    match scene.view.mode:
        case Refusal(taken=taken):
            return ("[l] look on without writing", *(["[t] take over"] if taken else []), "[Esc] leave it")
        case Asked(purpose="filter"):
            return ()
        case Asked(purpose="make"):
            party = ["[Tab] another party, or none"] if scene.contents.parties else []
            return ("letters give another name", *party, "[Esc] back")
        case Asked():
            return ("[Enter] goes on", "[Esc] back")
        case Resting():
            return ("a long one heals; the file as it was stays beside it", "[Esc] back")
    if scene.view.new.name or scene.view.new.party:
        return ("[Esc] back",)
    if scene.welcome:
        return ("New here? A lesson shows the keys; or choose a system for your first fight",)
    match spot.kind if spot else "":
        case "fight":
            return ("[x] puts it into the trash, from where it can come back",)
        case "party":
            return ("[Q] lets it rest",)
        case "thrown":
            return ("[Esc] back to the fights",)
        case _:
            return ()


LEAST = 3
"""Rows of a list that is cut: its title and two."""

NAME, SYSTEM = 20, 22
"""Columns for the name of a fight and for its system, at the most."""

TITLE = 26
"""Columns for the title of a system, at the most: what it is matters more."""

DETAIL = 12
"""Lines from which on there is room for what is known of the current row."""


def lists(scene: StartScene, width: int, height: int) -> list[Row]:
    """Return the lists, and below them what is known of the current row, in the rows that are left."""
    sections, current_spot = parts(scene), current(scene)
    lines = wrapped(detail(scene, current_spot), width - 2) if current_spot else []
    total = (
        (min(5, 1 + len(lines)) if isinstance(scene.view.mode, Refusal) else 2)
        if current_spot and height >= DETAIL
        else 0
    )
    high = _heights(sections, current_spot, height - total)
    rows: list[Row] = []
    for number, (part, room) in enumerate(zip(sections, high, strict=True)):
        first = current_spot is None and number == 0
        rows += _part(scene, part, current_spot, (width, room), first=first)
    if total and current_spot:
        rows += _detail(scene, current_spot, width, height - len(rows) - 1)
    return filled(rows, height)


def _heights(sections: tuple[ListPart, ...], current_spot: Spot | None, room: int) -> list[int]:
    """Return the rows of each list, the longest cut first; without two rows for each, one list alone."""
    wants = [1 + max(1, len(part.lines)) for part in sections]
    least = [min(LEAST, want) for want in wants]
    if sum(least) > room:
        alone = next((i for i, part in enumerate(sections) if _holds(part, current_spot)), 0)
        return [room if i == alone else 0 for i in range(len(sections))]
    while sum(wants) > room:
        longest = max((i for i in range(len(wants)) if wants[i] > least[i]), key=lambda i: wants[i])
        wants[longest] -= 1
    return wants


def _holds(part: ListPart, current_spot: Spot | None) -> bool:
    return any(current_spot in line.spots for line in part.lines)


def _part(
    scene: StartScene, part: ListPart, current_spot: Spot | None, size: tuple[int, int], *, first: bool
) -> list[Row]:
    """Return one list in these columns and rows; `first`: without a cursor its first spot is current."""
    width, height = size
    if height < 1:
        return []
    at = next((i for i, line in enumerate(part.lines) if current_spot in line.spots), 0)
    room = height - 1
    top = page(at, room, len(part.lines))
    shown = part.lines[top : top + room]
    more_ = "".join(text for text, _ in span(top, len(shown), len(part.lines), scene.glyphs))
    more = ", ".join(x for x in (part.note, more_) if x)
    rows: list[Row] = [heading(scene, part.title, width, more, focused=first or _holds(part, current_spot))]
    wide = _widths(scene, part)
    rows += [_line(scene, line, current_spot, width, wide) for line in shown]
    if not part.lines and part.empty:
        rows.append(clip(((f"  {part.empty}", "muted"),), width, scene.glyphs.ellipsis))
    return filled(rows, height)


def heading(scene: StartScene, text: str, width: int, more: str = "", *, focused: bool = False) -> Row:
    """Return a title, in brackets when the cursor is below it."""
    name: Piece = (framed(scene.glyphs, text), "focus") if focused else (text, "title")
    return titled(scene.glyphs, name, width, ((more, "muted"),) if more else ())


class _FightCells(NamedTuple):
    """The columns of a fight's row, as texts."""

    system: str
    turn: str
    day: str
    stands: str
    problem: str


def _widths(scene: StartScene, part: ListPart) -> tuple[int, int, int]:
    """Return columns for the names, and for the systems and days of fights."""
    if any(line.title for line in part.lines):
        return max(cells(line.title) for line in part.lines), 0, 0
    spots = [line.spots[0] for line in part.lines]
    most = TITLE if any(s.kind == "system" for s in spots) else NAME
    briefs = [_cells_of(scene, s) for s in spots if s.kind in ("fight", "thrown")]
    return (
        min(most, max((cells(s.name) for s in spots), default=0)),
        min(SYSTEM, max((cells(t.system) for t in briefs), default=0)),
        max((cells(t.day) for t in briefs), default=0),
    )


def _cells_of(scene: StartScene, spot: Spot) -> _FightCells:
    listed, brief = listed_of(scene, spot), scene.briefs.get(spot.key)
    titles = {s.id: s.title for s in scene.systems}
    known = titles.get(listed.system, listed.system) if listed else ""
    return _FightCells(
        brief.system if brief and brief.system else known,
        f"round {brief.round}" if brief and brief.round else "",
        when(listed.modified, scene.now) if listed else "",
        brief.stands if brief else "",
        (listed.problem if listed else "") or (brief.problem if brief else ""),
    )


def _line(
    scene: StartScene, line: SpotLine, current_spot: Spot | None, width: int, wide: tuple[int, int, int]
) -> Row:
    ellipsis = scene.glyphs.ellipsis
    on = current_spot in line.spots
    head: list[Piece] = [(scene.glyphs.cursor if on else " ", "focus"), (" ", "text")]
    # No key has two digits: a tenth system has none.
    head += [(f"{line.number if line.number < 10 else ' '} ", "key")] if line.number else []
    if line.title:
        head.append(column(line.title, wide[0], "hint", ellipsis))
        return clip([*head, *_beside(scene, line, current_spot, width - wide[0] - 4)], width, ellipsis)
    spot = line.spots[0]
    role: Role = "focus" if on else "text"
    head.append(column(spot.name, wide[0], role, ellipsis))
    if spot.kind in ("fight", "thrown"):
        return clip([*head, *_fight(scene, spot, wide, width)], width, ellipsis)
    room = width - sum(cells(text) for text, _ in head) - 1
    note = line.note
    if cells(note) > room > cells(ellipsis):
        # Between two words: a part of one is a riddle to who meets the systems for the first time.
        note = wrapped(note, room - cells(ellipsis))[0].rstrip(" ,;:") + ellipsis
    return clip([*head, (f" {note}", "muted")], width, ellipsis)


def _beside(scene: StartScene, line: SpotLine, current_spot: Spot | None, width: int) -> list[Piece]:
    """Return spots beside each other, the current one in brackets; those before it go where not all fit."""
    at = line.spots.index(current_spot) if current_spot in line.spots else 0
    first = 0
    while first < at and sum(cells(s.name) + 2 for s in line.spots[first : at + 1]) > width:
        first += 1
    pieces: list[Piece] = [(f" {scene.glyphs.ellipsis}", "muted")] if first else []
    for spot in line.spots[first:]:
        on = spot == current_spot
        pieces.append((f"[{spot.name}]" if on else f" {spot.name} ", "focus" if on else "text"))
    return pieces


def _fight(scene: StartScene, spot: Spot, wide: tuple[int, int, int], width: int) -> list[Piece]:
    """Return system, round, day, and how it stands; or what is wrong with the file."""
    ellipsis, brief = scene.glyphs.ellipsis, _cells_of(scene, spot)
    if brief.problem:
        return [(f" {brief.problem}", "error")]
    if width < NARROW:
        return [(f" {brief.turn:<8} ", "text"), (f" {brief.stands}", "text")]
    return [
        (" ", "text"),
        column(brief.system, wide[1], "muted", ellipsis),
        (f" {brief.turn:<8} ", "text"),
        # How it stands is what one looks for: on a screen without two sides the day gives way.
        *([column(brief.day, wide[2], "muted", ellipsis)] if width >= TWO else []),
        (f" {brief.stands}", "text"),
    ]


def _detail(scene: StartScene, current_spot: Spot, width: int, most: int) -> list[Row]:
    rows = joined(wrapped(detail(scene, current_spot), width - 2), most)
    body = [clip(((f" {row}", "text"),), width, scene.glyphs.ellipsis) for row in rows]
    return [heading(scene, current_spot.name, width), *body]


Hint = tuple[str, str]
FIGHT: tuple[Hint, ...] = (("c", "copy"), ("R", "rename"), ("x", "trash"))
PARTY: tuple[Hint, ...] = (("Q", "rest"),)
HOME: tuple[Hint, ...] = (
    ("?", "help"),
    (":", "line"),
    ("/", "filter"),
    ("Tab", "next list"),
    ("q", "quit"),
)
ELSEWHERE: tuple[Hint, ...] = (("Enter", "take"), ("/", "filter"), ("?", "help"), ("Esc", "back"))
READING: tuple[Hint, ...] = (("j/k", "scroll"), ("Esc", "back"))
NARROWED: tuple[Hint, ...] = (("Up/Down", "choose"), ("Enter", "take"), ("Esc", "all again"))


def boxes(width: int, height: int) -> dict[Part, Box]:
    """Return a box for every part that has room."""
    return arrange(_PARTS, width, height)


_PARTS = (
    Claim("header", "top", 1),
    Claim("over", "across", 1),
    Claim("now", "bottom", 2, 2),
    Claim("hints", "bottom", 1),
)
"""The parts of the start screen."""


def draw(scene: StartScene, places: Mapping[Part, Box]) -> dict[Part, list[Row]]:
    """Return the rows of every part that has a box."""
    return {part: _screen_part(scene, part, box) for part, box in places.items()}


def _screen_part(scene: StartScene, part: Part, box: Box) -> list[Row]:
    match part:
        case "header":
            return [_header(scene, box.width)]
        case "now":
            return _now(scene, box.width, box.height)
        case "hints":
            return [_hints(scene, box.width)]
        case _:
            mode = scene.view.mode
            if not isinstance(mode, HelpText):
                return lists(scene, box.width, box.height)
            text: list[Row] = [((f" {row}", "text"),) for row in paragraphs(mode.text, box.width - 2)]
            return scrolled(scene.glyphs, mode.title, text, mode.top, box.width, box.height)


def _header(scene: StartScene, width: int) -> Row:
    count, folder = len(scene.contents.fights), scene.contents.folder
    # The end of a long path tells more than its beginning.
    most = max(12, width // 3)
    shown = folder if cells(folder) <= most else scene.glyphs.ellipsis + folder[len(folder) - most :]
    text = f"{count} fight{'s' * (count != 1)} in {shown} "
    right: list[Piece] = [(f"filter: {scene.view.filter}  ", "warning")] if scene.view.filter else []
    return apart(((" tocsin", "title"),), (*right, (text, "muted")), width, scene.glyphs.ellipsis)


def _now(scene: StartScene, width: int, height: int) -> list[Row]:
    """Return what Enter does, and below it what else there is, or the notice."""
    current_spot, glyphs = current(scene), scene.glyphs
    start = "" if glyphs.spoken else f"{glyphs.may} "
    if notice := scene.view.notice:
        rows = wrapped(str(notice), width)
        rows = rows if len(rows) <= height else joined(wrapped(notice.helpful, width), height)
        lines = [clip(((row, notice.role),), width, glyphs.ellipsis) for row in rows]
        first = [clip(inked(start + now_line(scene, current_spot)), width, glyphs.ellipsis)][
            : height - len(lines)
        ]
        return filled([*first, *lines], height)
    asked = isinstance(scene.view.mode, Refusal)
    rows = (
        wrapped(start + now_line(scene, current_spot), width)
        if asked
        else [start + now_line(scene, current_spot)]
    )
    second = second_line(scene, current_spot)
    room = height - 1 if second and height > 1 else height
    rows = joined(rows, room) + ([f"  {second}"] if second and height > 1 else [])
    return filled([clip(inked(row), width, glyphs.ellipsis) for row in rows], height)


def _hints(scene: StartScene, width: int) -> Row:
    match scene.view.mode:
        case Asked() as asked:
            sign = {"filter": "/", "line": ":"}.get(asked.purpose, "name: ")
            pairs = NARROWED if asked.purpose == "filter" else (("Enter", "go on"), ("Esc", "back"))
            typed = typed_line(asked.editor, max(1, width - cells(sign)))
            gap: Piece = ("  ", "text")
            return clip(((sign, "key"), *typed, gap, *_keyed(pairs)), width, scene.glyphs.ellipsis)
        case HelpText():
            keys = READING
        case Refusal(taken=taken):
            keys = (("l", "look on"), *((("t", "take over"),) if taken else ()), ("Esc", "back"))
        case Resting():
            keys = (("s", "short"), ("l", "long"), ("Esc", "back"))
        case None:
            keys = _home(scene) if scene.view.place == "home" and not scene.view.new.name else ELSEWHERE
    return hint_row(keys, width, scene.glyphs.ellipsis)


def _home(scene: StartScene) -> tuple[Hint, ...]:
    """Return the keys of the lists, with those of the entry under the cursor."""
    current_spot = current(scene)
    own = {"fight": FIGHT, "party": PARTY}.get(current_spot.kind if current_spot else "", ())
    return (("Enter", "open"), (f"1-{min(9, len(scene.systems))}", "new"), *own, *HOME)


def _keyed(pairs: tuple[Hint, ...]) -> list[Piece]:
    return [piece for key, word in pairs for piece in ((f" {key}", "key"), (f" {word} ", "hint"))]


def place(scene: StartScene, places: Mapping[Part, Box], drawn: Mapping[Part, list[Row]]) -> tuple[int, int]:
    """Return column and line, from 0, of what is typed or the current row: for the terminal's cursor."""
    part: Part = "hints" if isinstance(scene.view.mode, Asked) else "over"
    return caret(scene.glyphs, part, places, drawn)

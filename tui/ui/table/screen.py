"""The whole screen of who looks on: whose turn, the track, what happened last, how the save stands."""

from __future__ import annotations

from collections.abc import Sequence

from tui.ui.state.columns import cells
from tui.ui.state.palette import Role
from tui.ui.state.rows import BLANK, Piece, Row, apart, clip, filled, titled, words, wrapped
from tui.ui.table.helping import help_rows
from tui.ui.table.large import banner
from tui.ui.table.lines import lines
from tui.ui.table.look import Look, standing_words
from tui.ui.table.rows import top, track
from tui.ui.table.saying import Saying, own_orders, saying

LEAST_LOG = 3
"""Lines of the log, its title among them, that it keeps where there is room for more than the track."""

LARGE, TRACK = 12, 4
"""Lines from which on there are large letters, and those that the track keeps below them."""

LOW = 14
"""Lines from which on there is a log."""

KEYS = (("b", "large letters"), ("t", "colours"), ("j/k", "rows"), ("?", "help"), ("q", "quit"))


def screen(look: Look, width: int, height: int) -> list[Row]:
    """Exactly `height` rows of at most `width` columns."""
    return [clip(row, width, look.glyphs.ellipsis) for row in _rows(look, width, height)]


def _rows(look: Look, width: int, height: int) -> list[Row]:
    if look.page is None:
        return filled([_header(look, width), BLANK, *_standing(look, width)], height)
    if look.help:
        return [_header(look, width), *help_rows(look, width, height - 1)]
    foot = [] if height < 6 else [hints(KEYS, width)]
    head = [_header(look, width), *_head(look, width, height)] if height > 2 else []
    # Where there is little room the header's word must do.
    low = _standing(look, width) if height >= LOW else []
    room = height - len(head) - len(low) - len(foot)
    need = 1 + len(lines(look.page))
    log = max(min(room - need, room - 4), min(LEAST_LOG, room - 4), 0) if height >= LOW else 0
    # Across the table nobody reads what happened a while ago.
    log = log if not look.large or room - need >= LEAST_LOG else 0
    shown = track(look, width, max(1, room - log)) if room > 0 else []
    return filled([*head, *filled(shown, room - log), *_log(look, width, log), *low, *foot], height)


def point(look: Look, width: int, height: int) -> tuple[int, int]:
    """The column and line of whoever acts, for a screen reader; else of what is said first."""
    rows = screen(look, width, height)
    if look.page and (entry := saying(look.page).who):
        for y, row in enumerate(rows[2:], 2):
            if entry in words(row):
                return 0, y
    return 0, 1


def _header(look: Look, width: int) -> Row:
    """Save, system, round, phase; at the end who looks, and whether anybody writes."""
    dot = f" {look.glyphs.dot} "
    right: list[Piece] = []
    word, _ = standing_words(look)
    if word:
        right.append((word + " ", "warning"))
    if look.notice:
        right.append((look.notice + " ", "warning"))
    if look.viewer:
        right.append((("as " if cells(look.viewer) < width // 3 else "") + look.viewer + " ", "muted"))
    told = ""
    if look.page:
        s, title = look.page.state, look.page.words.short
        state = (
            [f"round {s.round}", *([s.phase] if s.phase != "turns" else [])]
            if look.page.running
            else ["not begun"]
        )
        room = width - sum(cells(text) for text, _ in right) - 1
        whole = dot.join([title, *state])
        told = dot + (whole if cells(f" {look.save}{dot}{whole}") <= room else dot.join(state))
    return apart(((f" {look.save}", "title"), (told, "muted")), tuple(right), width, look.glyphs.ellipsis)


def _moment(look: Look, width: int, most: int) -> list[Row]:
    """Whose turn it is and who comes next; below it the order that is carried out, or what must be read."""
    assert look.page
    said = saying(look.page)
    rows = [_lead(look, said, width)]
    if said.then and cells(words(rows[0])) + cells(said.then) + 3 <= width:
        rows = [(*rows[0], (f", {said.then}", "text"))]
    elif said.then:
        rows.append(clip(((f"   {said.then}", "text"),), width, look.glyphs.ellipsis))
    for line in (*said.lines, *own_orders(look.page, masked=look.masked)):
        rows += [((f"   {part}", "text"),) for part in wrapped(line, width - 3)]
    if len(rows) > most:
        left = len(rows) - most + 1
        rows = [*rows[: most - 1], ((f"   {look.glyphs.ellipsis} {left} more lines", "muted"),)]
    return rows


def _head(look: Look, width: int, height: int) -> list[Row]:
    """The moment, in large letters if that is wanted and has room."""
    if look.large and height >= LARGE:
        return banner(look, width, height - 1 - max(TRACK, height // 3))
    return _moment(look, width, 2 if height < LOW else 6)


def _lead(look: Look, said: Saying, width: int) -> Row:
    """The first line: the sign of the moment and its words."""
    g = look.glyphs
    sign = g.acting if said.kind == "acts" else g.may
    start = " " if g.spoken else f" {sign} "
    role: Role = "selected" if said.mine else "acting" if said.kind == "acts" else "text"
    return clip(((start + said.lead, role),), width, g.ellipsis)


def _log(look: Look, width: int, height: int) -> list[Row]:
    """The latest of what was told, the newest last, every message whole."""
    assert look.page
    if height < 2:
        return [BLANK] * height
    g, room = look.glyphs, height - 1
    rows: list[Row] = []
    for moment in reversed(look.page.log):
        told = [part for text in moment.text for part in wrapped(text, width - 6)]
        number = f"{moment.step:>4}  "
        rows = [
            ((number if not i else " " * 6, "muted"), (part, "text")) for i, part in enumerate(told)
        ] + rows
        if len(rows) >= room:
            break
    return filled([titled(g, ("Log", "title"), width, ()), *rows[-room:]], height)


def _standing(look: Look, width: int) -> list[Row]:
    """What is to be said of the save, if anything is."""
    _, line = standing_words(look)
    return [((f" {part}", "warning"),) for part in wrapped(line, width - 2)] if line else []


def hints(keys: Sequence[tuple[str, str]], width: int) -> Row:
    """Keys with their words, as many as have room in `width` columns; the last, the way out, before all others."""
    *others, last = map(_hint, keys)
    shown: list[Piece] = []
    room = width - cells(words(last))
    for hint in others:
        room -= cells(words(hint))
        if room < 0:
            break
        shown += hint
    return (*shown, *last) if cells(words(last)) <= width else ()


def _hint(key: tuple[str, str]) -> Row:
    return ((f" {key[0]}", "key"), (f" {key[1]} ", "hint"))


def scrolled(look: Look, by: int, room: int) -> int | None:
    """The first row after scrolling by so many."""
    if look.page is None:
        return None
    found = lines(look.page)
    return max(0, min(top(look, found, room) + by, max(0, len(found) - room)))

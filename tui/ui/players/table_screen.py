"""The whole screen of a player's terminal, and its help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tui.core.published_page import Now
from tui.core.table import OrderView
from tui.ui.players.page import FrameState, PlayerPage, standing_words
from tui.ui.text.glyphs import STATES, state_sign
from tui.ui.text.held import RowStyle, TableLine, row_cells
from tui.ui.text.palette import Role, side_role
from tui.ui.text.rows import (
    BLANK,
    Piece,
    Row,
    cells,
    clip,
    header_row,
    hint_row,
    join_ends,
    pad_rows,
    span,
    title_row,
    words,
    wrap_text,
)
from tui.ui.text.track import TrackCells, track_list


def lines(page: PlayerPage) -> tuple[TableLine, ...]:
    """Return the rows of the track; outside a fight all creatures."""
    known, order = {c.name: c for c in page.state.combatants}, {row.entry: row for row in page.state.track}
    if not page.rows:
        return tuple([TableLine(c.name, "out" if c.out else "waits", (c,)) for c in known.values()])
    return tuple(
        [
            TableLine(
                x.entry,
                x.state,
                tuple([known[name] for name in x.members if name in known]),
                None if x.inner else order.get(x.entry),
                x.place,
                x.owed,
                inner=x.inner,
                outer=x.outer,
            )
            for x in page.rows
        ]
    )


def track(look: FrameState, entries: Sequence[TableLine], width: int, height: int) -> list[Row]:
    """Return the track with its title, around the acting row or from the scrolled row on."""
    assert look.page
    own, room = look.page.own, max(1, height - 1)
    first = top(look, entries, room)
    shown = entries[first : first + room]
    g = look.glyphs
    cut = span(first, len(shown), len(entries), g)
    title = title_row(g, ("Track" if look.page.state.track else "Creatures", "title"), width, cut)
    style = RowStyle(g, look.page.state.round, look.page.words.marks, actors=look.page.state.actors)
    rows = [_make_cells(look, style, line, mine=line.entry in own) for line in shown]
    numbered = any(line.place or line.owed for line in entries)
    lead: Row = ((" ", "text"),)
    return track_list(rows, [lead] * len(rows), width, g, numbered=numbered, title=title)


def top(look: FrameState, entries: Sequence[TableLine], room: int) -> int:
    """Return the index of the first row shown; a quarter of the room stays above the acting row."""
    last = max(0, len(entries) - room)
    if look.top is not None:
        return min(look.top, last)
    # Both the row of a side and its acting member are marked: the member must be seen.
    wanted = {"now"} if any(line.state == "now" for line in entries) else {"may"}
    marked = [i for i, line in enumerate(entries) if line.state in wanted]
    at = next((i for i in marked if entries[i].inner), marked[0] if marked else 0)
    return min(max(0, at - room // 4), last)


def _make_cells(look: FrameState, style: RowStyle, line: TableLine, *, mine: bool) -> TrackCells:
    """Return the cells of a row; the names of the viewer's creatures stand out."""
    ink: Role | None = "selected" if mine and line.state not in ("now", "out") else None
    made = row_cells(style, line, _side(look, line), ink=ink)
    if not look.glyphs.spoken:
        return made
    yours: list[Piece] = [("yours", "selected")] if mine else []
    side: list[Piece] = [(line.people[0].side, "muted")] if line.people and not line.inner else []
    return replace(made, held=(*yours, *made.held, *side))


def _side(look: FrameState, line: TableLine) -> Piece:
    """Return the sign of a row's side; sides have the same one on every screen."""
    names = look.page.sides if look.page else ()
    side = Counter(c.side for c in line.people).most_common(1)
    number = names.index(side[0][0]) if side and side[0][0] in names else 0
    return (look.glyphs.sides[number % len(look.glyphs.sides)], side_role(number))


HELPING_KEYS = (
    ("q", "leave"),
    ("t", "other colours"),
    ("j k ↑ ↓", "rows that do not fit"),
    ("Esc", "back to the creature that acts"),
    ("ctrl+l", "redraw everything"),
    ("?", "this page"),
)

WORDS = (
    ("unhurt", "has all its hit points"),
    ("hurt", "has lost some"),
    ("bloodied", "at half its hit points or less"),
    ("down", "at 0, or out of the fight"),
)

LOOKING = "Nothing here changes the fight. "

_STATES = ("now", "may", "waits", "done", "barred", "staged", "out")


def helping(look: FrameState, width: int) -> list[Row]:
    """Return all rows of the help."""
    glyphs = look.glyphs
    states = (STATES[state].word or state for state in _STATES)
    signs = () if glyphs.spoken else tuple(zip((state_sign(glyphs, s) for s in _STATES), states, strict=True))
    rows: list[Row] = []
    for name, pairs in (
        ("Your seat", look.keys),
        ("Keys", HELPING_KEYS),
        ("Signs", signs),
        ("How hurt", WORDS),
    ):
        if pairs:
            rows += [*([BLANK] if rows else []), title_row(glyphs, (name, "title"), width, ())]
            rows += _draw_table(pairs, width)
    rows += [BLANK]
    about = (
        "" if look.keys else LOOKING
    ) + "You see what everybody at the table may know, and what is yours alone."
    rows += [((f" {part}", "muted"),) for part in wrap_text(about, width - 2)]
    return [clip(row, width, glyphs.ellipsis) for row in rows]


def help_rows(look: FrameState, width: int, height: int) -> list[Row]:
    """Return `height` rows of the help; the last one shows if there is more."""
    rows = helping(look, width)
    if len(rows) <= height or height < 2:
        return pad_rows(rows, height)
    top = help_top(look, 0, width, height)
    more = clip(((" j k more of this page", "hint"),), width, look.glyphs.ellipsis)
    return [*rows[top : top + height - 1], more]


def help_top(look: FrameState, by: int, width: int, height: int) -> int:
    """Return the index of the first row of the help after scrolling by `by`."""
    return max(0, min((look.top or 0) + by, len(helping(look, width)) - height + 1))


def _draw_table(pairs: tuple[tuple[str, str], ...], width: int) -> list[Row]:
    """Return rows of two columns, a word or sign and its meaning; [] if there is no room."""
    head = max(cells(left) for left, _ in pairs) + 3
    return [((f" {left:<{head - 2}} ", "key"), (right, "text")) for left, right in pairs if width > head]


LEAST_LOG = 3
"""The fewest lines of the log with its title, if there is room for more than the track."""

MOMENT = 6
"""The rows that the moment always gets if the screen has a log; it gets more if rows are free."""

LOW = 14
"""The height of the screen in lines from which there is a log."""

KEYS = (("t", "colours"), ("j/k", "rows"), ("?", "help"), ("q", "quit"))


def screen(look: FrameState, width: int, height: int) -> list[Row]:
    """Return exactly `height` rows of at most `width` columns."""
    return [clip(row, width, look.glyphs.ellipsis) for row in _draw_rows(look, width, height)]


def _draw_rows(look: FrameState, width: int, height: int) -> list[Row]:
    if look.page is None:
        return pad_rows([_draw_header(look, width), BLANK, *_draw_standing(look, width)], height)
    if look.help:
        return [_draw_header(look, width), *help_rows(look, width, height - 1)]
    foot = [] if height < 6 else [hint_row(KEYS, width, look.glyphs.ellipsis)]
    # If there is little room the header's word must do.
    low = _draw_standing(look, width) if height >= LOW else []
    entries = lines(look.page)
    need = 1 + len(entries)
    most = max(MOMENT, height - 1 - need - LEAST_LOG - len(low) - len(foot)) if height >= LOW else 2
    head = [_draw_header(look, width), *_draw_moment(look, width, most)] if height > 2 else []
    room = height - len(head) - len(low) - len(foot)
    log = max(min(room - need, room - 4), min(LEAST_LOG, room - 4), 0) if height >= LOW else 0
    shown = track(look, entries, width, max(1, room - log)) if room > 0 else []
    return pad_rows([*head, *pad_rows(shown, room - log), *_draw_log(look, width, log), *low, *foot], height)


def point(look: FrameState, width: int, height: int) -> tuple[int, int]:
    """Return column and line of the acting row for a screen reader, else of the first row."""
    rows = screen(look, width, height)
    if look.page and (entry := look.page.now.who):
        for y, row in enumerate(rows[2:], 2):
            if entry in words(row):
                return 0, y
    return 0, 1


def _draw_header(look: FrameState, width: int) -> Row:
    """Return the header: save, system, round, phase; at its end the viewer, and the state of the save."""
    right: list[Piece] = []
    word, _ = standing_words(look)
    if word:
        right.append((word + " ", "warning"))
    if look.notice:
        right.append((look.notice + " ", "warning"))
    if look.viewer:
        right.append((("as " if cells(look.viewer) < width // 3 else "") + look.viewer + " ", "muted"))
    if look.page is None:
        return join_ends(((f" {look.save}", "title"),), tuple(right), width, look.glyphs.ellipsis)
    s = look.page.state
    return header_row(look.save, look.page.words.short, (s.round, s.phase), right, width, look.glyphs)


def _draw_moment(look: FrameState, width: int, most: int) -> list[Row]:
    """Return whose turn it is, who is next, notes, what must be read, and orders; at most `most` rows."""
    assert look.page
    now = look.page.now
    rows = [_draw_lead(look, now, width)]
    if now.then and cells(words(rows[0])) + cells(now.then) + 3 <= width:
        rows = [(*rows[0], (f", {now.then}", "text"))]
    elif now.then:
        rows.append(clip(((f"   {now.then}", "text"),), width, look.glyphs.ellipsis))
    for line in (
        *now.remarks,
        *look.page.read(masked=look.masked),
        *orders_to_read(look.page, masked=look.masked),
    ):
        rows += [((f"   {part}", "text"),) for part in wrap_text(line, width - 3)]
    if len(rows) > most:
        folded = len(rows) - most + 1
        rows = [*rows[: most - 1], ((f"   {look.glyphs.ellipsis} {folded} more lines", "muted"),)]
    return rows


def orders_to_read(page: PlayerPage, *, masked: bool) -> Iterator[str]:
    """Yield a line for each order that the viewer may read and that is not carried out yet.

    The viewer's own orders come first, with their warnings; `masked` hides their texts. Without a game master
    orders that were carried out or are void follow.
    """
    coming = [o for o in page.state.orders if o.state in ("written", "locked")]
    for o in sorted(coming, key=lambda o: not page.mine(o.who)):
        text = order_text(o)
        if page.mine(o.who):
            warnings = f" ({'; '.join(o.warnings)})" if o.warnings else ""
            yield f"your order, {o.who}: {'unseen' if masked else text + warnings}"
        else:
            yield f"{o.who}: {text}"
    if page.seat.gmless and page.state.phase == "turns":
        for o in page.state.orders:
            if o.state in ("done", "void"):
                yield f"{o.state}, {o.who}: {order_text(o)}"


def order_text(order: OrderView) -> str:
    """Return an order in one line, with the names of its parts."""
    return "; ".join(order.wording) or "nothing"


def _draw_lead(look: FrameState, now: Now, width: int) -> Row:
    """Return the first row of the moment: its sign and its words."""
    g = look.glyphs
    sign = g.acting if now.kind == "acts" else g.may
    start = " " if g.spoken else f" {sign} "
    role: Role = "selected" if now.mine else "acting" if now.kind == "acts" else "text"
    return clip(((start + now.lead, role),), width, g.ellipsis)


def _draw_log(look: FrameState, width: int, height: int) -> list[Row]:
    """Return the latest messages of the log, the newest last, each whole."""
    assert look.page
    if height < 2:
        return [BLANK] * height
    g, room = look.glyphs, height - 1
    rows: list[Row] = []
    for moment in reversed(look.page.log):
        texts = [part for text in moment.text for part in wrap_text(text, width - 6)]
        number = f"{moment.step:>4}  "
        rows = [
            ((number if not i else " " * 6, "muted"), (part, "text")) for i, part in enumerate(texts)
        ] + rows
        if len(rows) >= room:
            break
    return pad_rows([title_row(g, ("Log", "title"), width, ()), *rows[-room:]], height)


def _draw_standing(look: FrameState, width: int) -> list[Row]:
    """Return the warning about the save, [] for none."""
    _, line = standing_words(look)
    return [((f" {part}", "warning"),) for part in wrap_text(line, width - 2)] if line else []


def scrolled(look: FrameState, by: int, room: int) -> int | None:
    """Return the index of the first row shown after scrolling by `by`; None without a page."""
    if look.page is None:
        return None
    entries = lines(look.page)
    return max(0, min(top(look, entries, room) + by, max(0, len(entries) - room)))

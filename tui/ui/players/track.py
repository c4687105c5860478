"""Show the track on a player's terminal: places, names, how hurt each one is, what holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tui.ui.players.page import Look, PublicCreature, PublicPage, PublicRow
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role, side_role
from tui.ui.text.rows import Piece, Row, span, titled
from tui.ui.text.track import (
    LATEST,
    TrackCells,
    Weighed,
    condition_word,
    gathered,
    measure,
    points_text,
    state_role,
    track_row,
)

_WORST: dict[str, tuple[int, Role]] = {
    "down": (0, "down"),
    "bloodied": (1, "hp-low"),
    "hurt": (2, "hp-mid"),
    "unhurt": (3, "hp-good"),
}
"""How bad each word for hit points is, and how it is drawn."""


def points(people: Sequence[PublicCreature], glyphs: Glyphs) -> Piece:
    """`13/24+5`, `bloodied`, of several `1 bloodied` or `2-9/9`; blank where the house rule says nothing."""
    numbers = [(c.hp, c.max_hp, c.temp_hp) for c in people if c.hp is not None]
    if numbers and len(numbers) == len(people):
        role = min((_WORST[_word(c)] for c in people), default=(3, "hp-good"))[1]
        return (points_text(numbers, glyphs), role)
    said = [c.health or _word(c) for c in people if c.health or c.hp is not None]
    if not said:
        return ("", "text")
    worst = min(said, key=lambda word: _WORST.get(word, (9, "text"))[0])
    many = said.count(worst)
    role = _WORST.get(worst, (9, "text"))[1]
    return (worst if many == len(said) else f"{many} {worst}", role)


def _word(c: PublicCreature) -> str:
    """Return the word for hit points that are known in numbers."""
    if c.hp == 0 or c.out:
        return "down"
    if c.hp is None or c.max_hp is None or c.hp >= c.max_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.max_hp else "bloodied"


class TableLine(Struct, frozen=True):
    """A row that is shown. `inner`: a member below the row of its side."""

    row: PublicRow
    people: tuple[PublicCreature, ...]
    inner: bool = False


def lines(page: PublicPage) -> list[TableLine]:
    """Return the rows of the order, members below those of their side; without an order all creatures."""
    if not page.state.track:
        return [_alone(c, "out" if c.out else "waits") for c in page.state.combatants]
    found: list[TableLine] = []
    for row in page.state.track:
        people = page.members(row)
        found.append(TableLine(row, people))
        if not any(row.entry in (c.name, c.group) for c in people):
            found += sorted((_inner(page, c) for c in people), key=lambda line: line.row.state == "done")
    shown = {name for line in found for name in line.row.members}
    rest = [c for c in page.state.combatants if c.name not in shown]
    found += [_alone(c, "staged") for c in rest if not c.out]
    grouped = {c.group for line in found for c in line.people if c.group}
    return [*found, *(_alone(c, "out") for c in rest if c.out and c.group not in grouped)]


def _alone(c: PublicCreature, state: str) -> TableLine:
    return TableLine(PublicRow(c.name, (c.name,), 0, 0, state), (c,))


def _inner(page: PublicPage, c: PublicCreature) -> TableLine:
    offered = {a.who for a in page.state.offer.acts}
    now = page.state.acting in (c.name, c.group or c.name)
    state = "now" if now else "may" if c.name in offered else "done" if "acted" in c.marks else "waits"
    return TableLine(PublicRow(c.name, (c.name,), 0, 0, state), (c,), inner=True)


# --- what holds them


def held(look: Look, line: TableLine) -> list[Piece]:
    """Return alarms, the row's state, conditions by what is left of them, other marks, with how many."""
    left = sum(not c.out and "acted" not in c.marks for c in line.people)
    away = line.row.state in ("staged", "out")
    words = (_of(look, c, line) for c in line.people)
    return gathered(words, line.row.state, 0 if away else left, look.glyphs)


def _of(look: Look, c: PublicCreature, line: TableLine) -> Iterator[Weighed]:
    """Yield the words of one creature, each with its weight: small ones come first."""
    assert look.page
    if c.out and line.row.state != "out":
        yield (1, "out", "down")
    if c.arrives > look.page.state.round:
        yield (1, f"round {c.arrives}", "muted")
    for mark in c.marks:
        known = look.page.words.marks.get(mark)
        if known and known.short:
            yield (2, known.short, "alarm") if known.alarming else (LATEST + 1, known.short, "text")
    for x in c.conditions:
        yield condition_word(x.name, x.rounds, "concentrating")
    if c.hidden:
        yield (LATEST + 2, "hidden", "hidden")


def track(look: Look, width: int, height: int) -> list[Row]:
    """Return the track with its title, around the acting row or from where it was scrolled to."""
    assert look.page
    found = lines(look.page)
    room = max(1, height - 1)
    first = top(look, found, room)
    shown = found[first : first + room]
    g = look.glyphs
    cut = span(first, len(shown), len(found), g)
    title = titled(g, ("Track" if look.page.state.track else "In the fight", "title"), width, cut)
    # Only of rows that are shown: of a thousand creatures the others took most of a picture.
    rows = [_cells(look, line) for line in shown]
    columns = measure(rows, width, lead=1, numbered=any(line.row.value for line in found))
    lead: Piece = (" ", "text")
    return [title, *(track_row(row, columns, width, g, lead) for row in rows)]


def top(look: Look, found: Sequence[TableLine], room: int) -> int:
    """Return the first row that is shown: a quarter of the room is kept above the acting row."""
    last = max(0, len(found) - room)
    if look.top is not None:
        return min(look.top, last)
    # Of a side and its member who acts both are marked: the member is the one to be seen.
    wanted = {"now"} if any(line.row.state == "now" for line in found) else {"may"}
    marked = [i for i, line in enumerate(found) if line.row.state in wanted]
    at = next((i for i in marked if found[i].inner), marked[0] if marked else 0)
    return min(max(0, at - room // 4), last)


def _name(look: Look, line: TableLine) -> str:
    """Return the name; of a group also how many members it has."""
    if len(line.people) > 1 and all(c.group == line.row.entry for c in line.people):
        return f"{line.row.entry} {look.glyphs.times}{len(line.people)}"
    return line.row.entry


def _cells(look: Look, line: TableLine) -> TrackCells:
    """Return the cells of a row; the name of the viewer's own stands out."""
    g, row, outer = look.glyphs, line.row, _outer(line)
    mine = look.page is not None and look.page.mine(row.entry)
    if outer:
        left = sum("acted" not in c.marks and not c.out for c in line.people)
        words: list[Piece] = [(f"{left} of {len(line.people)} to act", state_role(row.state))]
    else:
        words = held(look, line)
    if g.spoken:
        words = [("yours", "selected"), *words] if mine else words
        words += [(line.people[0].side, "muted")] if line.people and not line.inner else []
    ranked = bool(row.place and row.value)
    shown: Piece = ("", "text") if outer else points(line.people, g)
    return TrackCells(
        row.state,
        _name(look, line),
        _side(look, line),
        tuple(words),
        place=f"{row.place}" if ranked else "",
        value=f"{row.value}" if ranked else "",
        points=shown,
        # Hit points in words begin below each other, where numbers end so.
        words=shown[0][-1:].isalpha(),
        ink="selected" if mine and row.state not in ("now", "out") else None,
        inner=line.inner,
        outer=outer,
    )


def _outer(line: TableLine) -> bool:
    """Whether the row is that of a side, with its members below it."""
    return (
        not line.inner
        and bool(line.people)
        and not any(line.row.entry in (c.name, c.group) for c in line.people)
    )


def _side(look: Look, line: TableLine) -> Piece:
    """Return the sign of a row's side; sides are numbered in the order in which they are named."""
    names = [side.name for side in look.page.state.sides] if look.page else []
    side = Counter(c.side for c in line.people).most_common(1)
    number = names.index(side[0][0]) if side and side[0][0] in names else 0
    return (look.glyphs.sides[number % len(look.glyphs.sides)], side_role(number))

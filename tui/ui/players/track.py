"""Show the track on a player's terminal: places, names, how hurt each one is, what holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tui.ui.players.page import Look, PublicCreature, PublicPage, PublicRow
from tui.ui.text.glyphs import STATES, Glyphs, state_sign
from tui.ui.text.palette import Role, side_role
from tui.ui.text.rows import Piece, Row, cells, clip, fit, fitted, pad, span, titled

_WORST: dict[str, tuple[int, Role]] = {
    "down": (0, "down"),
    "bloodied": (1, "hp-low"),
    "hurt": (2, "hp-mid"),
    "unhurt": (3, "hp-good"),
}
"""How bad each word for hit points is, and how it is drawn."""


def points(people: Sequence[PublicCreature], glyphs: Glyphs) -> Piece:
    """`13/24+5`, `bloodied`, of several `1 bloodied` or `2-9/9`; blank where the house rule says nothing."""
    numbers = [c for c in people if c.hp is not None]
    if numbers and len(numbers) == len(people):
        return _numbers(numbers, glyphs)
    said = [c.health or _word(c) for c in people if c.health or c.hp is not None]
    if not said:
        return ("", "text")
    worst = min(said, key=lambda word: _WORST.get(word, (9, "text"))[0])
    many = said.count(worst)
    role = _WORST.get(worst, (9, "text"))[1]
    return (worst if many == len(said) else f"{many} {worst}", role)


def _numbers(people: Sequence[PublicCreature], glyphs: Glyphs) -> Piece:
    low, high = min(c.hp or 0 for c in people), max(c.hp or 0 for c in people)
    tops = {c.max_hp for c in people}
    most = f"/{top}" if len(tops) == 1 and (top := next(iter(tops))) is not None else ""
    temp = max(c.temp_hp for c in people)
    role = min((_WORST[_word(c)] for c in people), default=(3, "hp-good"))[1]
    return (
        (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else ""),
        role,
    )


def _word(c: PublicCreature) -> str:
    """The word for hit points that are known in numbers."""
    if c.hp == 0 or c.out:
        return "down"
    if c.hp is None or c.max_hp is None or c.hp >= c.max_hp:
        return "unhurt"
    return "hurt" if 2 * c.hp > c.max_hp else "bloodied"


CONCENTRATION = "concentration"
_LATEST = 10**6
"""Weighs more than any number of rounds: what somebody has to end comes last."""


class TableLine(Struct, frozen=True):
    """A row that is shown. `inner`: a member below the row of its side."""

    row: PublicRow
    people: tuple[PublicCreature, ...]
    inner: bool = False


def lines(page: PublicPage) -> list[TableLine]:
    """The rows of the order, members below those of their side; without an order everybody in the fight."""
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
    """What alarms, the row's state, conditions by what is left of them, other marks; of several how many."""
    assert look.page
    found: dict[str, tuple[int, Role, int]] = {}
    for c in line.people:
        for weight, text, role in {word: x for x in _of(look, c, line) for word in (x[1],)}.values():
            before = found.get(text, (weight, role, 0))
            found[text] = (min(weight, before[0]), role, before[2] + 1)
    every, g = len(line.people), look.glyphs
    told: list[Piece] = [
        (text if many == every else f"{text} {g.times}{many}", role)
        for text, (_, role, many) in sorted(found.items(), key=lambda item: item[1][0])
    ]
    left = sum(not c.out and "acted" not in c.marks for c in line.people)
    if 0 < left < every and line.row.state not in ("staged", "out"):
        told.append((f"{left} of {every} to act", "may"))
    return [*_state(look, line), *told]


def _state(look: Look, line: TableLine) -> list[Piece]:
    """The word of a row's state, where its sign does not say it alone."""
    known = STATES.get(line.row.state)
    if known is None or not known.word or not (known.beside or look.glyphs.spoken):
        return []
    return [(known.word, known.role)]


def _of(look: Look, c: PublicCreature, line: TableLine) -> Iterator[tuple[int, str, Role]]:
    """The words of one creature, each with its weight: small ones come first."""
    assert look.page
    if c.out and line.row.state != "out":
        yield (1, "out", "down")
    if c.arrives > look.page.state.round:
        yield (1, f"round {c.arrives}", "muted")
    for mark in c.marks:
        known = look.page.words.marks.get(mark)
        if known and known.short:
            yield (2, known.short, "alarm") if known.alarming else (_LATEST + 1, known.short, "text")
    for x in c.conditions:
        left = f" {x.rounds}" if x.rounds else ""
        if x.name.lower() == CONCENTRATION:
            yield (3, "concentrating" + left, "concentration")
        else:
            yield (3 + (x.rounds or _LATEST - 3), x.name + left, "condition")
    if c.hidden:
        yield (_LATEST + 2, "hidden", "hidden")


NAME, NUMBERS = 10, 34
"""Columns that names have at least, where there is room, and those of the screen from which on there are numbers."""

GAP, AIR = 2, 6
"""Blank columns before each value, and those more that names get where nothing else needs them."""


class TableColumns(Struct, frozen=True):
    """The columns of each value; `numbered`: there are places and numbers.

    `words`: hit points are told in words, which begin below each other, where numbers end so.
    """

    numbered: bool
    name: int
    points: int
    held: int
    words: bool = False


def track(look: Look, width: int, height: int) -> list[Row]:
    """The track with its title, around whoever acts or from where it was scrolled to."""
    assert look.page
    found = lines(look.page)
    room = max(1, height - 1)
    first = top(look, found, room)
    shown = found[first : first + room]
    columns = measure(look, found, width)
    g = look.glyphs
    cut = span(first, len(shown), len(found), g)
    title = titled(g, ("Track" if look.page.state.track else "In the fight", "title"), width, cut)
    return [title, *(_row(look, line, columns, width) for line in shown)]


def top(look: Look, found: Sequence[TableLine], room: int) -> int:
    """The first row that is shown: a quarter of the room is kept above whoever acts."""
    last = max(0, len(found) - room)
    if look.top is not None:
        return min(look.top, last)
    # Of a side and its member who acts both are marked: the member is the one to be seen.
    wanted = {"now"} if any(line.row.state == "now" for line in found) else {"may"}
    marked = [i for i, line in enumerate(found) if line.row.state in wanted]
    at = next((i for i in marked if found[i].inner), marked[0] if marked else 0)
    return min(max(0, at - room // 4), last)


def measure(look: Look, found: Sequence[TableLine], width: int) -> TableColumns:
    """The columns for these rows: what one of them leaves blank the others have."""
    numbered = any(line.row.value for line in found) and width >= NUMBERS
    g = look.glyphs
    told_points = [points(line.people, g)[0] for line in found if not _outer(line)]
    most = max(map(cells, told_points), default=0)
    in_words = any(text[-1:].isalpha() for text in told_points)
    names = max((cells(_name(look, line)) for line in found), default=0)
    told = max((_length(held(look, line)) for line in found), default=0)
    room = width - head_of(numbered=numbered) - (most + GAP if most else 0)
    if room < NAME + GAP:
        return TableColumns(numbered, max(1, room), most, 0, in_words)
    room -= GAP
    taken = min(names, max(NAME, room - told, room * 3 // 5)) if names + told > room else names
    # A little air between names and what is said of them, where nothing else needs the columns.
    taken += min(AIR, max(0, room - taken - told))
    return TableColumns(numbered, taken, most, max(0, room - taken), in_words)


def _length(told: Sequence[Piece]) -> int:
    return sum(cells(text) for text, _ in told) + 2 * max(0, len(told) - 1)


def _name(look: Look, line: TableLine) -> str:
    """The name; of a group also how many of it there are."""
    if len(line.people) > 1 and all(c.group == line.row.entry for c in line.people):
        return f"{line.row.entry} {look.glyphs.times}{len(line.people)}"
    return line.row.entry


def _row(look: Look, line: TableLine, columns: TableColumns, width: int) -> Row:
    """State, place, number, side, name, how hurt, what holds it."""
    assert look.page
    g, row = look.glyphs, line.row
    role = role_of(row.state)
    mine = look.page.mine(row.entry)
    outer = _outer(line)
    pieces = _head(look, line, columns)
    name = pad(fit(_name(look, line), columns.name, g.ellipsis), columns.name, ellipsis=g.ellipsis)
    ink: Role = "selected" if mine and row.state not in ("now", "out") else role
    pieces.append((name, ink))
    if columns.points:
        text, hurt = ("", STATES["waits"].role) if outer else points(line.people, g)
        shown = f"{text:<{columns.points}}" if columns.words else f"{text:>{columns.points}}"
        pieces.append((" " * GAP + shown, hurt))
    if columns.held > GAP:
        told = [] if outer else held(look, line)
        you: list[Piece] = [("yours", "selected")] if mine and g.spoken else []
        side: list[Piece] = (
            [(line.people[0].side, "muted")] if g.spoken and line.people and not line.inner else []
        )
        told = [*you, *told, *side]
        if outer:
            left = sum("acted" not in c.marks and not c.out for c in line.people)
            told = [(f"{left} of {len(line.people)} to act", role)]
        pieces += [(" " * GAP, "text"), *fitted(told, columns.held, g.ellipsis, ", ")] if told else []
    return clip(pieces, width, g.ellipsis)


def role_of(state: str) -> Role:
    """How a state is drawn; one that only a newer publisher knows as if it were waiting."""
    return STATES.get(state, STATES["waits"]).role


def _outer(line: TableLine) -> bool:
    """Whether the row is that of a side, with its members below it."""
    return (
        not line.inner
        and bool(line.people)
        and not any(line.row.entry in (c.name, c.group) for c in line.people)
    )


def head_of(*, numbered: bool) -> int:
    """The columns before the name."""
    return 12 if numbered else 5


def _head(look: Look, line: TableLine, columns: TableColumns) -> list[Piece]:
    """State, place, number and side, in exactly so many columns as there are before the name."""
    row = line.row
    state: Piece = (state_sign(look.glyphs, row.state), role_of(row.state))
    if line.inner:
        return [(" " * (head_of(numbered=columns.numbered) - 2), "text"), state, (" ", "text")]
    place, value = (f"{row.place}", f"{row.value}") if row.place and row.value else ("", "")
    numbers = f" {place:>2} {value:>3} " if columns.numbered else " "
    side: Piece = (_side_sign(look, line) + " ", _side_role(look, line))
    return [(" ", "text"), state, (numbers, "text"), side]


def _sides(look: Look) -> list[str]:
    assert look.page
    return [side.name for side in look.page.state.sides]


def _number(look: Look, line: TableLine) -> int:
    """The number of a row's side, in the order in which sides are named."""
    names = _sides(look)
    side = Counter(c.side for c in line.people).most_common(1)
    return names.index(side[0][0]) if side and side[0][0] in names else 0


def _side_sign(look: Look, line: TableLine) -> str:
    signs = look.glyphs.sides
    return signs[_number(look, line) % len(signs)]


def _side_role(look: Look, line: TableLine) -> Role:
    return side_role(_number(look, line))

"""Draw the track in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.glyphs import STATES, Glyphs, state_sign
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, fit, fit_pieces, short

NUMBERS, WIDE = 34, 58
"""The pane widths, in columns, from which numbers are shown, and from which bars and values are."""

NAME, POINTS, BAR = 12, 7, 5
"""The fewest columns for names and for hit points, and the width of a bar."""
WHOLE_NAME = 16
"""A name of at most this many columns is whole if a few stay for conditions."""

VALUED_WIDTH = 46
"""The width in columns from which armour class is shown."""

LEAST_WORDS = 8
"""The columns for conditions that long names leave free."""

REASON_WIDTH = 40
"""Free columns after the conditions from which a row's reason for its place is shown."""

CONCENTRATION = "concentration"
LATEST_WEIGHT = 10**6
"""The weight of a condition without a number of rounds: higher than any with one, so that it comes last."""

SECRET_WEIGHT = -1
"""The weight of a secret word: the lowest, so that it comes first."""

Weighed = tuple[int, str, Role]
"""A word with its weight (low ones come first) and its role."""


class ValueColumn(Struct, frozen=True):
    """A column of values after the hit points."""

    head: str
    """The heading of the column, which is also the key in `TrackCells.values`."""
    width: int
    """The width of the column."""


VALUES = (ValueColumn("AC", 2),)
"""The columns of values, in their order."""


class TrackCells(Struct, frozen=True):
    """The cells of a row."""

    state: str
    """A key of `STATES`."""
    name: str
    side: Piece
    """The sign of the side."""
    held: tuple[Piece, ...] = ()
    """The words for conditions and marks."""
    place: str = ""
    """The place in the order, "" to hide it."""
    value: str = ""
    """The number of the row, such as an initiative score."""
    points: Piece = ("", "text")
    """The hit points as a text."""
    words: bool = False
    """Whether hit points are words, which are aligned to the left."""
    bar: Piece | None = None
    values: Mapping[str, str] = {}
    """Values by the headings of `VALUES`."""
    inner: bool = False
    """Whether the row is a member, listed below the row of its side."""
    outer: bool = False
    """Whether the row is a side, with its members listed below."""
    why: str = ""
    """The reason for the row's place, "" for none."""


class Columns(Struct, frozen=True):
    """The widths of the columns of a list of rows."""

    lead: int
    """The columns before the state."""
    numbers: int
    """The columns for place and number together."""
    name: int = 0
    points: int = 0
    held: int = 0
    """The columns for conditions and marks."""
    wide: bool = False
    """Whether there is room for whole words."""
    bar: bool = False
    """Whether there is room for bars."""
    values: tuple[ValueColumn, ...] = ()
    words: bool = False
    """Whether some hit points are words."""
    value: int = 3
    """The columns for the number."""

    @property
    def head(self) -> int:
        """The number of columns before the name."""
        return self.lead + self.numbers + 3

    @property
    def numbered(self) -> bool:
        """Whether places and numbers are shown."""
        return self.numbers > 1

    @property
    def joint(self) -> str:
        """The separator between words of a row: a comma if there is room for it."""
        return ", " if self.wide else " "


def measure(lines: Sequence[TrackCells], width: int, *, lead: int, numbered: bool) -> Columns:
    """Return the column widths for these rows; space that one column does not need goes to the others."""
    # A space before each: place 4 and the card 10♣ would read as 410♣.
    airy = width >= WIDE
    value = max([3, *(cells(line.value) + (not airy) for line in lines)])
    numbers = value + (5 if airy else 3) if numbered and width >= NUMBERS else 1
    most = max((cells(line.points[0]) for line in lines), default=0)
    points = max(POINTS, most) if most else 0
    wide = width >= WIDE and points > 0
    has_words = any(line.words for line in lines)
    columns = Columns(lead, numbers, points=points, wide=wide, words=has_words, value=value)
    room = width - 1 - columns.head - (points and points + 1)
    names = max((cells(line.name) for line in lines), default=0)
    words = max((length(line.held, columns.joint) for line in lines), default=0)
    values = tuple(
        x for x in VALUES if points and width >= VALUED_WIDTH and any(x.head in line.values for line in lines)
    )
    # Bars get what names and words leave, because the numbers say the same.
    spare = room - 1 - names - words - sum(x.width + 1 for x in values)
    bar = wide and spare > BAR and any(line.bar for line in lines)
    columns = replace(columns, bar=bar, values=values)
    room -= (BAR + 1 if bar else 0) + sum(x.width + 1 for x in values)
    if room < NAME + 2:
        return replace(columns, name=max(0, room))
    least = NAME + (0 if columns.numbered else 7)
    room -= 1
    if names + words > room and columns.points > most:
        # Spare columns of the hit points go to words.
        spare = min(columns.points - most, names + words - room)
        columns, room = replace(columns, points=columns.points - spare), room + spare
    if names + words <= room:
        name_width = max(names, min(least, room - words))
    else:
        whole = min(WHOLE_NAME, room - LEAST_WORDS)
        name_width = min(names, max(min(least, room * 3 // 5), room - words, whole))
    return replace(columns, name=name_width, held=room - name_width)


def length(words: Sequence[Piece], joint: str) -> int:
    """Return the width of words in columns, with a joint between each two."""
    return sum(cells(text) for text, _ in words) + len(joint) * max(0, len(words) - 1)


def track_row(line: TrackCells, columns: Columns, width: int, glyphs: Glyphs, *lead: Piece) -> Row:
    """Return a row: `lead`, state, place, number, side, name, hit points, conditions and marks."""
    name: Piece = (short(line.name, columns.name, glyphs.ellipsis), _choose_role(line, columns))
    pieces = [*lead, *_draw_head(line, columns, glyphs), name]
    text, role = line.points
    secret = [piece for piece in line.held if piece[1] == "hidden"]
    if columns.points and secret and not columns.held:
        # Without a column for words, the secret word replaces the hit points.
        pieces.append((f" {fit(secret[0][0], columns.points, glyphs.ellipsis):>{columns.points}}", "hidden"))
    elif columns.points:
        shown = "" if line.outer else fit(text, columns.points, glyphs.ellipsis)
        pieces.append((f" {shown:{'<' if columns.words else '>'}{columns.points}}", role))
    if columns.bar:
        pieces += [(" ", "text"), line.bar or (" " * BAR, "text")]
    for x in columns.values:
        # The row of a side has members of its own, which have values.
        value = "" if line.outer else fit(line.values.get(x.head, ""), x.width, glyphs.ellipsis)
        pieces.append((f" {value:>{x.width}}", "text"))
    if columns.held:
        pieces += [(" ", "text"), *_draw_words(line, columns, glyphs)]
    return clip(pieces, width, glyphs.ellipsis)


def track_list(
    lines: Sequence[TrackCells],
    leads: Sequence[Sequence[Piece]],
    width: int,
    glyphs: Glyphs,
    *,
    numbered: bool,
    title: Row = (),
    rest: str = "",
) -> list[Row]:
    """Return the title, a row for each line that begins with its lead, and `rest`, if they are not empty."""
    columns = measure(lines, width, lead=max(map(len, leads), default=1), numbered=numbered)
    rows = [track_row(line, columns, width, glyphs, *lead) for line, lead in zip(lines, leads, strict=True)]
    if rest:
        rows.append(clip(((" " * columns.head + rest, "muted"),), width, glyphs.ellipsis))
    return [_add_headings(title, columns, width, glyphs), *rows] if title else rows


def _add_headings(title: Row, columns: Columns, width: int, glyphs: Glyphs) -> Row:
    """Return the title row with the headings of the columns."""
    if not columns.points or glyphs.spoken:
        return title
    at = columns.head + columns.name + 1 + columns.points - 2
    heads = "hp" + " " * (BAR + 1 if columns.bar else 0)
    heads += "".join(f" {x.head:>{x.width}}" for x in columns.values)
    heads += " conditions" if columns.held > len("conditions") else ""
    rest = (" " * at + heads)[sum(cells(text) for text, _ in title) :]
    # A heading that the title covers is left out whole.
    covered = len(rest.partition(" ")[0])
    return clip((*title, (" " * covered + rest[covered:], "muted")), width, glyphs.ellipsis)


def state_role(state: str) -> Role:
    """Return the role of a state; an unknown state has the role of waiting."""
    return STATES.get(state, STATES["waits"]).role


def _choose_role(line: TrackCells, columns: Columns) -> Role:
    """Return the role of a row's state and name.

    In a numbered order, the place shows that a row is done. Names that keep their colour are not sent again
    when a round begins: 223 bytes instead of 315 for ten rows.
    """
    return "text" if line.state == "done" and columns.numbered else state_role(line.state)


def _draw_head(line: TrackCells, columns: Columns, glyphs: Glyphs) -> list[Piece]:
    """Return state, place, number and side, in exactly `columns.head` columns."""
    state: Piece = (state_sign(glyphs, line.state), _choose_role(line, columns))
    if line.inner:
        return [(" " * (columns.numbers + 1), "text"), state, (" ", "text")]
    numbers = " "
    if columns.numbered:
        blank = " " if columns.numbers == columns.value + 5 else ""
        numbers = f"{blank}{line.place:>2}{blank}{line.value:>{columns.value}} "
    return [state, (numbers, "text"), line.side, (" ", "text")]


def _draw_words(line: TrackCells, columns: Columns, glyphs: Glyphs) -> list[Piece]:
    """Return conditions and marks, then the reason for the place if there is room for all of it."""
    pieces = fit_pieces(line.held, columns.held, glyphs.ellipsis, columns.joint)
    room = columns.held - length(pieces, "")
    # Half a reason says nothing; one key shows the whole one.
    if not line.why or room < max(REASON_WIDTH, cells(line.why) + 2):
        return pieces
    return [*pieces, ("  " if pieces else "", "text"), (line.why, "muted")]


# --- words


def merge_words(
    creatures: Iterable[Iterable[Weighed]], state: str, unacted: int, glyphs: Glyphs
) -> list[Piece]:
    """Return words of several creatures, the most important first, with a count if not all have it.

    A secret word comes before the word of the row's state. `unacted` is how many are still to act.
    """
    parts: dict[str, tuple[int, Role, int]] = {}
    every = 0
    for words in creatures:
        every += 1
        for weight, text, role in {word[1]: word for word in words}.values():
            before = parts.get(text, (weight, role, 0))
            parts[text] = (min(weight, before[0]), role, before[2] + 1)
    ordered = sorted(parts.items(), key=lambda item: item[1][0])
    pieces: list[Piece] = [
        (text if many == every else f"{many}{glyphs.times} {text}", role) for text, (_, role, many) in ordered
    ]
    secret = sum(ordered[0][1][0] == SECRET_WEIGHT for _ in pieces[:1])
    acting: list[Piece] = [(f"{unacted} of {every} to act", "may")] if 0 < unacted < every else []
    return [*pieces[:secret], *_draw_state(state, glyphs), *pieces[secret:], *acting]


def _draw_state(state: str, glyphs: Glyphs) -> list[Piece]:
    """Return the word of a row's state, or [] if its sign is enough."""
    known = STATES.get(state)
    # A delayed turn already has a mark with the system's own word.
    if known is None or not known.word or state == "delays" or not (known.beside or glyphs.spoken):
        return []
    return [(known.word, known.role)]


def make_adjective(name: str) -> str:
    """Return a condition as an adjective: concentration becomes "concentrating"."""
    return "concentrating" if name.lower() == CONCENTRATION else name


def condition_word(name: str, rounds: int, concentration: str, dc: int) -> Weighed:
    """Return a condition with what ends it, rounds or the DC of a save: `poisoned 2 dc13`.

    `concentration` is the sign or word for that condition.
    """
    ending = (f" {rounds}" if rounds else "") + (f" dc{dc}" if dc else "")
    if name.lower() == CONCENTRATION:
        return (3, concentration + ending, "concentration")
    return (3 + (rounds or LATEST_WEIGHT - 3), name + ending, "condition")


def points_text(creatures: Sequence[tuple[int, int | None, int]], glyphs: Glyphs) -> str:
    """Return hit points, maximum and temporary ones: `13/24+5` for one creature, `2-9/9` for several."""
    if not creatures:
        return ""
    low, high = min(hp for hp, _, _ in creatures), max(hp for hp, _, _ in creatures)
    tops = {top for _, top, _ in creatures}
    top = next(iter(tops))
    most = f"/{top}" if len(tops) == 1 and top is not None else ""
    temp = max(extra for _, _, extra in creatures)
    return (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else "")

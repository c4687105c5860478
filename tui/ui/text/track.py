"""Draw a row of the track in columns, for the game master's screen and the players' terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.glyphs import STATES, Glyphs, state_sign
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, fit, fitted, short

NUMBERS, WIDE = 34, 58
"""Columns of the pane from which on there are numbers, and bars and values."""

NAME, POINTS, BAR = 12, 7, 5
"""Columns of names and hit points at least, where there is room, and of a bar."""

AIRY = 44
"""Columns of the pane from which on there are blanks between place and number."""

REASON = 40
"""Blank columns behind the conditions from which on they say why a row stands where it stands."""

CONCENTRATION = "concentration"
LATEST = 10**6
"""Weighs more than any number of rounds: what a person has to end comes last."""

SECRET = -1
"""The weight of what must not be said aloud: less than any other, so that it stands first."""

Weighed = tuple[int, str, Role]
"""A word with its weight, small ones first, and its role."""


class ValueColumn(Struct, frozen=True):
    """A column of values after the hit points: its heading, and how many columns of the terminal it takes."""

    head: str
    width: int


VALUES = (ValueColumn("AC", 3),)
"""The columns of values; a row has its values by their headings."""


class TrackCells(Struct, frozen=True):
    """The cells of a row. `ink` is the role of its name, None for that of its state.

    `points` are hit points; in `words` they are aligned to the left. An `outer` row is that of a side, whose
    members are the `inner` rows below it. `why` says why it stands where it stands.
    """

    state: str
    name: str
    side: Piece
    held: tuple[Piece, ...] = ()
    place: str = ""
    value: str = ""
    points: Piece = ("", "text")
    words: bool = False
    bar: Piece | None = None
    values: Mapping[str, str] = {}
    ink: Role | None = None
    inner: bool = False
    outer: bool = False
    why: Callable[[], str] | None = None


class Columns(Struct, frozen=True):
    """The columns of each value. `lead` stand before the state, `numbers` hold place and number (`value`).

    `wide`: there is room for whole words; `bar`: and for bars.
    """

    lead: int
    numbers: int
    name: int = 0
    points: int = 0
    held: int = 0
    wide: bool = False
    bar: bool = False
    values: tuple[ValueColumn, ...] = ()
    words: bool = False
    value: int = 3

    @property
    def head(self) -> int:
        """The columns before the name."""
        return self.lead + self.numbers + 3

    @property
    def numbered(self) -> bool:
        """Whether there are places and numbers."""
        return self.numbers > 1

    @property
    def joint(self) -> str:
        """What stands between two words of a row."""
        return ", " if self.wide else " "


def measure(lines: Sequence[TrackCells], width: int, *, lead: int, numbered: bool) -> Columns:
    """Return the columns for these rows: what one of them leaves blank the others have."""
    # A blank before each: place 4 and the card 10♣ would read as 410♣.
    airy = width >= AIRY
    value = max([3, *(cells(line.value) + (not airy) for line in lines)])
    numbers = value + (5 if airy else 3) if numbered and width >= NUMBERS else 1
    most = max((cells(line.points[0]) for line in lines), default=0)
    points = max(POINTS, most) if most else 0
    wide = width >= WIDE and points > 0
    worded = any(line.words for line in lines)
    columns = Columns(lead, numbers, points=points, wide=wide, words=worded, value=value)
    room = width - 1 - columns.head - (points and points + 1)
    names = max((cells(line.name) for line in lines), default=0)
    words = max((length(line.held, columns.joint) for line in lines), default=0)
    values = tuple(x for x in VALUES if wide and any(x.head in line.values for line in lines))
    # Bars have what names and words leave: the numbers say as much.
    spare = room - 1 - names - words - sum(x.width + 1 for x in values)
    bar = wide and spare > BAR and any(line.bar for line in lines)
    columns = replace(columns, bar=bar, values=values)
    room -= (BAR + 1 if bar else 0) + sum(x.width + 1 for x in values)
    if room < NAME + 2:
        return _with(columns, max(0, room), 0)
    least = NAME + (0 if columns.numbered else 7)
    room -= 1
    if names + words > room and columns.points > most:
        # Blanks beside the hit points give way to words.
        spare = min(columns.points - most, names + words - room)
        columns, room = replace(columns, points=columns.points - spare), room + spare
    if names + words <= room:
        taken = max(names, min(least, room - words))
    else:
        taken = min(names, max(min(least, room * 3 // 5), room - words))
    return _with(columns, taken, room - taken)


def _with(columns: Columns, name: int, held: int) -> Columns:
    # By hand: `replace` took a tenth of a picture of many rows.
    c = columns
    return Columns(c.lead, c.numbers, name, c.points, held, c.wide, c.bar, c.values, c.words, c.value)


def length(words: Sequence[Piece], joint: str) -> int:
    """Return the columns of words with a joint between two of them."""
    return sum(cells(text) for text, _ in words) + len(joint) * max(0, len(words) - 1)


def track_row(line: TrackCells, columns: Columns, width: int, glyphs: Glyphs, *lead: Piece) -> Row:
    """Return a row: its lead, state, place, number, side, name, hit points, and what holds it."""
    name: Piece = (short(line.name, columns.name, glyphs.ellipsis), line.ink or _role(line, columns))
    pieces = [*lead, *_head(line, columns, glyphs), name]
    text, role = line.points
    secret = [piece for piece in line.held if piece[1] == "hidden"]
    if columns.points and secret and not columns.held:
        # No column for words: what must not be said aloud takes that of the hit points.
        pieces.append((f" {fit(secret[0][0], columns.points, glyphs.ellipsis):>{columns.points}}", "hidden"))
    elif columns.points:
        shown = "" if line.outer else fit(text, columns.points, glyphs.ellipsis)
        pieces.append((f" {shown:{'<' if columns.words else '>'}{columns.points}}", role))
    if columns.bar:
        pieces += [(" ", "text"), line.bar or (" " * BAR, "text")]
    for x in columns.values:
        value = fit(line.values.get(x.head, ""), x.width, glyphs.ellipsis)
        pieces.append((f" {value:>{x.width}}", "text"))
    if columns.held:
        pieces += [(" ", "text"), *_words(line, columns, glyphs)]
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
    """Return rows behind their leads, below the title if there is one; `rest` are words of a last row."""
    columns = measure(lines, width, lead=max(map(len, leads), default=1), numbered=numbered)
    rows = [track_row(line, columns, width, glyphs, *lead) for line, lead in zip(lines, leads, strict=True)]
    if rest:
        rows.append(clip(((" " * columns.head + rest, "muted"),), width, glyphs.ellipsis))
    return [_headed(title, columns, width, glyphs), *rows] if title else rows


def _headed(title: Row, columns: Columns, width: int, glyphs: Glyphs) -> Row:
    """Return the title, and over the columns what they hold."""
    if not columns.points or glyphs.spoken:
        return title
    at = columns.head + columns.name + 1 + columns.points - 2
    heads = "hp" + " " * (BAR + 1 if columns.bar else 0)
    heads += "".join(f" {x.head:>{x.width}}" for x in columns.values)
    heads += " conditions" if columns.held > len("conditions") else ""
    used = sum(cells(text) for text, _ in title)
    if used + 1 > at:
        return title
    return clip((*title, (" " * (at - used), "text"), (heads, "muted")), width, glyphs.ellipsis)


def state_role(state: str) -> Role:
    """Return the role of a state; one that only a newer program knows is drawn as waiting."""
    return STATES.get(state, STATES["waits"]).role


def _role(line: TrackCells, columns: Columns) -> Role:
    """Return the role of a row's state and name.

    In an order of places a row's own place says that it is over: names that keep their ink are not sent again
    when a round begins, which takes 223 bytes instead of 315 for ten rows.
    """
    return "text" if line.state == "done" and columns.numbered else state_role(line.state)


def _head(line: TrackCells, columns: Columns, glyphs: Glyphs) -> list[Piece]:
    """Return state, place, number and side, in exactly as many columns as there are before the name."""
    state: Piece = (state_sign(glyphs, line.state), _role(line, columns))
    if line.inner:
        return [(" " * (columns.numbers + 1), "text"), state, (" ", "text")]
    numbers = " "
    if columns.numbered:
        blank = " " if columns.numbers == columns.value + 5 else ""
        numbers = f"{blank}{line.place:>2}{blank}{line.value:>{columns.value}} "
    return [state, (numbers, "text"), line.side, (" ", "text")]


def _words(line: TrackCells, columns: Columns, glyphs: Glyphs) -> list[Piece]:
    """Return what holds the row; behind it, where enough columns would stay blank, why it stands there."""
    pieces = fitted(line.held, columns.held, glyphs.ellipsis, columns.joint)
    room = columns.held - length(pieces, "")
    if line.why is None or room < REASON:
        return pieces
    why = line.why()
    # Half a reason is none; the whole one is a key away.
    return [*pieces, ("  " if pieces else "", "text"), (why, "muted")] if cells(why) + 2 <= room else pieces


# --- words


def gathered(creatures: Iterable[Iterable[Weighed]], state: str, left: int, glyphs: Glyphs) -> list[Piece]:
    """Return what holds several creatures, the weightiest first; a word says how many it holds unless all.

    What is secret stands before the word of the row's state. `left` are still to act.
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
    secret = sum(ordered[0][1][0] == SECRET for _ in pieces[:1])
    acting: list[Piece] = [(f"{left} of {every} to act", "may")] if 0 < left < every else []
    return [*pieces[:secret], *_state(state, glyphs), *pieces[secret:], *acting]


def _state(state: str, glyphs: Glyphs) -> list[Piece]:
    """Return the word of a row's state, where its sign does not say it alone."""
    known = STATES.get(state)
    # A declared mark says in the system's own word that a turn is delayed.
    if known is None or not known.word or state == "delays" or not (known.beside or glyphs.spoken):
        return []
    return [(known.word, known.role)]


def aloud(name: str) -> str:
    """Return a condition as it is said of a creature: who bears concentration is concentrating."""
    return "concentrating" if name.lower() == CONCENTRATION else name


def condition_word(name: str, rounds: int, concentration: str, dc: int) -> Weighed:
    """Return a condition with what ends it, rounds or the DC of a save: `poisoned 2 dc13`.

    `concentration` is the sign or word for that one.
    """
    left = (f" {rounds}" if rounds else "") + (f" dc{dc}" if dc else "")
    if name.lower() == CONCENTRATION:
        return (3, concentration + left, "concentration")
    return (3 + (rounds or LATEST - 3), name + left, "condition")


def points_text(creatures: Sequence[tuple[int, int | None, int]], glyphs: Glyphs) -> str:
    """Return `2-9/9` of hit points, maximum and temporary points, or `13/24+5` of one."""
    if not creatures:
        return ""
    low, high = min(hp for hp, _, _ in creatures), max(hp for hp, _, _ in creatures)
    tops = {top for _, top, _ in creatures}
    top = next(iter(tops))
    most = f"/{top}" if len(tops) == 1 and top is not None else ""
    temp = max(extra for _, _, extra in creatures)
    return (f"{low}{glyphs.range}{high}" if low < high else f"{low}") + most + (f"+{temp}" if temp else "")

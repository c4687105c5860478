"""Fit a text of several segments into few rows; the rank of a segment says when it is shortened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct

from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, words
from tui.ui.text.rows import fit as shortened

GLUE, BREAK = "\N{NO-BREAK SPACE}", "\n"
"""A space at which no row breaks, such as that between a key and its word; and a forced row break."""
INDENT = 2
"""Spaces before each row after the first."""
LEAST_COLUMNS = 24
"""The fewest columns for the beginning of a text; less would not be readable."""
LEAST_HEAD = 8
"""The fewest columns for the last head; with fewer the first row ends without it."""
TRAILING_SIGNS = " ;,:("
"""Characters that are removed from the end of a row that is cut."""

Word = tuple[Piece, ...]
"""Pieces without a space between them, which stay in one row."""


class Way(Struct, frozen=True):
    """One wording of a segment; an empty `row` leaves the segment out."""

    row: Row = ()
    tail: str = ""
    """A text after `row`; its first words are shown as far as columns are free."""
    below: Row = ()
    """A row of its own below the first row, () for none."""
    rank: int = 1
    """The rank of `below`, as in `Segment`."""


class Segment(Struct, frozen=True):
    """A part of a text, in several wordings."""

    ways: tuple[Way, ...]
    """The wordings of the segment, the longest first."""
    joint: str = "; "
    """The separator between the segment before and this one."""
    head: bool = False
    """Whether the segment belongs in the first row."""
    rank: int = 0
    """Its rank: the segment with the highest rank is shortened or left out first."""
    keeps: bool = False
    """Whether the segment is left out only after all others."""


def plain(text: str, role: Role = "text") -> Row:
    """Return a text as a row of one piece, or an empty row for ""."""
    return ((text, role),) if text else ()


def fit(
    segments: Sequence[Segment], width: int, rows: int, ellipsis: str, *, column: int | None = None
) -> list[Row]:
    """Return the segments in at most `rows` rows of `width` columns.

    The heads share the first row if any of their wordings fit: the second one begins in `column` if that is
    free, else it ends the row. What does not fit is shortened to its next wording, cut at a word, or left
    out.
    """
    if rows < 1 or width < 1:
        return []
    heads = [x for x in segments if x.head]
    rest = [x for x in segments if not x.head]
    for ways in product(*(x.ways for x in heads)):
        first = _first_row(ways, heads, width, column)
        if first and (rows > 1 or not any(way.below for way in ways)):
            under = [Segment((Way(way.below), Way()), rank=way.rank) for way in ways if way.below]
            below = _lay_out([*under, *rest], width, rows - 1, ellipsis, first=False)
            return [_unglue(row) for row in (first, *below)]
    if rows == 1 and heads:
        return [_unglue(_only_row(heads, width, ellipsis))]
    last = [Segment(x.ways, BREAK, rank=-1, keeps=True) for x in heads]
    return [_unglue(row) for row in _lay_out([*last, *rest], width, rows, ellipsis, first=True)]


def _only_row(heads: Sequence[Segment], width: int, ellipsis: str) -> Row:
    """Return the shortest wording of the first head, cut, and of the last one if there is room."""
    first, *others = (x.ways[-1].row for x in heads)
    last = others[-1] if others else ()
    room = width - cells(words(last)) - 2
    if last and room >= LEAST_HEAD:
        return (*cut(first, room, ellipsis), ("  ", "text"), *last)
    return cut(first, width, ellipsis)


def _first_row(ways: Sequence[Way], heads: Sequence[Segment], width: int, column: int | None) -> Row:
    """Return the heads in one row, the second one from `column` on if possible; () if they do not fit."""
    some = [(way.row, x) for way, x in zip(ways, heads, strict=True) if way.row]
    left = some[0][0] if some else ()
    if len(some) < 2 or column is None:
        joined = _join([row for row, _ in some], [x.joint for _, x in some])
        return joined if cells(words(joined)) <= width else ()
    right = some[1][0]
    used, wanted = cells(words(left)), cells(words(right))
    # The same column in each frame, so that it is easy to find and is not sent again.
    at = column if used + 1 < column and column + wanted <= width else width - wanted
    return (*left, (" " * (at - used), "text"), *right) if at - used > 1 else ()


def _join(rows: Sequence[Row], joints: Sequence[str]) -> Row:
    """Return rows joined to one, each after its joint; after a question, a "; " becomes a space."""
    result: list[Piece] = []
    for row, joint in zip(rows, joints, strict=True):
        if result:
            asks = joint.startswith(";") and words(result).endswith("?")
            result.append((" " if asks else joint, "text"))
        result += row
    return tuple(result)


def _lay_out(segments: Sequence[Segment], width: int, rows: int, ellipsis: str, *, first: bool) -> list[Row]:
    """Return the segments one after the other, each in the longest wording that fits."""
    if rows < 1 or not segments:
        return []
    at = [0] * len(segments)
    mark: Row = ((f"; {ellipsis}", "text"),)

    def laid(at: Sequence[int], more: Row = ()) -> list[Row]:
        pairs = [(x.ways[n].row, x.joint) for x, n in zip(segments, at, strict=True) if x.ways[n].row]
        joined = _join([row for row, _ in pairs], [joint for _, joint in pairs])
        return break_rows((*joined, *more), width, first=first)

    def steps() -> Iterator[int]:
        return (i for i, x in enumerate(segments) if at[i] + 1 < len(x.ways))

    def yields(i: int) -> tuple[int, int]:
        x = segments[i]
        return (0 if x.keeps and not x.ways[at[i] + 1].row else x.rank), i

    while len(laid(at)) > rows and (which := max(steps(), key=yields, default=-1)) >= 0:
        at[which] += 1
    for i in range(len(segments)):
        # A segment that was shortened first may fit after all.
        for way in range(at[i]):
            tried = [*at[:i], way, *at[i + 1 :]]
            if len(laid(tried)) <= rows:
                at = tried
                break
    left_out = any(n and not x.ways[n].row and x.joint == "; " for x, n in zip(segments, at, strict=True))
    result = laid(at)
    if any(at) and len(result) <= rows:
        result = _add_tail(segments, at, width, rows, ellipsis, first=first) or (
            longer if left_out and result and len(longer := laid(at, mark)) <= rows else result
        )
    if len(result) > rows:
        overflow = tuple(piece for row in result[rows - 1 :] for piece in (*row, (" ", "text")))
        result = [*result[: rows - 1], cut(overflow, width, ellipsis)]
    return result


def _add_tail(
    segments: Sequence[Segment], at: Sequence[int], width: int, rows: int, ellipsis: str, *, first: bool
) -> list[Row]:
    """Return the rows with the first words of a segment's `tail` added, or [] if no word fits."""
    for i, (x, n) in enumerate(zip(segments, at, strict=True)):
        way = x.ways[n]
        if not way.tail:
            continue
        for begun in _list_beginnings(way.tail, width, ellipsis):
            text = plain(f": {begun}" if way.row else begun)
            tried = [
                ((*y.ways[m].row, *(text if i == k else ())), y.joint)
                for k, (y, m) in enumerate(zip(segments, at, strict=True))
            ]
            pairs = [(row, joint) for row, joint in tried if row]
            rows_ = break_rows(_join([r for r, _ in pairs], [j for _, j in pairs]), width, first=first)
            if len(rows_) <= rows:
                return rows_
    return []


def _list_beginnings(text: str, width: int, ellipsis: str) -> Iterator[str]:
    """Yield beginnings of a text that end at a word, the longest first, each with an ellipsis."""
    if cells(text) <= width:
        yield text
    every = text.split(" ")
    for many in range(min(len(every) - 1, width), 0, -1):
        beginning = " ".join(every[:many]).rstrip(TRAILING_SIGNS).removesuffix(" and")
        if cells(beginning) < LEAST_COLUMNS - 1:
            return
        if cells(beginning) < width:
            yield beginning + ellipsis


def cut(row: Sequence[Piece], width: int, ellipsis: str) -> Row:
    """Return the row if it fits in `width` columns, else the words that fit and an ellipsis."""
    if cells(words(row).rstrip()) <= width:
        return clip(row, width, ellipsis)
    kept: list[Piece] = []
    used = cells(ellipsis)
    for word in _split_words(row):
        size = cells(words(word)) + bool(kept)
        if word[0][0] == BREAK:
            continue
        if used + size > width:
            break
        kept += [*([(" ", kept[-1][1])] if kept else []), *word]
        used += size
    while len(kept) > 1 and kept[-1][0].startswith("[") and kept[-1][0].endswith("]"):
        kept = kept[:-2]  # a key without its word means nothing
    if not kept:
        return clip(row, width, ellipsis)
    text, role = kept[-1]
    return (*kept[:-1], (text.rstrip(TRAILING_SIGNS) + ellipsis, role))


def break_rows(row: Sequence[Piece], width: int, *, first: bool = True) -> list[Row]:
    """Return pieces in rows broken at spaces; all rows but the `first` one are indented."""
    indent = INDENT if width > 2 * INDENT else 0
    rows: list[Row] = []
    line: list[Piece] = [] if first else [(" " * indent, "text")]
    used, begun = (0 if first else indent), False
    for word in _split_words(row):
        size = cells(words(word))
        if word[0][0] == BREAK:
            used = width if begun else used
            continue
        if begun and used + 1 + size > width:
            rows.append(tuple(line))
            line, used, begun = [(" " * indent, "text")], indent, False
        if begun:
            line.append((" ", line[-1][1] if line[-1][1] != "key" else "text"))
            used += 1
        if used + size > width:
            size = max(1, width - used)
            line.append((shortened(words(word), size), word[0][1]))
        else:
            line += word
        used, begun = used + size, True
    return [*rows, tuple(line)] if begun else rows


def _split_words(row: Sequence[Piece]) -> Iterator[Word]:
    """Yield the words between spaces, each as pieces with their roles."""
    word: list[Piece] = []
    before: Role = "text"
    for said, role in row:
        text = GLUE + said[1:] if before == "key" and said.startswith(" ") else said
        before = role
        if text == BREAK:
            yield from (tuple(word), ((BREAK, role),)) if word else (((BREAK, role),),)
            word = []
            continue
        for number, part in enumerate(text.split(" ")):
            if number and word:
                yield tuple(word)
                word = []
            if part:
                word.append((part, role))
    if word:
        yield tuple(word)


def _unglue(row: Row) -> Row:
    """Return the row for the screen: pieces of one role joined, and `GLUE` replaced by spaces."""
    result: list[Piece] = []
    for text, role in row:
        if result and result[-1][1] == role:
            result[-1] = (result[-1][0] + text.replace(GLUE, " "), role)
        else:
            result.append((text.replace(GLUE, " "), role))
    return tuple(result)

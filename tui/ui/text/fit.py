"""Wrap texts into few rows, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, words
from tui.ui.text.rows import fit as shortened

GLUE = "\N{NO-BREAK SPACE}"
"""A space at which no row breaks, such as that between a key and its word."""
INDENT = 2
"""Spaces before each row after the first."""
TRAILING_SIGNS = " ;,:("
"""Characters that are removed from the end of a row that is cut."""

Word = tuple[Piece, ...]
"""Pieces without a space between them, which stay in one row."""


def plain(text: str, role: Role = "text") -> Row:
    """Return a text as a row of one piece, or an empty row for ""."""
    return ((text, role),) if text else ()


def fit(texts: Sequence[Row], width: int, rows: int, ellipsis: str) -> list[Row]:
    """Return texts one after the other in at most `rows` rows of `width` columns; the last row is cut."""
    if rows < 1 or width < 1:
        return []
    shown = break_rows(join_texts(texts), width)
    if len(shown) > rows:
        rest = tuple(piece for row in shown[rows - 1 :] for piece in (*row, (" ", "text")))
        indent = INDENT if rows > 1 and width > 2 * INDENT else 0
        shown[rows - 1 :] = [((" " * indent, "text"), *cut(rest, width - indent, ellipsis))]
    return [_unglue(row) for row in shown]


def count_fitted(texts: Sequence[Row], width: int) -> int:
    """Return how many rows of `width` columns the texts need."""
    return len(break_rows(join_texts(texts), width))


def set_answer(what: Row, answer: Row, column: int, width: int) -> tuple[Row, ...]:
    """Return a request with its answer at a column, () if they do not fit so into a row.

    The same column in each frame is easy to find, and is not sent again.
    """
    gap = column - cells(words(what))
    fits = answer and gap > 1 and column + cells(words(answer)) <= width
    return ((*what, (GLUE * gap, "text"), *answer),) if fits else ()


def keep_answer(what: Row, answer: Row, width: int, rows: int, ellipsis: str) -> tuple[Row, Row]:
    """Return a request and its answer; the request is cut if both do not fit in `rows` rows."""
    room, kept = width * rows, what
    while answer and room > width // 2 and count_fitted((kept, answer), width) > rows:
        room -= 1
        kept = cut(what, room, ellipsis)
    return kept, answer


def join_texts(texts: Sequence[Row]) -> Row:
    """Return texts as one: each after a semicolon, after a question only a space."""
    joined: list[Piece] = []
    for text in filter(None, texts):
        if joined:
            joined.append((" " if joined[-1][0].endswith("?") else "; ", "text"))
        joined += text
    return tuple(joined)


def cut(row: Sequence[Piece], width: int, ellipsis: str) -> Row:
    """Return the row if it fits in `width` columns, else the words that fit and an ellipsis."""
    if cells(words(row).rstrip()) <= width:
        return clip(row, width, ellipsis)
    kept: list[Piece] = []
    used = cells(ellipsis)
    for word in _split_words(row):
        size = cells(words(word)) + bool(kept)
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


def break_rows(row: Sequence[Piece], width: int) -> list[Row]:
    """Return pieces in rows broken at spaces; all rows but the first one are indented."""
    indent = INDENT if width > 2 * INDENT else 0
    rows: list[Row] = []
    line: list[Piece] = []
    used, begun = 0, False
    for word in _split_words(row):
        size = cells(words(word))
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

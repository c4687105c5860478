"""Hold a row of the screen as texts with roles, and cut, fill, align and wrap rows.

Widths are those of Rich and Textual; texts must have passed `clean`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from tui.core.base.text import clusters, split_numbered
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.wire.grid import cell_len, is_narrow

cells = cell_len
"""Returns the columns that a text takes on a terminal."""


def fit(text: str, width: int, ellipsis: str = "…") -> str:
    """Return the text in at most `width` columns: whole, or its beginning and an ellipsis.

    No cluster (a wide, combining or joined character) is ever split. If not even the ellipsis fits, the
    result is as much of the ellipsis as fits; "" below one column.
    """
    if cell_len(text) <= width:
        return text
    if cell_len(ellipsis) > width:
        return _cut_beginning(ellipsis, width)
    # A space before the ellipsis would read as a gap between two words.
    return _cut_beginning(text, width - cell_len(ellipsis)).rstrip(" ") + ellipsis


def pad(text: str, width: int, ellipsis: str = "…") -> str:
    """Return the text in exactly `width` columns: cut by `fit` or filled with spaces."""
    short = fit(text, width, ellipsis)
    return short + " " * max(0, width - cell_len(short))


def _cut_beginning(text: str, width: int) -> str:
    """Return the longest run of whole clusters that takes at most `width` columns."""
    if is_narrow(text):
        return text[: max(0, width)]
    kept, used = [], 0
    for cluster in clusters(text):
        used += cell_len(cluster)
        if used > width:
            break
        kept.append(cluster)
    return "".join(kept)


Piece = tuple[str, Role]
Row = tuple[Piece, ...]
BLANK: Row = ()
_TOO_WIDE = "?"
"""Replaces a cluster that is wider than its whole row."""

_MOST_CLUSTER = 40
"""How many code points of a word are searched for its first cluster; a limit keeps long words cheap."""

_KEY_IN_BRACKETS = re.compile(r"(\[[^\[\]]{1,9}\])")


def words(line: Sequence[Piece]) -> str:
    """Return the text of a row."""
    return "".join(text for text, _ in line)


def clip(line: Sequence[Piece], width: int, ellipsis: str) -> Row:
    """Return the row in at most `width` columns; if it does not fit, it ends in an ellipsis."""
    kept: list[Piece] = []
    for text, role in line:
        if width > 0:
            used = cells(text)
            kept.append((text if used <= width else fit(text, width, ellipsis), role))
            width -= used
        # Text was left out exactly at the edge: without this the row would look whole.
        elif width == 0 and kept and text.strip():
            last, its = kept[-1]
            if ellipsis not in last:
                kept[-1] = (fit(last + ellipsis, cells(last), ellipsis), its)
            break
    return tuple(kept)


def colour_keys(words: str) -> Row:
    """Return the text as a row, with keys in brackets in the colour of keys."""
    parts = _KEY_IN_BRACKETS.split(words)
    return tuple((part, "key" if i % 2 else "text") for i, part in enumerate(parts) if part)


def pad_rows(lines: Sequence[Row], height: int) -> list[Row]:
    """Return exactly `height` rows: cut at the end, or filled up with empty ones."""
    return [*lines[:height], *[BLANK] * (height - len(lines))]


def join_ends(left: Row, right: Row, width: int, ellipsis: str) -> Row:
    """Return one row with `left` and `right` at its ends; `left` is cut if both do not fit."""
    room = width - cells(words(right))
    if not right or room < 1:
        return clip(left, width, ellipsis)
    start = clip(left, room - 1, ellipsis)
    return (*start, (" " * (room - cells(words(start))), "text"), *right)


def column(text: str, width: int, role: Role, ellipsis: str) -> Piece:
    """Return a text in exactly `width` columns, followed by a space."""
    return (pad(text, width, ellipsis=ellipsis) + " ", role)


split_number = lru_cache(maxsize=4096)(split_numbered)  # asked for every name in every frame


def short(name: str, width: int, ellipsis: str) -> str:
    """Return the name in exactly `width` columns; if it is cut, a number at its end is kept if possible."""
    if cells(name) <= width:
        return pad(name, width)
    pair = split_number(name)
    if pair and cells(pair[1]) + 3 <= width:
        stem = fit(pair[0], width - cells(pair[1]) - 1, ellipsis)
        # A wide character may leave no room for any: then the name says more than the number.
        if stem.rstrip() != ellipsis:
            return pad(f"{stem} {pair[1]}", width)
    return pad(name, width, ellipsis=ellipsis)


def wrap_text(text: str, width: int, most: int = 1000) -> list[str]:
    """Return the text in at most `most` rows of `width` columns, broken at spaces if possible."""
    if width <= 0:
        return []
    text = text[: (most + 1) * (width + 1) * 4]  # a column may hold several code points
    columns = len if is_narrow(text) else cells
    if columns(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if columns(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *whole, line = _split_word(word, width)
        lines += whole
        if len(lines) >= most:
            return lines[:most]
    return [*lines, line]


def limit_rows(rows: list[str], most: int, joint: str = " ") -> list[str]:
    """Return at most `most` rows.

    The last one joins all remaining rows, so that it is too long and clipping adds an ellipsis.
    """
    return [*rows[: most - 1], joint.join(rows[most - 1 :])] if len(rows) > most else rows


_GAP = re.compile(r".*\S {2,}(?=\S)")
"""Matches a line up to its last gap of two spaces or more: everything before the last column."""


def paragraphs(text: Iterable[str], width: int) -> list[str]:
    """Return lines of text wrapped to `width` columns; columns stay aligned, empty lines stay."""
    return [row for line in text for row in (_wrap_hanging(line, width) if line else [""])]


def _wrap_hanging(line: str, width: int) -> list[str]:
    """Return a line in rows; after a wide gap, rows are indented to the gap's end, as in a table."""
    gap = _GAP.match(line)
    hang = cells(gap[0]) if gap else 0
    if cells(line) <= width or not gap or 2 * hang > width:
        return wrap_text(line, width)
    first, *more = wrap_text(line[gap.end() :], width - hang)
    return [gap[0] + first, *(" " * hang + row for row in more)]


def _split_word(word: str, width: int) -> list[str]:
    pieces = []
    while cells(word) > width:
        # A cluster that is wider than the row must be taken, or the loop would never end.
        part = fit(word, width, "") or clusters(word[:_MOST_CLUSTER])[0]
        pieces.append(part if cells(part) <= width else _TOO_WIDE)
        word = word[len(part) :]
    return [*pieces, word]


# --- titles, and rows of as many words as fit

WHOLE_NAME_WIDTH = 10
"""A name of at most this many columns is never cut in a title."""


def title_row(glyphs: Glyphs, name: Piece, width: int, more: Sequence[Piece]) -> Row:
    """Return a title row: the name and the pieces after it; a key is shown whole or not at all."""
    rule = glyphs.rule * 2
    # One column less, so that it does not touch the title beside it.
    width -= 1
    tail: list[Piece] = []
    used = cells(rule) + 1 + min(cells(name[0]), WHOLE_NAME_WIDTH)
    for piece in more:
        used += cells(f" {rule} ") + cells(piece[0])
        if piece[1] == "key" and used > width:
            break
        # In the colour of what follows: another colour would cost bytes for a change of pen.
        tail += [(f" {rule} ", piece[1]), piece]
    # What is left out is also counted if the title has to be cut for it.
    least = cells(rule) + 1 + min(cells(name[0]), WHOLE_NAME_WIDTH)
    room = max(least, width - sum(cells(text) for text, _ in tail))
    head = clip(((f"{rule} ", name[1]), name), room, glyphs.ellipsis)
    return clip((*head, *tail), width, glyphs.ellipsis)


def scroll_rows(
    glyphs: Glyphs, title: str, rows: Sequence[Row], top: int, width: int, height: int
) -> list[Row]:
    """Return a title in focus, with the range of rows shown, and below it the rows from `top` on."""
    room = max(0, height - 1)
    first = max(0, min(top, len(rows) - room))
    shown = rows[first : first + room]
    head = title_row(
        glyphs, (frame_title(glyphs, title), "focus"), width, span(first, len(shown), len(rows), glyphs)
    )
    return pad_rows([head, *(clip(row, width, glyphs.ellipsis) for row in shown)], height)


def header_row(
    save: str, system: str, at: tuple[int, str], right: Sequence[Piece], width: int, glyphs: Glyphs
) -> Row:
    """Return a row of save, system, and round and phase (`at`), with `right` at its end."""
    number, phase = at
    state = [f"round {number}", *([phase] if phase != "turns" else [])] if number else ["no fight running"]
    room = width - sum(cells(text) for text, _ in right) - 1
    # If it does not all fit, the system's name is cut: it stays the same all evening.
    said = glyphs.joint.join([system, *state])
    said = said if cells(f" {save}{glyphs.joint}{said}") <= room else glyphs.joint.join(state)
    left: Row = ((f" {save}", "title"), (glyphs.joint + said, "text"))
    return join_ends(left, tuple(right), width, glyphs.ellipsis)


def hint_row(keys: Sequence[tuple[str, str]], width: int, ellipsis: str) -> Row:
    """Return as many keys with their words as fit whole; the last one, which leaves, is always shown."""
    # Only whole hints: half of one would show a key without its word.
    hints: list[Row] = [((f" {key}", "key"), (f" {word} ", "hint")) for key, word in keys]
    *others, last = hints or [()]
    shown: list[Piece] = []
    room = width - cells(words(last))
    for hint in others:
        room -= cells(words(hint))
        if room < 0:
            break
        shown += hint
    return clip((*shown, *last), width, ellipsis)


def frame_title(glyphs: Glyphs, text: str) -> str:
    """Return the title of a part that has focus."""
    return f"{text}, has focus" if glyphs.spoken else f"[{text}]"


def span(first: int, shown: int, total: int, glyphs: Glyphs) -> tuple[Piece, ...]:
    """Return a range such as `4-9 of 17`, or `4 of 17`, if a list does not fit, else ()."""
    if shown >= total:
        return ()
    last = f"{glyphs.range}{first + shown}" if shown > 1 else ""
    return ((f"{first + 1}{last} of {total}", "title"),)


def fit_pieces(pieces: Sequence[Piece], width: int, ellipsis: str, joint: str = " ") -> list[Piece]:
    """Return as many pieces as fit, and `…2` for the number of those that do not."""
    kept: list[Piece] = []
    used = 0
    for place, (text, role) in enumerate(pieces):
        after = len(pieces) - place - 1
        size = cells(text) + (cells(joint) if kept else 0)
        if used + size + (cells(_mark_cut(ellipsis, after)) if after else 0) > width:
            begun = (
                "" if after else _first_words(text, width - used - (cells(joint) if kept else 0), ellipsis)
            )
            if kept and begun:
                return [*kept, (joint, "muted"), (begun, role)]
            return _cut(kept, pieces[place:], width - used, ellipsis)
        if kept:
            kept.append((joint, "muted"))
        kept.append((text, role))
        used += size
    return kept


def _first_words(text: str, room: int, ellipsis: str) -> str:
    """Return the first words of a longer text, at least two, and the ellipsis, or "" if they do not fit."""
    parts = text.split(" ")
    shown = (" ".join(parts[:count]) + ellipsis for count in range(len(parts) - 1, 1, -1))
    return next((beginning for beginning in shown if cells(beginning) <= room), "")


def _mark_cut(ellipsis: str, many: int) -> str:
    return f" {ellipsis}{many}"


def _cut(kept: list[Piece], rest: Sequence[Piece], room: int, ellipsis: str) -> list[Piece]:
    """Return the kept pieces and `…2` for two left out; if none is kept, as much of the first as fits."""
    if kept:
        kept.append((_mark_cut(ellipsis, len(rest)), "muted"))
        return kept
    text, role = rest[0]
    if len(rest) == 1:
        return [(fit(text, room, ellipsis), role)]
    if cells(text) + cells(ellipsis) <= room:
        # One whole word says more than its beginning and a number.
        return [(text, role), (ellipsis, "muted")]
    more = _mark_cut(ellipsis, len(rest) - 1)
    # Its first whole words: `poisoned 3` of `poisoned 3 dc13`.
    short = next((x for x in _shorter(text) if cells(x) + cells(more) <= room), "")
    if short:
        return [(short, role), (more, "muted")]
    return [(fit(text + ellipsis, room, ellipsis), role)]


def _shorter(text: str) -> list[str]:
    """Return shorter beginnings of a text, the longest first: one word less each, down to two words."""
    parts = text.split(" ")
    return [" ".join(parts[:many]) for many in range(len(parts) - 1, 1, -1)]


class Box(Struct, frozen=True):
    """A rectangle of the screen, in columns and lines from the top left."""

    x: int
    y: int
    width: int
    height: int
    bare: bool = False
    """Whether the rows have no title."""


Name = TypeVar("Name", bound=str)


def caret(
    glyphs: Glyphs, part: Name, boxes: Mapping[Name, Box], drawn: Mapping[Name, Sequence[Row]]
) -> tuple[int, int]:
    """Return column and line of the text cursor of a part, else its row in focus, else its first row.

    A part without a box has the caret in the Now line.
    """
    box, lines = boxes.get(part), drawn.get(part, ())
    if box is None:
        now = next((box for name, box in boxes.items() if name == "now"), Box(0, 0, 1, 1))
        return now.x, now.y
    for y, line in enumerate(lines):
        x = 0
        for text, role in line:
            if role == "current":
                return min(box.x + x, box.x + box.width - 1), box.y + y
            x += cells(text)
    rows = [y for y, line in enumerate(lines) if (glyphs.cursor, "focus") in line]
    return box.x, box.y + (rows[0] if rows else min(1, box.height - 1))

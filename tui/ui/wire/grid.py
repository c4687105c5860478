"""A grid of cells; measure and cut text into them.

Rich measures only characters beyond ASCII and the signs of our own frames, because it is loaded after the
first frame. Loading Rich takes 6 ms of the processor.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tui.core.base.text import SUITS
from tui.ui.wire.pens import PLAIN, Pen, is_alike

NARROW_RANGES: Final = (
    (0xA0, 0xAC), (0xAE, 0x17F),  # Latin letters and signs
    (0x2010, 0x2027), (0x2030, 0x203B),  # dashes, bullets, the ellipsis, angle quotes
    (0x2190, 0x2193), (0x2500, 0x25FC),  # arrows, frames, blocks, triangles, circles
    (0x2713, 0x2718),  # ticks and crosses
)  # fmt: skip
"""Ranges of characters of one column, first and last; a law compares them with Rich."""

_NARROW_TABLE: Final = dict.fromkeys(
    (code for low, high in NARROW_RANGES for code in range(low, high + 1)), "x"
)


def is_narrow(text: str) -> bool:
    """Return whether each character is known to take one column."""
    known = text if text.isascii() else text.translate(_NARROW_TABLE)
    return known.isascii() and known.isprintable()


def cell_len(text: str) -> int:
    """Return the width of a text in columns."""
    if (text.isascii() and text.isprintable()) or is_narrow(text):
        return len(text)
    # Only for characters outside the known ranges: most fights never load Rich.
    from rich.cells import cell_len as measured

    return measured(text)


JOINER: Final = "\u200d"
REPLACEMENT: Final = "\ufffd"
MOST_CLUSTER: Final = 12
"""The most code points of one cluster; the longest family emoji has 7, and a few marks."""

CERTAIN_RANGES: Final = (
    (0x20, 0x36F), (0x370, 0x482), (0x48A, 0x52F), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x205E),
    (0x20A0, 0x20BF), (0x2100, 0x27BF), (0x2800, 0x2BFF), (0x3000, 0x303E), (0x3041, 0x3096),
    (0x309B, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF01, 0xFF60),
    (0xFFFD, 0xFFFD), (0x1F300, 0x1F3FA), (0x1F400, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF),
    (0x20000, 0x3FFFD),
)  # fmt: skip
"""Ranges of code points whose width every terminal of the last ten years agrees on."""


def doubtful(cell: str) -> bool:
    """Return whether terminals disagree about how far this cluster moves the cursor."""
    if is_narrow(cell):
        return False
    return any(not any(low <= ord(c) <= high for low, high in CERTAIN_RANGES) for c in cell)


def _replace_unsafe(character: str) -> str:
    """Return the character, U+FFFD for one that must not be sent, "" for one of no width."""
    match unicodedata.category(character):
        case "Cc" | "Cf" | "Zl" | "Zp" | "Cs" | "Co" | "Cn":
            return REPLACEMENT if cell_len(character) else ""
        case _:
            return character


def _clusters(text: str) -> Iterator[str]:
    """Yield clusters, each a base character with its marks; control characters are replaced."""
    cluster, joins = "", False
    for character in text:
        safe = _replace_unsafe(character)
        if joins:  # a joiner takes whatever comes next, as Rich counts it
            cluster, joins = cluster + safe if safe else cluster[:-1], False
        elif character == JOINER:
            cluster, joins = cluster + JOINER, True
        elif not cell_len(safe):
            cluster += safe if cluster else ""
        else:
            yield cluster
            cluster = safe
            # The replacement may be narrower: the second column is filled, so that everything after it stays.
            if cell_len(character) > cell_len(safe):
                yield safe
                cluster = " "
    yield cluster


def _columns(cluster: str) -> tuple[str, ...]:
    width, text = cell_len(cluster), cluster[:MOST_CLUSTER].rstrip(JOINER)
    # Rich counts some clusters wider than two columns, and terminals disagree: they are replaced.
    return (text, *[""] * (width - 1)) if 0 < width <= 2 else (REPLACEMENT, *" " * (width - 1))[:width]


def cells(text: str) -> tuple[str, ...]:
    """Return the text of each column, as many as Rich counts.

    Control characters are removed, so that the wire is safe whatever reaches it (.github/PROMISES.md, 6);
    marks without a base are removed too (`leading_marks`).
    """
    if is_narrow(text):
        return tuple(text)
    return tuple(column for cluster in _clusters(text) for column in _columns(cluster))


def leading_marks(text: str) -> str:
    """Return the marks at the start of a text, which belong to the cell before it."""
    end = 0
    while end < len(text) and _replace_unsafe(text[end]) and not cell_len(text[end]):
        end += 1
    return text[:end][:MOST_CLUSTER]


_ASCII_TABLE: Final = SUITS | str.maketrans(
    "·•…–—−×±½→›▶←‹↑↓“”‘’─│█ßæøłđıÆØŁĐ",  # noqa: RUF001  # letters that look alike are the point
    "--~---x+/>>><<^v\"\"''-|#saoldiAOLD",
)
"""ASCII replacements for characters of one column; accents are removed anyway."""


def _ascii_like(cell: str) -> str:
    """Return the ASCII character that replaces a cell, `?` if there is none."""
    like = unicodedata.normalize("NFKD", cell.translate(_ASCII_TABLE))[:1]
    return like if like.isascii() and like.isprintable() and cell_len(cell) == 1 else "?"


class CellRow:
    """One line: the text and the pen of every column; the second half of a wide character is "".

    The text None is a column of unknown content; it differs from all others.
    """

    __slots__ = ("pens", "texts")

    def __init__(self, texts: list[str | None], pens: list[Pen]) -> None:
        self.texts, self.pens = texts, pens

    @classmethod
    def filled_with(cls, width: int, pen: Pen = PLAIN) -> CellRow:
        """Return a row of spaces in one pen."""
        return cls([" "] * width, [pen] * width)

    @classmethod
    def make_unknown(cls, width: int) -> CellRow:
        """Return a row of unknown content, which differs from any other row in each column."""
        return cls([None] * width, [PLAIN] * width)

    def same(self, other: CellRow) -> bool:
        """Return whether both rows have the same texts and pens.

        Pens that look alike on a space count as different, which keeps the comparison fast.
        """
        return self is other or (self.texts == other.texts and self.pens == other.pens)

    def in_ascii(self) -> CellRow:
        """Return the row with ASCII replacements."""
        if "".join(text or "\N{REPLACEMENT CHARACTER}" for text in self.texts).isascii():
            return self
        # The second half of a wide character is a column as well.
        return CellRow(
            [text if text and text.isascii() else _ascii_like(text or "") for text in self.texts], self.pens
        )

    def changes(self, new: CellRow) -> list[int]:
        """Return the columns, ascending, in which the new row looks different from this one."""
        # Two list comparisons in C: most rows of most frames end here.
        if self.same(new):
            return []
        columns = [
            x
            for x, (old_text, new_text, old_pen, new_pen) in enumerate(
                zip(self.texts, new.texts, self.pens, new.pens, strict=True)
            )
            if old_text is None
            or old_text != new_text
            or (old_pen != new_pen and (new_text != " " or not is_alike(old_pen, new_pen)))
        ]
        return _with_doubts(columns, self.texts, new.texts)

    def paint(self, x: int, end: int, pieces: Iterable[tuple[str, Pen]]) -> None:
        """Draw texts, each with its pen, from column `x` to before column `end`."""
        texts, start = self.texts, x
        # Drawing over the second half of a wide character also removes its first half.
        if texts[x] == "" and x:
            texts[x - 1] = " "
        for text, pen in pieces:
            if x >= end:
                break
            drawn: Sequence[str] = text
            # For plain ASCII each character is a column; only other text costs clusters and widths.
            if not (text.isascii() and text.isprintable()):
                drawn = self._columns(text, x if x > start else None)
            if len(drawn) > end - x:
                drawn = _cut(drawn, end - x)
            count = len(drawn)
            texts[x : x + count] = drawn
            self.pens[x : x + count] = [pen] * count
            x += count
        # A wide character whose first half was just drawn over has lost its second.
        if x < len(texts) and texts[x] == "":
            texts[x] = " "

    def _columns(self, text: str, after: int | None) -> tuple[str, ...]:
        """Return the columns of a text; marks at its start are added to the cell before column `after`."""
        if after and (marks := leading_marks(text)):
            base = after - 1 if self.texts[after - 1] else after - 2
            self.texts[base] = (self.texts[base] or " ") + marks
        return cells(text)


def _cut(drawn: Sequence[str], width: int) -> Sequence[str]:
    """Return the first columns; a wide character that would lose its second half becomes a space."""
    shortened = drawn[:width]
    return (*shortened[:-1], " ") if shortened and drawn[width] == "" else shortened


def _with_doubts(columns: list[int], old: list[str | None], new: list[str | None]) -> list[int]:
    """Return the columns with those that disputed widths may damage, in `old` or `new`."""
    touched = {*[old[x] for x in columns], *[new[x] for x in columns]}
    if not any(text and text > "~" and doubtful(text) for text in touched):
        return columns
    changed, until, all_of_it = set(columns), 0, []
    for x in range(columns[0], len(new)):
        if x in changed or x < until:
            all_of_it.append(x)
            until = max(until, x + 1 + _spoilt_columns(old[x], new[x]))
    return all_of_it


def _spoilt_columns(*texts: str | None) -> int:
    """Return how many columns to the right of these texts may be damaged, if their width is disputed."""
    return max(2 * len(text) if text and text > "~" and doubtful(text) else 0 for text in texts)

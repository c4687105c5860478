"""Edit one line with a cursor, and show it in one row or over several."""

from __future__ import annotations

from msgspec import Struct

from tui.core.base.text import LONGEST_LINE, clusters, cut_text
from tui.ui.text.rows import Row, cells, clip

NEAR_CHARACTERS = 64
"""How many code points beside the cursor are split into clusters, so that long texts are edited as fast as
short ones."""


class Editor(Struct, frozen=True):
    """A line of text and its cursor."""

    text: str = ""
    """At most `LONGEST_LINE` code points."""
    at: int = 0
    """The index of the cursor, from 0 (before the first code point) to `len(text)`."""

    @classmethod
    def from_text(cls, text: str) -> Editor:
        """Return an editor with this text, cut to `LONGEST_LINE`, and the cursor at its end."""
        text = cut_text(text, LONGEST_LINE)
        return cls(text, len(text))

    @property
    def room(self) -> int:
        """How many more code points fit."""
        return LONGEST_LINE - len(self.text)

    def insert(self, text: str) -> Editor:
        """Return the editor after typing `text`; what does not fit is dropped."""
        text = cut_text(text, self.room) if len(text) > self.room else text
        return Editor(self.text[: self.at] + text + self.text[self.at :], self.at + len(text))

    def press(self, key: str) -> Editor | None:
        """Return the editor after an editing key, or None if `key` is not one."""
        match key:
            case "backspace":
                return self._erase(self._left(), self.at)
            case "delete" | "ctrl+d":
                return self._erase(self.at, self._right())
            case "ctrl+w":
                return self._erase(self._word(), self.at)
            case "ctrl+u":
                return self._erase(0, self.at)
            case "ctrl+k":
                return self._erase(self.at, len(self.text))
            case _:
                return self._move(key)

    def _move(self, key: str) -> Editor | None:
        match key:
            case "left":
                return Editor(self.text, self._left())
            case "right":
                return Editor(self.text, self._right())
            case "home":
                return Editor(self.text, 0)
            case "end" | "ctrl+e":
                return Editor.from_text(self.text)
            case _:
                return None

    def _erase(self, start: int, end: int) -> Editor:
        return Editor(self.text[:start] + self.text[end:], start)

    def _left(self) -> int:
        start = max(0, self.at - NEAR_CHARACTERS)
        # A window that begins inside a run of flags would pair their halves wrongly.
        while start and _is_half_a_flag(self.text[start]):
            start -= 1
        before = clusters(self.text[start : self.at])
        return self.at - len(before[-1]) if before else 0

    def _right(self) -> int:
        after = clusters(self.text[self.at : self.at + NEAR_CHARACTERS])
        return self.at + len(after[0]) if after else self.at

    def _word(self) -> int:
        start = self.text[: self.at].rstrip()
        return start.rfind(" ") + 1


def _is_half_a_flag(letter: str) -> bool:
    """Return whether a code point is one of the two that make a flag.

    Only the beginning of a run of such code points shows which two belong together.
    """
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


MOST_LETTERS = 20
"""The most code points of typed text that one column can take."""


def typed_line(editor: Editor, width: int) -> Row:
    """Return the text and its cursor in one row, shifted so that the cursor is within `width` columns."""
    start, at = _first_shown(editor, width), editor.at
    # Cut before it is measured, so that a pasted line of thousands of characters costs as much as a short
    # one.
    text = editor.text[start : at + 1 + max(0, width)]
    before, under, after = (
        text[: at - start],
        text[at - start : at - start + 1] or " ",
        text[at - start + 1 :],
    )
    line: Row = ((before, "text"), (under, "current"), (after, "text"))
    return clip(line, width, "")


def _first_shown(editor: Editor, width: int) -> int:
    """Return the index of the first code point shown, so that the cursor is within `width` columns.

    The index is a multiple of a third of the width, so that the line rarely shifts. The search runs back from
    the cursor, so that a long line costs no more than a short one.
    """
    step, room, at = max(1, width // 3), max(1, width - 1), editor.at
    start, used = at, 0
    while start > 0 and at - start < MOST_LETTERS * room:
        before = (start - 1) // step * step
        used += cells(editor.text[before:start])
        if used >= room:
            break
        start = before
    return start


def typed_rows(editor: Editor, width: int, most: int, ellipsis: str) -> list[Row]:
    """Return the text in at most `most` rows of `width` columns, among them the row with the cursor.

    If text before or after these rows is left out, the first or the last row shows the ellipsis.
    """
    if width < 4 or most < 2:
        return [typed_line(editor, width)]
    # A window of the text around the cursor: thousands of characters cost no more than those shown.
    start = _first_shown(editor, (most - 1) * (width - 2))
    text = editor.text[start : editor.at + most * width]
    lines, at = _break_rows(text, width - 2), editor.at - start
    row = max(i for i, (begin, _) in enumerate(lines) if begin <= at)
    first = max(0, min(row - most + 2 if len(lines) > most else 0, len(lines) - most))
    shown = lines[first : first + most]
    rows = [_row(text, begin, end, at if first + i == row else -1) for i, (begin, end) in enumerate(shown)]
    if start or first:
        rows[0] = ((ellipsis, "muted"), *rows[0])
    if shown[-1][1] < len(text) or start + len(text) < len(editor.text):
        rows[-1] = (*rows[-1], (ellipsis, "muted"))
    return rows


def _row(text: str, begin: int, end: int, at: int) -> Row:
    if at < 0:
        return ((text[begin:end], "text"),)
    under = next(iter(clusters(text[at : min(end, at + NEAR_CHARACTERS)])), " ")
    return ((text[begin:at], "text"), (under, "current"), (text[at + len(under) : end], "text"))


def _break_rows(text: str, width: int) -> list[tuple[int, int]]:
    """Return the start and end of each row; a space that does not fit stays at the end of its row."""
    rows: list[tuple[int, int]] = []
    begin = at = used = gap = 0
    for cluster in clusters(text):
        size = cells(cluster)
        behind = at + len(cluster)
        if used + size > width and cluster == " ":
            rows.append((begin, behind))
            begin, used, size = behind, 0, 0
        elif used + size > width and at > begin:
            # A word moves to the next row whole, unless it fills a row by itself.
            end = gap if gap > begin else at
            rows.append((begin, end))
            begin, used = end, cells(text[end:at])
        at, used = behind, used + size
        if cluster == " ":
            gap = at
    return [*rows, (begin, len(text))]

"""A strict terminal for tests: pyte's screen with further sequences, which refuses doubtful output.

It refuses every sequence that the wire must not send, and every move from a place where real terminals
disagree: after the last column, after margins are set, after a character of disputed width.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pyte
from rich.cells import cell_len

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = re.compile(
    r"\x1b\[(?P<mark>[<=>?]?)(?P<numbers>[0-9;]*)(?P<middle>[ -/]*)(?P<end>[@-~])"
    r"|\x1b(?P<escape>M|\(B)"
    r"|\x1b\]8;[^\x07\x1b]*\x1b\\"
    r"|(?P<control>[\x07\x08\n\r\x0f\x18])"
    r"|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)
PARTIAL = re.compile(r"\x1b(?:\[[<=>?]?[0-9;]*[ -/]*|\]8[^\x07\x1b]*\x1b?|\(|\])?\Z")
SWITCHES = {1: "bold", 2: "dim", 3: "italic", 4: "line", 5: "blink", 6: "blink2", 7: "reverse", 8: "conceal",
            9: "strike", 21: "line2", 51: "frame", 52: "circle", 53: "over"}  # fmt: skip
OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("line", "line2"), 25: ("blink", "blink2"), 27: ("reverse",),
       28: ("conceal",), 29: ("strike",), 54: ("frame", "circle"), 55: ("over",)}  # fmt: skip
SEEN = {"line", "reverse", "strike", "line2", "frame", "circle", "over"}
CUBE = (0, 95, 135, 175, 215, 255)


class RefusedError(AssertionError):
    """The program under test sent something that real terminals could misinterpret."""


class Cell(NamedTuple):
    """A cell with every attribute; pyte keeps only some."""

    data: str = " "
    fg: str = ""
    bg: str = ""
    attrs: frozenset[str] = frozenset()

    def seen(self) -> tuple[object, ...]:
        """Return what a user sees of the cell; the text colour of a space is left out."""
        return (" ", self.bg) if self.data == " " and not self.attrs & SEEN else tuple(self)


def palette(number: int) -> str:
    """Return the colour of a number in the 256-colour palette as "rrggbb", the first 16 as "#number"."""
    if number < 16:
        return f"#{number}"
    if number > 231:
        return "{0:02x}{0:02x}{0:02x}".format(8 + 10 * (number - 232))
    number -= 16
    return "".join(f"{CUBE[n]:02x}" for n in (number // 36, number // 6 % 6, number % 6))


def clusters(text: str) -> list[str]:
    """Return the characters of a text, each with the marks that belong to it."""
    found: list[str] = []
    for character in text:
        if found and (cell_len(character) == 0 or found[-1].endswith("\u200d")):
            found[-1] += character
        else:
            found.append(character)
    return found


class Terminal(pyte.Screen):
    """A strict terminal; with `erases_in_colour` erased cells keep the background.

    `skew` returns the width of a character in this terminal; None for the usual widths.
    """

    buffer: Any

    def __init__(
        self,
        width: int,
        height: int,
        *,
        erases_in_colour: bool = True,
        skew: Callable[[str], int] | None = None,
    ) -> None:
        self._bce, self._skew = erases_in_colour, skew
        self._pen = Cell()
        self._edge = self._adrift = False
        self._last = ""
        self._rest = ""
        self.asked: list[str] = []
        self.alternate = False
        self.modes: set[str] = set()
        super().__init__(width, height)
        self.mode.discard(pyte.modes.DECAWM)

    @property
    def default_char(self) -> Cell:  # type: ignore[override]
        return Cell()

    def cells(self) -> list[list[tuple[object, ...]]]:
        """Return what a user sees of every cell, line by line."""
        return [[self.buffer[y][x].seen() for x in range(self.columns)] for y in range(self.lines)]

    def lines_of_text(self) -> list[str]:
        """Return the text of each line."""
        return ["".join(self.buffer[y][x].data for x in range(self.columns)) for y in range(self.lines)]

    def scribble(self, character: str) -> None:
        """Fill the screen with a character, as if another program or a resize had damaged it."""
        for y in range(self.lines):
            for x in range(self.columns):
                self.buffer[y][x] = Cell(character)

    def feed(self, data: str) -> None:
        """Process output; an incomplete sequence at its end waits for the rest."""
        data, self._rest = self._rest + data, ""
        at = 0
        while at < len(data):
            found = TOKEN.match(data, at)
            if found is None:
                if PARTIAL.match(data, at):
                    self._rest = data[at:]
                    return
                raise RefusedError(repr(data[at : at + 20]))
            self._take(found)
            at = found.end()

    def _take(self, found: re.Match[str]) -> None:
        if found["text"]:
            for cluster in clusters(found["text"]):
                self._put(cluster)
        elif found["control"] and found["control"] in "\b\n\r":
            self._control(found["control"])
        elif found["escape"] == "M":
            self._known(row_only=True)
            self.reverse_index()
        elif found["end"]:
            self._sequence(found)

    def _known(self, *, row_only: bool = False) -> None:
        if self._adrift or (self._edge and not row_only):
            raise RefusedError("a move from a place that terminals disagree about")

    def _control(self, control: str) -> None:
        self._known(row_only=True)
        if control == "\r":
            self.carriage_return()
            self._edge = False
        elif control == "\n":
            self.index()
        else:
            self._known()
            self.backspace()

    def _put(self, cluster: str) -> None:
        """Draw one cluster; if it covers half of a wide character, the other half becomes a space."""
        line, x = self.buffer[self.cursor.y], self.cursor.x
        if cell_len(cluster) == 0:
            base = x - 1 if line[x - 1].data else x - 2
            line[base] = line[base]._replace(data=line[base].data + cluster)
            return
        if self._edge and "7" in self.modes:
            self._control("\r")
            self._control("\n")
            line, x = self.buffer[self.cursor.y], 0
        self._known()
        disputed = self._skew is not None and self._skew(cluster) != cell_len(cluster)
        width = self._skew(cluster) if self._skew is not None else cell_len(cluster)
        if x + width > self.columns and not disputed:
            raise RefusedError(f"{cluster!r} does not fit at {x}")
        width = min(width, self.columns - x)
        if line[x].data == "":
            line[x - 1] = line[x - 1]._replace(data=" ")
        if x + width < self.columns and line[x + width].data == "":
            line[x + width] = line[x + width]._replace(data=" ")
        for i in range(width):
            line[x + i] = self._pen._replace(data="" if i else cluster)
        self.cursor.x, self._last = x + width, cluster
        self._edge = self.cursor.x == self.columns or disputed

    def _sequence(self, found: re.Match[str]) -> None:
        mark, end = found["mark"], found["end"]
        numbers = [int(n or 0) for n in found["numbers"].split(";")]
        if mark or found["middle"] or end in "cnq":
            self._mode_or_question(found)
        elif end == "m":
            self._sgr(numbers)
        elif end == "H":
            self.cursor_position(*numbers)
            self._edge = self._adrift = False
        elif end == "G":
            self._known(row_only=True)
            self.cursor_to_column(*numbers)
            self._edge = False
        else:
            self._move_or_erase(end, numbers[0] or 1, found["numbers"])

    def _move_or_erase(self, end: str, count: int, text: str) -> None:
        if end != "r":
            self._known(row_only=end in "ABd")
        moves = {"A": self.cursor_up, "B": self.cursor_down, "C": self.cursor_forward, "D": self.cursor_back}
        if end in moves:
            moves[end](count)
        elif end == "d":
            self.cursor_to_line(count)
        elif end == "b":
            for _ in range(count):
                self._put(self._last)
        elif end in "KJ" and not text:
            self._erase(end)
        elif end in "ML":
            self._scroll(self.cursor.y, count if end == "M" else -count)
            self.carriage_return()
        elif end == "r" and not text:
            self.cursor.y = self.cursor.x = 0
            self._adrift = True  # home or where it was: terminals disagree
        else:
            raise RefusedError(f"CSI {text} {end}")

    def index(self) -> None:
        """Move the cursor down a line; on the last line, scroll up."""
        self._scroll(0, 1) if self.cursor.y == self.lines - 1 else self.cursor_down()

    def reverse_index(self) -> None:
        """Move the cursor up a line; on the first line, scroll down."""
        self._scroll(0, -1) if self.cursor.y == 0 else self.cursor_up()

    def _scroll(self, top: int, count: int) -> None:
        """Remove `count` lines at `top`, so that the lines below move up; insert lines if negative."""
        block = [{x: self.buffer[y][x] for x in range(self.columns)} for y in range(top, self.lines)]
        fresh = {x: Cell(bg=self._pen.bg if self._bce else "") for x in range(self.columns)}
        blanks = [dict(fresh) for _ in range(min(abs(count), len(block)))]
        moved = block[count:] + blanks if count > 0 else blanks + block[:count]
        for y, line in enumerate(moved, top):
            for x, cell in line.items():
                self.buffer[y][x] = cell

    def _erase(self, end: str) -> None:
        blank = Cell(bg=self._pen.bg if self._bce else "")
        rows = range(self.cursor.y, self.lines if end == "J" else self.cursor.y + 1)
        for y in rows:
            for x in range(self.cursor.x if y == self.cursor.y else 0, self.columns):
                self.buffer[y][x] = blank

    def _sgr(self, numbers: list[int]) -> None:
        rest = list(reversed(numbers))
        while rest:
            code = rest.pop()
            if code == 0:
                self._pen = Cell()
            elif code in SWITCHES:
                self._pen = self._pen._replace(attrs=self._pen.attrs | {SWITCHES[code]})
            elif code in OFF:
                self._pen = self._pen._replace(attrs=self._pen.attrs - set(OFF[code]))
            else:
                self._colour(code, rest)

    def _colour(self, code: int, rest: list[int]) -> None:
        if code in {38, 48}:
            kind = rest.pop()
            name = (
                palette(rest.pop())
                if kind == 5
                else "{:02x}{:02x}{:02x}".format(*(rest.pop() for _ in "rgb"))
            )
        elif code in {39, 49}:
            name = ""
        elif code % 10 < 8 and code // 10 in {3, 4, 9, 10}:
            name = f"#{code % 10 + (8 if code >= 90 else 0)}"
        else:
            raise RefusedError(f"SGR {code}")
        back = code // 10 in {4, 10}
        self._pen = self._pen._replace(bg=name) if back else self._pen._replace(fg=name)

    def _mode_or_question(self, found: re.Match[str]) -> None:
        if found["end"] in "hl" and found["mark"] == "?":
            for mode in found["numbers"].split(";"):
                (self.modes.add if found["end"] == "h" else self.modes.discard)(mode)
                if mode == "1049":  # the cursor of the other screen
                    self._edge = self._adrift = False
        elif found[0] in {"\x1b[5n", "\x1b[?2026$p", "\x1b[>q"}:
            self.asked.append(found[0])
        else:
            raise RefusedError(repr(found[0]))

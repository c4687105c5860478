"""Letters as large as the room allows, drawn with blocks, for a screen that lies on the table."""

from __future__ import annotations

import unicodedata
from typing import Final

HEIGHT: Final = 7
"""Dots from the top of a letter to its foot."""

_WIDTH, _SPACE = 5, 3

_DRAWN: Final = {
    "A": "0E11111F111111", "B": "1E11111E11111E", "C": "0E11101010110E", "D": "1E11111111111E", "E": "1F10101E10101F",
    "F": "1F10101E101010", "G": "0E11101711110F", "H": "1111111F111111", "I": "0E04040404040E", "J": "0702020202120C",
    "K": "11121418141211", "L": "1010101010101F", "M": "111B1515111111", "N": "11111915131111", "O": "0E11111111110E",
    "P": "1E11111E101010", "Q": "0E11111115120D", "R": "1E11111E141211", "S": "0F10100E01011E", "T": "1F040404040404",
    "U": "1111111111110E", "V": "11111111110A04", "W": "11111115151B11", "X": "11110A040A1111", "Y": "11110A04040404",
    "Z": "1F01020408101F", "0": "0E11131519110E", "1": "040C040404040E", "2": "0E11010608101F", "3": "1F02040201110E",
    "4": "02060A121F0202", "5": "1F101E0101110E", "6": "0608101E11110E", "7": "1F010204040404", "8": "0E11110E11110E",
    "9": "0E11110F01020C", "-": "0000001F000000", ".": "0000000000000C", ",": "00000000000408", "'": "04040800000000",
    "!": "04040404040004", "?": "0E110106040004", "&": "0C12140815120D", "+": "0004041F040400", "/": "01010204081010",
    "(": "02040808080402", ")": "08040202020408", ":": "00000C000C0000", "#": "0A0A1F0A1F0A0A", "*": "000A041F040A00",
}  # fmt: skip
"""Each letter row by row from the top, two hexadecimal digits a row, of whose bits the lowest is the rightmost dot."""


def plain_letters(text: str) -> str:
    """The text in letters that can be drawn: upper case, without accents; "" where one of them cannot."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text.upper()) if not unicodedata.combining(c))
    return bare if all(c == " " or c in _DRAWN for c in bare) else ""


def columns(text: str, scale: int) -> int:
    """The columns of a text that `plain_letters` has made."""
    return sum((_SPACE if c == " " else _WIDTH + 1) * scale for c in text) - scale if text else 0


def drawn(text: str, scale: int, *, blocks: bool) -> list[str]:
    """The text as lines of equal length. With `blocks` of scale 1 two dots share a cell, so that four lines are enough."""
    dots = [
        "".join(_row(c, y, scale) for c in text)[: columns(text, scale)]
        for y in range(HEIGHT)
        for _ in range(scale if not (blocks and scale > 1) else scale // 2)
    ]
    if not blocks:
        return [row.replace("1", "#").replace("0", " ") for row in dots]
    if scale > 1:
        return [row.replace("1", "█").replace("0", " ") for row in dots]
    dots.append("0" * len(dots[0]))
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(dots[::2], dots[1::2], strict=True)
    ]


_HALVES: Final = {("0", "0"): " ", ("1", "0"): "▀", ("0", "1"): "▄", ("1", "1"): "█"}


def height(scale: int, *, blocks: bool) -> int:
    """The lines that letters take."""
    return HEIGHT * scale if not blocks else HEIGHT * (scale // 2) if scale > 1 else (HEIGHT + 1) // 2


def _row(letter: str, y: int, scale: int) -> str:
    """One row of dots, `0` and `1`, with the gap behind the letter."""
    if letter == " ":
        return "0" * _SPACE * scale
    bits = int(_DRAWN[letter][2 * y : 2 * y + 2], 16)
    dots = "".join("1" if bits & 1 << (_WIDTH - 1 - x) else "0" for x in range(_WIDTH)) + "0"
    return "".join(dot * scale for dot in dots)

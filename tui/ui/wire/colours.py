"""Colours as SGR parameters, in as many colours as the terminal has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from colorsys import rgb_to_hls
from typing import Final, Literal

Depth = Literal["truecolor", "256", "16"]
"""How many colours a terminal has."""

NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""The terminal's own colours in the order of their numbers; each has a bright one besides."""

GREY: Final = 0.15
"""Saturation below which a colour is sent as one of the greys, as Rich does."""

Triplet = tuple[int, int, int]


def depth(environ: Mapping[str, str]) -> Depth:
    """What COLORTERM and TERM promise, by the same signs that Rich goes by."""
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    term = environ.get("TERM", "").strip().lower()
    return "256" if term.rpartition("-")[2] in ("256color", "kitty") else "16"


def _cube() -> Iterator[tuple[Triplet, int]]:
    """The fixed part of xterm's palette, RGB → number: the colour cube and the greys."""
    levels = (0, 95, 135, 175, 215, 255)
    for grey in range(24):
        level = 8 + 10 * grey
        yield (level, level, level), 232 + grey
    for n in range(6, 216):
        yield (levels[n // 36], levels[n // 6 % 6], levels[n % 6]), 16 + n


PALETTE: Final = dict(_cube())


def code(color: str, colours: Depth, *, ground: bool) -> str:
    """The SGR parameter of "#rrggbb" or of a name such as "bright-red"; "" for the terminal's own.

    A true colour that the 256-colour palette holds is sent as its number, 8 bytes shorter. With sixteen colours
    "#rrggbb" is the terminal's own: the nearest of them could fade into its ground.
    """
    if not color.startswith("#"):
        return _named(color, ground=ground)
    if colours == "16":
        return ""
    red, green, blue = bytes.fromhex(color[1:])
    base = 48 if ground else 38
    if colours == "256":
        return f"{base};5;{_number(red, green, blue)}"
    number = PALETTE.get((red, green, blue))
    return f"{base};5;{number}" if number else f"{base};2;{red};{green};{blue}"


def _named(color: str, *, ground: bool) -> str:
    if color == "default":
        return ""
    bright = color.startswith("bright-")
    return str(NAMES.index(color.removeprefix("bright-")) + (90 if bright else 30) + (10 if ground else 0))


def _number(red: int, green: int, blue: int) -> int:
    """The number of the palette's colour that Rich would take for it."""
    _, light, saturation = rgb_to_hls(red / 255, green / 255, blue / 255)
    if saturation < GREY:
        grey = round(light * 25.0)
        return {0: 16, 25: 231}.get(grey, 231 + grey)
    return 16 + 36 * _step(red) + 6 * _step(green) + _step(blue)


def _step(level: int) -> int:
    return round(level / 95 if level < 95 else 1 + (level - 95) / 40)

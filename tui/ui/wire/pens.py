"""Pens, which say how a cell is drawn, and the shortest SGR from one pen to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from colorsys import rgb_to_hls
from typing import Final, Literal, NamedTuple

ON_CODES: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "21", "51", "52", "53")
"""The SGR parameter of each attribute, in the order of Rich's attribute bits."""

OFF_CODES: Final = (
    ("22", 0b11),
    ("23", 1 << 2),
    ("24", 1 << 3 | 1 << 9),
    ("25", 0b11 << 4),
    ("27", 1 << 6),
    ("28", 1 << 7),
    ("29", 1 << 8),
    ("54", 0b11 << 10),
    ("55", 1 << 12),
)
"""The attributes that each "off" parameter removes (ECMA-48), such as bold and dim together."""

VISIBLE_ON_SPACE: Final = 1 << 3 | 1 << 6 | 0b11111 << 8
"""Attributes that are visible on a space: underlines, reverse, strike, frames, overline."""


class Pen(NamedTuple):
    """Colours and attributes of a cell."""

    fg: str = ""
    """The text colour as SGR parameters, "" for the terminal's own."""
    bg: str = ""
    """The background colour, as `fg`."""
    attrs: int = 0
    """Attributes as Rich's bits."""

    @property
    def erases(self) -> bool:
        """Whether a space in this pen looks like an erased cell."""
        return not self.attrs & VISIBLE_ON_SPACE


PLAIN: Final = Pen()


def blank_pen(pen: Pen) -> Pen:
    """Return the pen of a space, the same for all pens that draw a space alike.

    The text colour is left out, because a space does not show it.
    """
    return pen if pen.attrs & VISIBLE_ON_SPACE else Pen("", pen.bg, 0)


def is_alike(one: Pen, other: Pen) -> bool:
    """Return whether two pens draw a space alike."""
    return one == other or (one.bg == other.bg and not (one.attrs | other.attrs) & VISIBLE_ON_SPACE)


def _switches(old: int, new: int) -> Iterator[str]:
    # Most pens have no attributes, or the same.
    if old == new:
        return
    # Off before on: `22` removes bold and dim together, and what stays must be switched on again after it.
    for code, bits in OFF_CODES:
        if old & bits & ~new:
            yield code
            old &= ~bits
    for bit, code in enumerate(ON_CODES):
        if new & ~old & 1 << bit:
            yield code


def _sgr(parameters: list[str]) -> str:
    return f"\x1b[{';'.join(parameters)}m"


def transition(old: Pen | None, new: Pen) -> str:
    """Return the shortest SGR from `old` (None if unknown) to `new`: changes, or reset and set."""
    if old == new:
        return ""
    # Most often only the text colour changes.
    if old and new.fg and old.bg == new.bg and old.attrs == new.attrs:
        return f"\x1b[{new.fg}m"
    fresh = [code for code in (new.fg, new.bg, *_switches(0, new.attrs)) if code]
    reset = _sgr(["", *fresh] if fresh else [])
    if old is None:
        return reset
    steps = list(_switches(old.attrs, new.attrs))
    if old.fg != new.fg:
        steps.append(new.fg or "39")
    if old.bg != new.bg:
        steps.append(new.bg or "49")
    return min(_sgr(steps), reset, key=len)


def dress(old: Pen | None, want: Pen) -> Pen:
    """Return the pen that draws a space like the blank pen `want` and is cheapest to reach from `old`."""
    if old is None or want.attrs & VISIBLE_ON_SPACE:
        return want
    if is_alike(old, want):
        return old
    # A space shows no text colour, so the old one may stay and need not be sent.
    kept = Pen(old.fg, want.bg, old.attrs & ~VISIBLE_ON_SPACE)
    return min(kept, want, key=lambda pen: len(transition(old, pen)))


Depth = Literal["truecolor", "256", "16"]
"""How many colours a terminal has."""

NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""The terminal's colours in the order of their numbers; each also has a bright one."""

GREY_SATURATION: Final = 0.15
"""Saturation below which a colour is sent as a grey, as Rich does."""

Triplet = tuple[int, int, int]


def depth(environ: Mapping[str, str]) -> Depth:
    """Return the number of colours that COLORTERM and TERM promise, by the rules of Rich."""
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    term = environ.get("TERM", "").strip().lower()
    return "256" if term.rpartition("-")[2] in ("256color", "kitty") else "16"


def _cube() -> Iterator[tuple[Triplet, int]]:
    """Yield RGB and number of the fixed colours of xterm's palette: the colour cube and the greys."""
    levels = (0, 95, 135, 175, 215, 255)
    for grey in range(24):
        level = 8 + 10 * grey
        yield (level, level, level), 232 + grey
    for n in range(6, 216):
        yield (levels[n // 36], levels[n // 6 % 6], levels[n % 6]), 16 + n


PALETTE: Final = dict(_cube())


def code(color: str, colours: Depth, *, ground: bool) -> str:
    """Return the SGR parameter of "#rrggbb" or of a name such as "bright-red", "" for the terminal's own.

    A true colour that is in the 256-colour palette is sent as its number, 8 bytes shorter. With sixteen
    colours "#rrggbb" is the terminal's own: the nearest of them might not be readable.
    """
    if not color.startswith("#"):
        return _color_code(color, ground=ground)
    if colours == "16":
        return ""
    red, green, blue = bytes.fromhex(color[1:])
    base = 48 if ground else 38
    if colours == "256":
        return f"{base};5;{_number(red, green, blue)}"
    number = PALETTE.get((red, green, blue))
    return f"{base};5;{number}" if number else f"{base};2;{red};{green};{blue}"


def _color_code(color: str, *, ground: bool) -> str:
    if color == "default":
        return ""
    bright = color.startswith("bright-")
    return str(NAMES.index(color.removeprefix("bright-")) + (90 if bright else 30) + (10 if ground else 0))


def _number(red: int, green: int, blue: int) -> int:
    """Return the number in the 256-colour palette that Rich would use for a colour."""
    _, light, saturation = rgb_to_hls(red / 255, green / 255, blue / 255)
    if saturation < GREY_SATURATION:
        grey = round(light * 25.0)
        return {0: 16, 25: 231}.get(grey, 231 + grey)
    return 16 + 36 * _step(red) + 6 * _step(green) + _step(blue)


def _step(level: int) -> int:
    return round(level / 95 if level < 95 else 1 + (level - 95) / 40)

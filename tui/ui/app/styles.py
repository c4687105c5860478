"""Pens of the wire as Rich styles, and back."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color
from rich.style import Style

from tui.ui.wire.pens import PLAIN, Pen

ATTRIBUTES = ("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike",
    "underline2",
              "frame", "encircle", "overline")  # fmt: skip
"""Rich's attributes in the order of their bits."""


@lru_cache(maxsize=2048)
def style_of(pen: Pen) -> Style:
    """Return the Rich style of a pen."""
    on = " ".join(name for bit, name in enumerate(ATTRIBUTES) if pen.attrs & 1 << bit)
    return Style.parse(on) + Style.from_color(_color(pen.fg), _color(pen.bg))


def _color(code: str) -> Color:
    """Return the Rich colour of an SGR parameter; a ground and a text of one colour give the same."""
    numbers = [int(part) for part in code.split(";")] if code else []
    match numbers:
        case []:
            return Color.default()
        case [_, 2, red, green, blue]:
            return Color.from_rgb(red, green, blue)
        case [_, 5, number]:
            return Color.from_ansi(number)
        case _:
            return Color.from_ansi(numbers[0] % 10 + (8 if numbers[0] >= 90 else 0))


@lru_cache(maxsize=4096)
def pen_of(style: Style | None) -> Pen:
    """Return the pen that draws a Rich style; None is the terminal's own."""
    if style is None:
        return PLAIN
    bits = sum(1 << bit for bit, name in enumerate(ATTRIBUTES) if getattr(style, name))
    return Pen(_code(style.color, ground=False), _code(style.bgcolor, ground=True), bits)


def _code(color: Color | None, *, ground: bool) -> str:
    if color is None or color.is_default:
        return ""
    return ";".join(color.get_ansi_codes(foreground=not ground))

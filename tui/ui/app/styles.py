"""Make Rich's styles and Textual's themes from palettes."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

from tui.ui.app.wired import ATTRIBUTES
from tui.ui.text.palette import ROLES, Palette
from tui.ui.wire.pens import Pen


def style_of(pen: Pen) -> Style:
    """Return the Rich style of a pen."""
    on = " ".join(name for bit, name in enumerate(ATTRIBUTES) if pen.attrs & 1 << bit)
    return Style.parse(on) + Style.from_color(_color(pen.fg), _color(pen.bg))


def _color(code: str) -> Color:
    """Return the Rich colour of an SGR parameter, the same for background and text."""
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


def theme_of(palette: Palette) -> Theme:
    """Return the Textual theme of a palette.

    Every role is a variable of its CSS, such as `$role-acting`.
    """
    # Textual's style sheets use variables that only its themes of the terminal's own colours define.
    usual = BUILTIN_THEMES["ansi-dark" if palette.dark else "ansi-light"].variables if palette.ansi else {}
    colour = {role: _css(palette.colors[role]) for role in ROLES}
    return Theme(
        name=palette.name,
        primary=colour["title"],
        secondary=colour["key"],
        accent=colour["focus"],
        warning=colour["warning"],
        error=colour["error"],
        success=colour["ok"],
        foreground=colour["text"],
        background=colour["background"],
        surface=colour["background"],
        panel=colour["background"],
        dark=palette.dark,
        ansi=palette.ansi,
        variables={**usual, **{f"role-{role}": value for role, value in colour.items()}},
    )


def _css(color: str) -> str:
    return color if color.startswith("#") else f"ansi_{color.replace('-', '_')}"

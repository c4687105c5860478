"""Convert pens, palettes and cells between the wire and Textual, which draws with Rich's styles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.color import Color
from rich.style import Style
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES, Theme

from tui.ui.text.palette import ROLES, Palette
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import PLAIN, Pen

ATTRIBUTES = ("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike",
    "underline2",
              "frame", "encircle", "overline")  # fmt: skip
"""Rich's attributes in the order of their bits."""


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


def pen_of(style: Style | None) -> Pen:
    """Return the pen that draws a Rich style; `PLAIN` for None."""
    if style is None:
        return PLAIN
    bits = sum(1 << bit for bit, name in enumerate(ATTRIBUTES) if getattr(style, name))
    return Pen(_code(style.color, ground=False), _code(style.bgcolor, ground=True), bits)


def _code(color: Color | None, *, ground: bool) -> str:
    if color is None or color.is_default:
        return ""
    return ";".join(color.get_ansi_codes(foreground=not ground))


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


class CellGrid:
    """Rows of cells. A row that was handed out is never changed but replaced."""

    def __init__(self) -> None:
        self.rows: list[CellRow] = []
        self._own: set[int] = set()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return (len(self.rows[0].texts) if self.rows else 0), len(self.rows)

    def resize(self, width: int, height: int) -> None:
        """Change the size: rows are cut or filled with spaces, on the right and below."""
        old, self.rows = self.rows, [CellRow.filled_with(width) for _ in range(height)]
        for row, before in zip(self.rows, old, strict=False):
            row.texts[: len(before.texts)] = before.texts[:width]
            row.pens[: len(before.pens)] = before.pens[:width]
        self._own = set(range(height))

    def snapshot(self) -> Sequence[CellRow]:
        """Return the rows, which will not change any more."""
        self._own.clear()
        return [*self.rows]

    def draw(self, x: int, y: int, strips: Iterable[Strip]) -> None:
        """Draw strips below each other from a cell on; what is outside of the grid is dropped."""
        if not 0 <= y < len(self.rows):
            return
        row = self._writable(y)
        width = len(row.texts)
        for strip in strips:
            end = min(x + strip.cell_length, width)
            if x < end:
                pieces = [(segment.text, pen_of(segment.style)) for segment in strip if not segment.control]
                row.paint(x, end, pieces)
            x = end

    def _writable(self, y: int) -> CellRow:
        if y not in self._own:
            row = self.rows[y]
            self.rows[y] = CellRow([*row.texts], [*row.pens])
            self._own.add(y)
        return self.rows[y]

"""Rows of cells as a widget: for `--stock-output`, and for when the wire has failed too often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import Pen

NAMES = ("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike")


class Sheet(Widget):
    """Shows rows that somebody else paints, who is told of every size."""

    DEFAULT_CSS = "Sheet { width: 100%; height: 100%; }"
    can_focus = False

    def __init__(self, rows: Sequence[CellRow], resized: Callable[[int, int], None]) -> None:
        super().__init__()
        self._rows, self._resized = rows, resized

    def on_resize(self, event: events.Resize) -> None:
        """Tells whoever paints."""
        self._resized(*event.size)

    def show(self, rows: Sequence[CellRow]) -> None:
        """These rows from now on; those that are the same are not drawn again."""
        old, self._rows = self._rows, rows
        changed = [y for y, row in enumerate(rows) if y >= len(old) or row is not old[y]]
        if changed:
            self.refresh(*[Region(0, y, self.size.width, 1) for y in changed])

    def render_line(self, y: int) -> Strip:
        """The line at `y`, blank below the last."""
        width = self.size.width
        if y >= len(self._rows):
            return Strip.blank(width)
        return Strip(segments(self._rows[y])).adjust_cell_length(width, style(self._rows[y].pens[-1]))


def segments(row: CellRow) -> Iterator[Segment]:
    """The row as Rich draws it."""
    pairs = zip(row.texts, row.pens, strict=True)
    for pen, cells in groupby(pairs, lambda pair: pair[1]):
        yield Segment("".join(text or "" for text, _ in cells), style(pen))


@lru_cache(maxsize=2048)
def style(pen: Pen) -> Style:
    """The Rich style of a pen."""
    words = " ".join(name for i, name in enumerate(NAMES) if pen.attrs & 1 << i)
    return Style.parse(words) + Style.from_color(_color(pen.fg), _color(pen.bg))


def _color(code: str) -> Color:
    """The Rich colour of an SGR parameter; its ground and its text have the same one."""
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

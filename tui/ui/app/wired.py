"""The way from Textual's compositor to our wire, and from our terminal to Textual's keys, for any app.

`class MyApp(Wired, StockApp)` draws on the wire what `StockApp` draws with Textual's own output: the driver
reads our terminal, a grid holds the cells that the compositor has rendered, and the wire sends those that
differ from what the terminal shows. Nothing here knows a desk, a pane or a fight.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rich.color import Color
from rich.console import RenderableType
from rich.style import Style
from textual import events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size
from textual.keys import KEY_NAME_REPLACEMENTS
from textual.screen import Screen
from textual.strip import Strip

from tui.ui.terminal.guardian import HANG_UP_ERRORS
from tui.ui.terminal.input_parser import HungUp, Key, Pasted, Report, Resized, Started, Synchronizes, keys
from tui.ui.terminal.input_thread import News
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.wire.grid import CellRow
from tui.ui.wire.pens import PLAIN, Pen
from tui.ui.wire.wire import Wire

INCOMPLETE_SECONDS = 0.2
"""How long a frame waits for a widget that is not drawn, in seconds; some widgets are never drawn."""

MOST_ERRORS = 3
"""The number of errors of the wire at which Textual's output replaces the wire."""

ATTRIBUTES = ("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike",
    "underline2",
              "frame", "encircle", "overline")  # fmt: skip
"""Rich's attributes in the order of their bits."""


def key_name(key: str) -> str:
    """Return Textual's name of a key: a letter is itself, `!` is exclamation_mark, ` ` is space."""
    if len(key) != 1 or key.isalnum():
        return key
    name = unicodedata.name(key, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name) or key


class BoundedPaste(events.Paste, bubble=False):
    """A paste up to the length limit; `dropped` is the number of characters that were cut."""

    def __init__(self, text: str, dropped: int = 0) -> None:
        super().__init__(text)
        self.dropped = dropped


class WiredDriver(Driver):
    """Posts keys and pastes to the app in the order in which they came. The mouse is never asked for."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        del mouse  # the name that Textual uses
        assert isinstance(app, Wired)
        self._host, self.terminal = app, app.terminal
        super().__init__(app, debug=debug, mouse=False, size=size or self.terminal.size())

    def write(self, data: str) -> None:
        """Queue text for the terminal; drop it while the terminal is not taken."""
        self.terminal.write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, unless it was taken for the first frame."""
        if not self.terminal.taken:
            self.terminal.take()
        self.terminal.input_thread.listener = self.hear
        self._host.started()

    def hear(self, news: News, when: float) -> None:
        """Post keys and pastes; pass the rest to the app."""
        match news:
            case Key(sequence):
                for name, char in keys(sequence):
                    self._app.post_message(events.Key(key_name(name), char or None))
            case Pasted(text, dropped):
                self._app.post_message(BoundedPaste(text, dropped))
            case _:
                self._host.hear(news, when)

    def disable_input(self) -> None:
        """Do nothing: reading ends when the terminal is restored."""

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        self.terminal.give_back()

    def close(self) -> None:
        """Write all queued output."""
        self.terminal.close()


class Wired(App[Any]):
    """A mixin that draws an app on a wire; Textual's own output draws it with `stock_output`."""

    def __init__(
        self,
        terminal: Terminal,
        wire: Wire,
        loop: AppLoop,
        *arguments: Any,
        pictured: Sequence[CellRow] = (),
        stock_output: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.terminal, self.wire, self.loop = terminal, wire, loop
        self.stock_output = stock_output
        self.grid = CellGrid()
        self.grid.rows = [*pictured]
        self._faults = 0
        self._incomplete: asyncio.TimerHandle | None = None

    # --- what an app may do otherwise

    @property
    def is_whole(self) -> bool:
        """Whether all that belongs into the next frame is in the grid; if not, the frame waits for it."""
        return True

    def hung_up(self) -> None:
        """Leave, because the terminal is gone."""
        self.exit(return_code=HANG_UP_ERRORS)

    def output_failed(self, error: Exception) -> None:
        """Say that the output has failed; the whole screen is drawn again."""

    # --- the terminal

    def get_driver_class(self) -> type[Driver]:
        """Return the driver that reads our terminal."""
        return WiredDriver

    def started(self) -> None:
        """Pass calls from other threads to the event loop from now on."""
        self.loop.run_on(asyncio.get_running_loop())

    def hear(self, report: Report, when: float) -> None:
        """Handle a report of the terminal about itself, which came at the time `when`."""
        self._safely(partial(self.wire.hear, report, when))
        match report:
            case Synchronizes():
                self._sync_available = True
            case Started():
                self._draw_all_by_stock()
            case Resized(width, height):
                size = Size(width, height)
                if size == self.size:
                    self._draw_all_by_stock()
                else:
                    self.post_message(events.Resize(size, size))
            case HungUp():
                self.hung_up()
            case _:
                pass

    # --- from the compositor to the wire

    def repaint(self) -> None:
        """Send the whole screen again."""
        self._safely(self.wire.repaint)
        self._draw_all_by_stock()

    def _draw_all_by_stock(self) -> None:
        if self.stock_output and self._running:
            self.call_later(partial(self.screen.refresh, layout=True))

    def _set_pointer_shape(self, shape: str) -> None:
        """Do nothing, because there is no mouse."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Copy what the compositor has rendered into the grid, and send the changes."""
        size = self.size
        if self.grid.size != tuple(size):
            self.grid.resize(*size)
        match renderable:
            case LayoutUpdate():
                for y, strips in enumerate(renderable.strips, renderable.region.y):
                    self.grid.draw(renderable.region.x, y, strips)
            case ChopsUpdate():
                for y, start, end in renderable.spans:
                    ends = renderable.chop_ends[y]
                    for stop, (x, strip) in zip(ends, renderable.chops[y].items(), strict=False):
                        if strip is not None and x <= end and stop > start:
                            self.grid.draw(x, y, (strip,))
            case _:
                pass
        if self.is_headless:
            return
        if self.stock_output:
            super()._display(screen, renderable)
        # Once all that was shown is in the grid, so that a step is one frame.
        elif self.is_whole:
            self._send()
        elif self._incomplete is None:
            self._incomplete = asyncio.get_running_loop().call_later(INCOMPLETE_SECONDS, self._send)

    def _send(self) -> None:
        if self._incomplete is not None:
            self._incomplete.cancel()
            self._incomplete = None
        self._safely(partial(self.wire.show, self.grid.snapshot()))

    def _safely(self, call: Callable[[], None]) -> None:
        """Call the wire. After an error send the whole screen, after `MOST_ERRORS` by Textual."""
        try:
            call()
        except Exception as error:  # noqa: BLE001
            self._faults += 1
            if self._faults >= MOST_ERRORS:
                self.wire.hold()
                self.stock_output = True
                self._draw_all_by_stock()
            else:
                self.wire.distrust()
                asyncio.get_running_loop().call_soon(self._send)
            self.output_failed(error)


class CellGrid:
    """Rows of cells. A row that was handed out is never changed but replaced."""

    def __init__(self) -> None:
        self.rows: list[CellRow] = []
        self.pens: Mapping[Style, Pen] = {}
        """The pens of the styles that are drawn most; those of others are computed for each segment."""
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
                pieces = [(x.text, self._pen(x.style)) for x in strip if not x.control]
                row.paint(x, end, pieces)
            x = end

    def _pen(self, style: Style | None) -> Pen:
        return (self.pens.get(style) if style else None) or pen_of(style)

    def _writable(self, y: int) -> CellRow:
        if y not in self._own:
            row = self.rows[y]
            self.rows[y] = CellRow([*row.texts], [*row.pens])
            self._own.add(y)
        return self.rows[y]


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

"""The app: Textual's event loop and life around the display. It decides nothing, and draws only when it must."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen

from tui.ui.screen.display import Display
from tui.ui.state.press import Press
from tui.ui.terminal.hearing import News
from tui.ui.terminal.loop import Waits
from tui.ui.terminal.reports import Pasted, Resized, Started, Synchronizes
from tui.ui.terminal.terminal import Terminal
from tui.ui.textual.driver import TocsinDriver
from tui.ui.textual.sheet import Sheet

if TYPE_CHECKING:
    from rich.console import RenderableType

SIGNALLED = 128
"""Exit codes above this one tell the signal that ended the program."""


class EventLoop:
    """The event loop, as the program's own loop hands over to it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def soon(self, call: Callable[[], None]) -> None:
        """Calls on the loop's thread."""
        with suppress(RuntimeError):  # the loop is closed: there is nobody left to tell
            self._loop.call_soon_threadsafe(call)

    def later(self, delay: float, call: Callable[[], None]) -> Waits:
        """Calls after `delay` seconds."""
        return self._loop.call_later(delay, call)


class Board(Screen[None], inherit_bindings=False):
    """The one screen: empty, unless Textual draws."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = "Board { overflow: hidden hidden; scrollbar-size: 0 0; }"


class TocsinApp(App[None], inherit_bindings=False):
    """A display with Textual around it. With `frugal=False` Textual draws its rows (`--stock-output`)."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, display: Display, terminal: Terminal, *, frugal: bool = True) -> None:
        # With the terminal's own colours, for the rows name theirs: Textual would turn them into others.
        super().__init__(driver_class=TocsinDriver, ansi_color=True)
        self.display_of, self.terminal = display, terminal
        self.frugal = frugal and not display.failed
        display.leaving.left = self._leave
        display.gave_up = self.draw_by_textual

    def get_default_screen(self) -> Board:
        """The board."""
        return Board()

    def compose(self) -> ComposeResult:
        """Nothing, unless Textual draws."""
        yield from ()

    # --- life

    def on_load(self) -> None:
        """Errors of callbacks end the app as errors of messages do, and are not printed over the screen."""

        def lost(_loop: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
            if isinstance(error := told.get("exception"), Exception):
                self._handle_exception(error)

        asyncio.get_running_loop().set_exception_handler(lost)

    def on_mount(self) -> None:
        """The display's calls come here from now on; then the garbage collector starts."""
        display = self.display_of
        if not self.frugal:
            self.draw_by_textual()
        if self.is_headless:
            self.started()
        # Collecting among thousands of fresh objects would only delay the first picture.
        self.call_after_refresh(partial(_rest, alone=not self.is_headless))
        if display.leaving.code is not None:
            self._leave()

    def started(self) -> None:
        """The display's calls come to the event loop from now on."""
        self.terminal.hearing.listener = self.hear
        self.display_of.loop.hand_over(EventLoop(asyncio.get_running_loop()))

    def hear(self, news: News, when: float) -> None:
        """What the terminal says."""
        if isinstance(news, Synchronizes):
            self._sync_available = True
        if isinstance(news, Resized):
            size = Size(news.width, news.height)
            self.post_message(events.Resize(size, size))
            if not self.frugal:
                return  # the sheet is the first to draw in the new size
        if isinstance(news, Started) and not self.frugal and self._running:
            self.call_later(partial(self.screen.refresh, layout=True))
        self.display_of.take(news, when)

    def _leave(self) -> None:
        self.exit(return_code=self.display_of.leaving.code or 0)

    def _handle_exception(self, error: Exception) -> None:
        """Leave, and print nothing: Textual's own account of an error holds the values of all variables.

        What fails while we leave because of a signal does not change the exit code.
        """
        if not self._exit or (self.return_code or 0) <= SIGNALLED:
            self._return_code = 1
            if self._exception is None:
                self._exception = error
                self._exception_event.set()
        self._close_messages_no_wait()

    @property
    def failure(self) -> Exception | None:
        """The error that ended the app, for whoever started it to raise again; None for none."""
        return self._exception

    # --- drivers that are not ours: what tests press

    def on_key(self, event: events.Key) -> None:
        """A key."""
        event.stop()
        event.prevent_default()
        self.display_of.press(Press(event.key, event.character or "" if event.is_printable else ""))

    def on_paste(self, event: events.Paste) -> None:
        """A paste."""
        event.stop()
        event.prevent_default()
        self.display_of.paste(Pasted(event.text))

    def on_resize(self, event: events.Resize) -> None:
        """Another size, which the terminal itself tells where there is one."""
        if self.is_headless:
            self.display_of.resized(*event.size)

    # --- what Textual draws

    def draw_by_textual(self) -> None:
        """From now on Textual sends the rows, and the wire nothing more."""
        self.frugal = False
        self.display_of.wire.hold()
        sheet = Sheet(self.display_of.rows, self.display_of.resized)
        self.display_of.output = sheet.show
        self.screen.mount(sheet)
        self.screen.refresh(layout=True)

    def _set_pointer_shape(self, shape: str) -> None:
        """Sends nothing: there is no mouse to give a shape."""

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Nothing, unless Textual draws: the wire has sent all there is."""
        if not self.frugal:
            super()._display(screen, renderable)


def _rest(*, alone: bool) -> None:
    """Ends the start: loads the modules that the first key needs, and switches the garbage collector on again.

    `alone`: nothing else runs in this process, whose garbage would stay as well.
    """
    # The picture stands; the GM reads it while this loads, so that the first key need not wait.
    import tui.ui.keys.board  # noqa: F401

    # What stands now stays: looking through it again and again, with 1,000 creatures and 50,000 steps, was 30 to 40 ms
    # of every worst key.
    if alone:
        gc.freeze()
    gc.enable()

"""The app: Textual carries keys to the surface and its lines to the terminal. It decides nothing."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.layout import Layout
from textual.screen import Screen
from textual.timer import Timer

from tui.ui.keys.services import Services
from tui.ui.keys.surface import Blank, Surface
from tui.ui.state.layout import PARTS, Box, Part
from tui.ui.state.palette import Palette
from tui.ui.state.press import Press
from tui.ui.terminal.reports import Pasted
from tui.ui.textual.frugal import FrugalApp
from tui.ui.textual.layout import Tiles
from tui.ui.textual.styles import theme
from tui.ui.textual.widget import Ink, Lines

if TYPE_CHECKING:
    from textual.driver import Driver


REST = 0.15
"""Seconds without a key after which the cursor rests."""


class Board(Screen[None], inherit_bindings=False):
    """The one screen: parts placed by what is on it."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, app: TocsinApp) -> None:
        super().__init__()
        self._tocsin = app
        self._tiles = Tiles(app.places)

    @property
    def layout(self) -> Layout:
        """The layout: not from CSS, for it depends on what is being done."""
        return self._tiles

    def compose(self) -> ComposeResult:
        """The parts, with their first lines, so that the first frame is the whole picture."""
        surface = self._tocsin.surface
        lines = surface.draw(surface.boxes(*self.app.size))
        for part in PARTS:
            yield Lines(part, self._tocsin.ink, lines.get(part, ()))


class TocsinApp(FrugalApp[None], inherit_bindings=False):
    """The screen: what `surface` draws, in the colours of a palette."""

    CSS_PATH = os.path.join(os.path.dirname(__file__), "app.tcss")
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        palette: Palette,
        *,
        frugal: bool = True,
        complain: Callable[[str], None] | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(frugal=frugal, complain=complain, driver_class=driver_class, ansi_color=palette.ansi)
        self.register_theme(theme(palette))
        self.theme = palette.name
        self.ink = Ink(palette)
        self.surface: Surface = Blank()
        self._placed: Mapping[Part, Box] = {}
        self._entered = False
        self._resting: Timer | None = None

    def get_default_screen(self) -> Board:
        """The board."""
        return Board(self)

    def places(self, width: int, height: int) -> Mapping[Part, Box]:
        """Where every part of what is shown now stands."""
        return self.surface.boxes(width, height)

    def turn_to(self, surface: Surface) -> None:
        """Shows something else from now on."""
        self.surface = surface
        if self.is_running:
            self.call_next(self.draw)

    def dress(self, palette: Palette) -> None:
        """Other colours from now on, of the same kind: the terminal's own, or any."""
        self.register_theme(theme(palette))
        self.theme = palette.name
        self.ink = Ink(palette)
        for part in self.screen.query(Lines):
            part.inked(self.ink)

    def exits(self, services: Services) -> Services:
        """The services, with those that only the app can give."""
        return replace(
            services, leave=self.exit, repaint=self.repaint, suspend=self.action_suspend_process, bell=self.bell,
            clip=self.copy_to_clipboard,
        )  # fmt: skip

    def on_key(self, event: events.Key) -> None:
        """Every key goes to what is on the screen."""
        event.stop()
        event.prevent_default()
        self.surface.press(Press(event.key, event.character or "" if event.is_printable else ""))
        self.draw()
        self._rest_later()

    def _rest_later(self) -> None:
        """Once no key has come for a moment, what follows the cursor is drawn: of held keys only the last sends it."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(REST, self._rest)

    def _rest(self) -> None:
        self._resting = None
        if self.surface.rest():
            self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is text, never keys; but a line that was typed ahead is sent by its own Enter where it was typed."""
        event.stop()
        event.prevent_default()
        entered, self._entered = self._entered and self.surface.typing, False
        self.surface.paste(event.text)
        if entered:
            self.surface.press(Press("enter"))
        self.draw()

    def pasted(self, paste: Pasted) -> None:
        """Says what became of a paste that was not whole, and notes whether it was a line with its Enter."""
        self._entered = paste.entered
        if paste.dropped:
            self.surface.say(f"the paste was cut: {paste.dropped} characters are missing")
            self.draw()

    def on_resize(self) -> None:
        """Lays everything out for the new size."""
        # Textual learns the new size only after this event.
        self.call_after_refresh(self.draw)

    def on_mount(self) -> None:
        """Draws the first picture, then lets the garbage collector start."""
        self.draw()
        # Collecting among thousands of fresh objects would only delay the first picture.
        self.call_after_refresh(_rest)

    def changed(self) -> None:
        """Draws soon: the fight has changed, by a key or from outside."""
        self.call_next(self.draw)

    def synced(self) -> None:
        """Draws soon: what is on the disk has changed. May be called from any thread."""
        self.soon(self.draw)

    def soon(self, call: Callable[[], None]) -> None:
        """Calls this on the app's own thread; may be called from any thread."""
        loop = self._loop
        # News of the disk may come before the first and after the last moment of the loop.
        if loop is not None and self._running:
            loop.call_soon_threadsafe(call)

    def draw(self) -> None:
        """The lines of the parts; only what changed is drawn."""
        width, height = self.size
        boxes = self.surface.boxes(width, height)
        lines = self.surface.draw(boxes)
        if self.surface.spoken and self.wire is not None:
            self.wire.point(*self.surface.point(boxes, lines))
            self.call_after_refresh(self.wire.flush)
        parts = list(self.screen.query(Lines))
        for part in parts:
            if part.part in lines:
                part.show(lines[part.part])
        if boxes != self._placed and parts:
            self._placed = boxes
            parts[0].refresh(layout=True)  # a child's new layout makes its parent arrange anew


def _rest() -> None:
    """Ends the start: loads the modules that the first key needs, and switches the garbage collector on again."""
    # The picture stands; the GM reads it while this loads, so that the first key need not wait.
    import tui.ui.keys.board  # noqa: F401

    gc.enable()

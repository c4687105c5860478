"""The app: Textual carries keys to the desk and the desk's lines to the terminal. It decides nothing."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.layout import Layout
from textual.screen import Screen

from tui.store.store import Store
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import Services, Settings
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


class Board(Screen[None], inherit_bindings=False):
    """The one screen: parts placed by the desk's own layout."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, ink: Ink, desk: Desk) -> None:
        super().__init__()
        self._ink = ink
        self._desk = desk
        self._tiles = Tiles(desk.boxes)

    @property
    def layout(self) -> Layout:
        """The layout: not from CSS, for it depends on what is being done."""
        return self._tiles

    def compose(self) -> ComposeResult:
        """The parts, with their first lines, so that the first frame is the whole picture."""
        lines = self._desk.draw(self._desk.boxes(*self.app.size))
        for part in PARTS:
            yield Lines(part, self._ink, lines.get(part, ()))


class TocsinApp(FrugalApp[None], inherit_bindings=False):
    """One fight on the screen. `palette` gives its colours; `services` what it reaches beside the store.

    `desk` makes what the keys go to.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        store: Store,
        *,
        palette: Palette,
        settings: Settings | None = None,
        services: Services | None = None,
        frugal: bool = True,
        complain: Callable[[str], None] | None = None,
        driver_class: type[Driver] | None = None,
        desk: Callable[[Store, Settings | None, Services | None], Desk] = Desk,
    ) -> None:
        super().__init__(frugal=frugal, complain=complain, driver_class=driver_class, ansi_color=palette.ansi)
        self.register_theme(theme(palette))
        self.theme = palette.name
        self._ink = Ink(palette)
        self._placed: dict[Part, Box] = {}
        reach = services or Services()
        self.desk = desk(store, settings, _with_exits(reach, self))
        store.watch(self.changed)

    def get_default_screen(self) -> Board:
        """The board."""
        return Board(self._ink, self.desk)

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the desk."""
        event.stop()
        event.prevent_default()
        key = event.key
        if key == "ctrl+j" and key not in self.desk.keys.commands:
            key = "enter"  # typed before the screen was up, when the terminal still made a line break of it
        self.desk.press(Press(key, event.character or "" if event.is_printable else ""))
        self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is text, never keys."""
        event.stop()
        event.prevent_default()
        self.desk.paste(event.text)
        self.draw()

    def pasted(self, paste: Pasted) -> None:
        """Says what became of a paste that was not whole."""
        if paste.dropped:
            self.desk.say(f"the paste was cut: {paste.dropped} characters are missing")
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
        """The desk's lines into the parts; only what changed is drawn."""
        width, height = self.size
        boxes = self.desk.boxes(width, height)
        lines = self.desk.draw(boxes)
        if self.desk.settings.glyphs.spoken and self.wire is not None:
            self.wire.point(*self.desk.point(boxes, lines))
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


def _with_exits(services: Services, app: TocsinApp) -> Services:
    """The services, with those that only the app can give."""
    from msgspec.structs import replace

    return replace(
        services, leave=app.exit, repaint=app.repaint, suspend=app.action_suspend_process, bell=app.bell,
        clip=app.copy_to_clipboard,
    )  # fmt: skip

"""The screen of `tocsin view` as a surface: it reads the page, and handles the viewer's few keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.store.players.page_reader import PageReader
from tui.ui.players.page import FrameState, PlayerPage, seen
from tui.ui.players.player_loop import Loop
from tui.ui.players.table_screen import help_top, point, screen, scrolled
from tui.ui.text.palette import Palette
from tui.ui.text.rows import Row


class Taste(Struct, frozen=True):
    """The viewer's choices: colours, and when the bell rings."""

    palettes: Sequence[Palette]
    """The palettes that `t` goes through, the chosen one first."""
    own: bool = True
    """Whether the bell rings at the viewer's turns."""
    every: bool = False
    """Whether the bell rings at every turn."""


class Viewing:
    """The screen of a viewer. `look` is everything that a frame depends on."""

    def __init__(self, reader: PageReader, loop: Loop, look: FrameState, taste: Taste) -> None:
        self._reader, self._loop, self._taste = reader, loop, taste
        self.look = look
        self._palette_index = 0
        self._size = (80, 24)
        self._keys: dict[str, Callable[[], None]] = {
            "q": loop.leave,
            "ctrl+c": loop.leave,
            "ctrl+d": loop.leave,
            "ctrl+l": loop.repaint,
            "ctrl+z": self._suspend,
            "t": self._next_palette,
            "?": self._help,
            "escape": self._close_help,
            "j": lambda: self._scroll(1),
            "down": lambda: self._scroll(1),
            "k": lambda: self._scroll(-1),
            "up": lambda: self._scroll(-1),
            "pagedown": lambda: self._scroll(self._page_size),
            "pageup": lambda: self._scroll(-self._page_size),
            "home": lambda: self._scroll(-(10**6)),
            "end": lambda: self._scroll(10**6),
        }

    # --- for the loop

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows of the screen."""
        self._size = (width, height)
        return screen(self.look, width, height)

    def point(self) -> tuple[int, int] | None:
        """Return the cell of the acting row, at which a screen reader wants the terminal's cursor."""
        return point(self.look, *self._size) if self.look.glyphs.spoken else None

    def press(self, key: str) -> None:
        """Handle a key; other keys do nothing."""
        if does := self._keys.get(key):
            self.look = replace(self.look, notice="")
            does()
            self._loop.show()

    def paste(self, text: str) -> None:
        """Do nothing, because nothing can be written."""

    def news(self) -> None:
        """Read what is published, and the state of the save."""
        before, self.look = self.look, seen(self.look, self._reader.look())
        if self.look != before:
            if (page := self.look.page) and page is not before.page:
                self._take_page(before.page, page)
            self._loop.show()

    # --- what it does

    def _take_page(self, before: PlayerPage | None, page: PlayerPage) -> None:
        """Handle a new page: if another row acts, the track follows it again; ring the bell if asked to."""
        if before is None or before.state.acting != page.state.acting:
            self.look = replace(self.look, top=None)
        if before is not None and rings(before, page, self._taste):
            self._loop.ring()

    def _suspend(self) -> None:
        if not self._loop.suspend():
            self._refuse_suspend()

    def _refuse_suspend(self) -> None:
        self.look = replace(self.look, notice="no shell to return to")

    def _help(self) -> None:
        self.look = replace(self.look, help=not self.look.help, top=None)

    def _close_help(self) -> None:
        self.look = replace(self.look, help=False, top=None)

    def _next_palette(self) -> None:
        self._palette_index = (self._palette_index + 1) % len(self._taste.palettes)
        self._loop.set_palette(self._taste.palettes[self._palette_index])

    def _scroll(self, by: int) -> None:
        width, height = self._size
        top = (
            help_top(self.look, by, width, height - 1)
            if self.look.help
            else scrolled(self.look, by, self._page_size)
        )
        self.look = replace(self.look, top=top)

    @property
    def _page_size(self) -> int:
        return max(1, self._size[1] - 8)


def rings(before: PlayerPage, page: PlayerPage, taste: Taste) -> bool:
    """Return whether the bell rings: at a new turn or a new request to the viewer, as `taste` says."""
    was, now = before.now, page.now
    if taste.every and now.kind == "acts" and (now.who, page.state.round) != (was.who, before.state.round):
        return True
    same = (now.kind, now.lead, page.state.round) == (was.kind, was.lead, before.state.round)
    return taste.own and now.mine and not same

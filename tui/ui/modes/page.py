"""A page to read, over the panes or in the order pane; it may ask a question."""

from __future__ import annotations

from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.orders import Listing, list_rows
from tui.ui.state.mode import Where
from tui.ui.state.scene import Scene
from tui.ui.text.press import STEPS, Press
from tui.ui.text.rows import Box, Row, paragraphs, scroll_rows


class Page(KeyMode, frozen=True):
    """A text to read."""

    title: str
    text: tuple[str, ...]
    top: int = 0
    """The index of the first row shown."""
    beside: bool = False
    """Whether the page is in the order pane instead of over the panes."""
    back: KeyMode | None = None
    """The mode that Esc returns to, None for the board."""
    asks: str = ""
    """A question for the Now line, "" for none; only `y` means yes."""
    line: str = ""
    """The line that runs after yes; if "", the `confirm` of `back` is called."""

    def scroll(self, by: int) -> Page:
        """Return the page scrolled by some rows, at most to about its end.

        The exact end is unknown here, because the number of rows depends on the width.
        """
        return replace(self, top=max(0, min(len(self.text) * 4, self.top + by)))

    @property
    def where(self) -> Where:
        """The place on the screen."""
        return "beside" if self.beside else "over"

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if self.asks and key.key == "y":
            if desk.may_answer():
                self._confirm(desk)
        elif by := STEPS.get(key.name):
            desk.show(mode=self.scroll(by))
        elif key.name == "W" and not self.asks and self.back is None:
            desk.submit("rule")
            # The key that opened the rule closes it, as for any page.
            if isinstance(desk.view.mode, Page) and desk.view.mode.title == self.title:
                desk.show(mode=None)
        elif key.key in ("escape", "enter", "ctrl+c") or key.name in ("q", "?", "w", "W"):
            # A second Enter out of habit is neither yes nor no.
            if not (self.asks and key.key == "enter"):
                desk.show(mode=self.back)
        else:
            desk.say("[y] yes, Esc goes back" if self.asks else "Esc goes back", "hint")

    def _confirm(self, desk: BaseDesk) -> None:
        desk.show(mode=self.back)
        if self.back is not None:
            self.back.confirm(desk)
        else:
            desk.run(self.line)

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the page can use."""
        del scene
        return len(self._text(width)) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title and the lines from `top` on, wrapped."""
        text = self._text(box.width)
        if self.beside:
            return list_rows(scene, Listing(self.title, text, top=self.top), box)
        return scroll_rows(scene.glyphs, self.title, text, self.top, box.width, box.height)

    def _text(self, width: int) -> list[Row]:
        return [((f" {row}", "text"),) for row in paragraphs(self.text, width - 2)]

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        del scene
        return (*((("y", "yes"),) if self.asks else ()), ("j/k", "scroll"), ("Esc", "back"))

    def question(self, scene: Scene) -> str:
        """Return the question, "" for none."""
        del scene
        return self.asks

"""The app with one fight, without launcher or disk."""

from __future__ import annotations

from tui.store.store import Store
from tui.ui.app.app import TocsinApp
from tui.ui.desk.desk import Desk
from tui.ui.screen import Display, RolePens
from tui.ui.state.settings import Settings
from tui.ui.terminal.guardian import Leaving
from tui.ui.terminal.loop import AppLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.text.palette import Palette


class FightApp(TocsinApp):
    """The app, showing one fight."""

    def __init__(
        self, store: Store, *, palette: Palette, keys: dict[str, tuple[str, ...]] | None = None
    ) -> None:
        settings = Settings(keys=keys or {})
        loop = AppLoop()
        terminal = Terminal(loop)
        display = Display(palette, loop, terminal, Leaving(terminal))
        self.desk = Desk(store, settings, display.services())
        display.turn_to(self.desk)
        super().__init__(display, settings.commands)
        self.pens = RolePens(palette)
        store.watch(lambda _: display.redraw_soon())

    def screen_text(self) -> str:
        """Return the text that the terminal would show."""
        return "\n".join("".join(text or "" for text in row.texts) for row in self.grid.rows)

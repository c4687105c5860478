"""The app with one fight on it, and nothing around."""

from __future__ import annotations

from msgspec.structs import replace

from tui.store.store import Store
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import Services
from tui.ui.screen.display import Display
from tui.ui.screen.leaving import Leaving
from tui.ui.screen.pens import RolePens
from tui.ui.state.palette import Palette
from tui.ui.terminal.loop import MainLoop
from tui.ui.terminal.terminal import Terminal
from tui.ui.textual.app import TocsinApp


class FightApp(TocsinApp):
    """One fight on the screen."""

    def __init__(self, store: Store, *, palette: Palette) -> None:
        terminal = Terminal(MainLoop())
        self.shown = Display(palette, terminal.loop, terminal, Leaving(terminal))
        super().__init__(self.shown, terminal)
        self.pens = RolePens(palette)
        self.desk = Desk(store, None, replace(Services(), **self.shown.exits()))
        self.shown.turn_to(self.desk)
        store.watch(self.shown.changed)

    def screen_text(self) -> str:
        """What the terminal would show."""
        return "\n".join("".join(text or "" for text in row.texts) for row in self.shown.rows)

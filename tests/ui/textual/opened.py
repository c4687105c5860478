"""The app with one fight on it, and nothing around."""

from __future__ import annotations

from tui.store.store import Store
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import Services
from tui.ui.state.palette import Palette
from tui.ui.textual.app import TocsinApp


class FightApp(TocsinApp):
    """One fight on the screen."""

    def __init__(self, store: Store, *, palette: Palette) -> None:
        super().__init__(palette)
        self.desk = Desk(store, None, self.exits(Services()))
        self.turn_to(self.desk)
        store.watch(self.changed)

"""An owed choice: choose rows, in order."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from tui.core.fight.agenda import PickAsk
from tui.core.language.tokens import quote
from tui.core.table import PickDue
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.orders import Listing, list_rows, pick_rows
from tui.ui.state.mode import Where
from tui.ui.state.scene import Scene, due
from tui.ui.text.menu import Choices, Item
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row


class PickList(KeyMode, frozen=True):
    """An owed choice that is being made."""

    ask: str
    """The key of the owed choice."""
    at: int = 0
    """The index of the row in focus."""
    chosen: tuple[str, ...] = ()
    """The names chosen so far, in order."""
    typed: str = ""
    """The characters typed one after the other that go to a name."""
    is_modal: ClassVar[bool] = True
    HINTS: ClassVar[Hints] = (("Space", "choose"), ("Enter", "send"), ("A", "all"), ("Esc", "back"))

    @property
    def where(self) -> Where:
        """The place on the screen."""
        return "beside"

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        ask = _find_ask(desk.scene)
        if ask is None or not ask.names:
            desk.dismiss()
            return
        match key.name:
            case "escape" | "ctrl+c":
                desk.dismiss()
            case "enter":
                self._send(desk, ask)
            case "space":
                desk.show(mode=replace(self, chosen=self._toggle(ask), typed=""))
            case "A":
                desk.show(mode=replace(self, chosen=ask.names[: ask.most]))
            case _:
                names = Choices("", tuple(Item(x, "") for x in ask.names), self.at, typed=self.typed)
                if moved := names.press_key(key):
                    desk.show(mode=replace(self, at=moved.at, typed=moved.typed))
                else:
                    desk.notify("Space chooses, Enter sends, Esc goes back", "hint")

    def overtaken(self, desk: BaseDesk) -> str:
        """Close if the choice is no longer owed."""
        if any(isinstance(ask, PickAsk) and ask.key == self.ask for ask in due(desk.scene)):
            return ""
        desk.dismiss()
        return "the choice has been made"

    def _toggle(self, ask: PickDue) -> tuple[str, ...]:
        key = ask.names[min(self.at, len(ask.names) - 1)]
        chosen = tuple(k for k in self.chosen if k != key) if key in self.chosen else (*self.chosen, key)
        # In a choice of one the new name replaces the old; too many are refused by the rules.
        return chosen[-ask.most :] if ask.most == 1 else chosen

    def _send(self, desk: BaseDesk, ask: PickDue) -> None:
        """Send the chosen names; of a choice of one, the row in focus if none is chosen.

        If all must be put in order, the only name left comes last by itself.
        """
        chosen = tuple(k for k in self.chosen if k in ask.names)
        if not chosen and ask.least == ask.most == 1:
            chosen = (ask.names[min(self.at, len(ask.names) - 1)],)
        unchosen = [k for k in ask.names if k not in chosen]
        # If all must be put in order, the last one needs no choice.
        if ask.least == ask.most == len(ask.names) and len(unchosen) == 1:
            chosen += (unchosen[0],)
        names = " ".join(quote(k) for k in chosen)
        if desk.run(f"pick {names or 'none'}"):
            desk.dismiss()

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the list can use."""
        del width
        return 1 + len(self._listing(scene).rows)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the names around the one in focus, chosen ones with their places."""
        return list_rows(scene, self._listing(scene), box)

    def _listing(self, scene: Scene) -> Listing:
        ask = _find_ask(scene)
        if ask is None:
            return Listing("Choice", [(("Nothing is left to choose", "muted"),)])
        bounds = " to ".join(dict.fromkeys((f"{ask.least}", f"{ask.most}")))
        return Listing("Choose", pick_rows(scene, ask.names, self.at, self.chosen), self.at, more=bounds)


def _find_ask(scene: Scene) -> PickDue | None:
    return next((a for a in scene.table.due if isinstance(a, PickDue)), None)

"""Menus with numbers: one digit picks the item; with ten or more items digits move focus, Enter picks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tui.ui.desk.base import BaseDesk
from tui.ui.modes.menu import Menu
from tui.ui.modes.mode import Hints
from tui.ui.state.scene import Scene
from tui.ui.text.menu import Item
from tui.ui.text.press import DIGITS, Press


def numbered(title: str, items: Sequence[Item], at: int = 0) -> Menu:
    """Return a menu of items whose keys are numbers, with item `at` in focus."""
    has_long = any(len(item.key) > 1 for item in items)
    return (NumberedMenu if has_long else Menu)(title, tuple(items), at)


class NumberedMenu(Menu, frozen=True):
    """A menu with numbers of two digits: digits move focus to an item, and only Enter picks it.

    If the first digit picked an item, the second digit would reach the mode that opens next.
    """

    number: str = ""
    """The digits typed so far, "" after any other key."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if not key.char or key.char not in DIGITS:
            Menu.press(replace(self, number=""), desk, key)
            return
        keys = [item.key for item in self.visible_items]
        number = next((x for x in (self.number + key.char, key.char) if x in keys), "")
        if number:
            desk.show(mode=replace(self, number=number, at=keys.index(number)))
        else:
            desk.say(f"nothing has the number {self.number}{key.char}", "hint")

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        return (("12", "go to a number"), *Menu.hints(self, scene))

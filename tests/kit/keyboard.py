"""A desk without a terminal: tests press keys, and look at the store and the drawn text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from tests.kit.table import Table
from tui.core.fight.dice import Dice
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Services
from tui.ui.state.layout import Part
from tui.ui.state.settings import Settings
from tui.ui.text.press import Press
from tui.ui.text.rows import cells, words

NAMED = {
    "enter", "escape", "tab", "up", "down", "left", "right", "backspace", "delete", "home", "end", "pageup",
    "pagedown",
    "f1",
}  # fmt: skip


def press_of(name: str) -> Press:
    """Return the press of a key; a single character is the key that types it."""
    if name == "space":
        return Press("space", " ")
    if name in NAMED or "+" in name[1:]:
        return Press(name)
    return Press(name, name)


def lines(*said: str) -> list[str]:
    """Return the keys that send these lines."""
    return [key for line in said for key in (":", f"'{line}'", "enter")]


class Player:
    """A game master who uses only keys."""

    def __init__(
        self,
        system: str = "classic",
        lines: Sequence[str] = (),
        *,
        dice: Dice | None = None,
        systems: Registry | None = None,
        settings: Settings | None = None,
        services: Services | None = None,
        options: dict[str, Any] | None = None,
        table: Table | None = None,
    ) -> None:
        self.table = table or Table(system, options, dice or SeededDice(4), systems)
        for line in lines:
            self.table.store.run(line)
        self.desk = Desk(self.table.store, settings, services)
        self.size = (80, 24)

    @property
    def store(self) -> Store:
        """The store of the fight."""
        return self.table.store

    def press(self, *keys: str) -> Self:
        """Press named keys and draw after each; a text in single quotes is typed, then drawn once."""
        for key in keys:
            for name in [*key[1:-1]] if len(key) > 1 and key.startswith("'") else [key]:
                self.desk.press(press_of("space" if name == " " else name))
            self.picture()
        self.desk.rest()
        return self

    def asked(self, count: int = 1) -> list[str]:
        """Return the last `count` lines that reached the store."""
        return [self.store.done(s).line for s in range(self.store.step - count + 1, self.store.step + 1)]

    def picture(self) -> dict[Part, list[str]]:
        """Return the rows of every part as texts, after asserting that all of them fit into their boxes."""
        boxes = self.desk.boxes(*self.size)
        drawn = {part: [words(line) for line in lines] for part, lines in self.desk.draw(boxes).items()}
        for part, lines in drawn.items():
            assert len(lines) <= boxes[part].height, part
            assert all(cells(line) <= boxes[part].width for line in lines), (part, lines)
        return drawn

    def text(self) -> str:
        """Return all rows of the screen as one text."""
        return "\n".join(line for lines in self.picture().values() for line in lines)

    def message(self) -> str:
        """Return the notice on the screen, "" for none."""
        return str(self.desk.view.notice or "")


PARTY = ("add Ana owner=Mia hp=18 mod=3", "add Bo owner=Tom hp=22 mod=1", "add 3 Orc hp=7 mod=1")
FIGHT = (*PARTY, "begin", "roll", "next")

"""What the screen sends for a key, in process: at 80 by 24, in true colour, from the desk through the wire.

The classic fight is that of the other trackers: four heroes, six orcs. Every sample goes on by the keys that
play it.
"""

from __future__ import annotations

from msgspec import Struct

from tests.kit.emulator import Terminal
from tests.kit.keyboard import press_of
from tests.kit.table import NOON, Memory, Table
from tests.rendering import palette_of
from tests.samples import EXAMPLES
from tui.core.fight.agenda import FormAsk, LockAsk, RollAsk
from tui.store.dependencies import StoreEffects
from tui.store.opening import load_save
from tui.store.sources import SeededDice
from tui.store.store import Store
from tui.systems import Registry
from tui.ui.desk.desk import Desk
from tui.ui.modes.form import Form
from tui.ui.modes.menu import Menu
from tui.ui.modes.pick import PickList
from tui.ui.screen import RolePens, paint
from tui.ui.state.scene import due
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.wire import Screen

SIZE = (80, 24)
ABLE = Abilities(erases_in_colour=True, repeats=True, scrolls=True, linefeed=True)
"""What every usual terminal can do."""

CLASSIC = (
    "add Ana owner=Mia hp=18 mod=3 ac=15", "add Bo owner=Jon hp=24 mod=1 ac=17",
    "add Cay owner=Lu hp=15 mod=2 ac=13",
    "add Dov owner=Sam hp=21 ac=14", "add 6 Orc hp=15 mod=1 ac=13", "begin", "roll", "next",
)  # fmt: skip
KEYS = ("n",) * 12 + ("j", "j", "k", "5", "d", "d", "4", "enter", "u", "u", "?", "escape")
TURNS = 24
"""Keys that go on, in each sample."""


Look = tuple[object, ...]
"""A cell as it looks: its text, then its pen."""


class Sent(Struct, frozen=True):
    """A key: what it sent at once, and what followed once the cursor rested."""

    key: str
    now: int
    later: int
    need: int
    """What a plain differ would send for the same two pictures."""


class Meter:
    """A desk whose every picture goes through the wire into a terminal that is counted."""

    def __init__(self, desk: Desk, size: tuple[int, int] = SIZE) -> None:
        self.desk, self.size = desk, size
        self.terminal = Terminal(*size)
        self._screen, self._pens = Screen(), RolePens(palette_of("dark", "truecolor"))
        self.first = self._frame()

    def _frame(self) -> int:
        boxes = self.desk.boxes(*self.size)
        frame = self._screen.frame(paint(*self.size, boxes, self.desk.draw(boxes), self._pens), ABLE)
        self.terminal.feed(frame)
        return len(frame.encode())

    def press(self, key: str) -> Sent:
        """One key, settled."""
        before = self.terminal.cells()
        self.desk.press(press_of(key))
        now = self._frame()
        need = count_plain(before, self.terminal.cells())
        return Sent(key, now, self._frame() if self.desk.rest() else 0, need)


MOVE, PEN = len("\x1b[12;40H"), len("\x1b[0;38;2;200;200;200m")


def count_plain(before: list[list[Look]], after: list[list[Look]]) -> int:
    """Return the bytes of a plain differ: a move, a pen and the text for each run of changed cells."""
    total = 0
    for old, new in zip(before, after, strict=True):
        held: Look | None = None
        for was, cell in zip(old, new, strict=True):
            if was == cell:
                held = None
                continue
            pen = cell[1:]
            total += (
                (MOVE + PEN) * (held is None) + PEN * (held not in (None, pen)) + len(str(cell[0]).encode())
            )
            held = pen
    return total


def on(desk: Desk) -> str:
    """Return the key that continues the fight: repeat an order, answer a prompt, or let one act."""
    if isinstance(desk.view.mode, Form | Menu):
        return "enter"
    if isinstance(mode := desk.view.mode, PickList):
        ask = due(desk.scene)[0]
        return "enter" if len(mode.chosen) >= getattr(ask, "least", 0) else "space"
    match due(desk.scene)[:1]:
        case [FormAsk()]:
            return "o"
        case [LockAsk()]:
            return "L"
        case [RollAsk()]:
            return "r"
        case [_]:
            return "enter"
        case _:
            acts = () if desk.store.encounter.turn else desk.store.system.offer(desk.store.encounter).acts
            return "enter" if len(acts) > 1 else "n"


def classic() -> Meter:
    """The fight of ten creatures, at its first turn."""
    store = Table("classic", dice=SeededDice(4)).store
    for line in CLASSIC:
        store.run(line)
    return _rested(store)


def sample(name: str) -> Meter:
    """A sample that goes on, and is kept nowhere."""
    history = load_save(str(EXAMPLES / f"{name}.toml"), Registry()).history
    return _rested(Store(name, history, Registry(), StoreEffects(Memory(), SeededDice(5), lambda: NOON)))


def _rested(store: Store) -> Meter:
    return Meter(Desk(store))


def goes_on(meter: Meter, count: int = TURNS) -> list[Sent]:
    """So many keys that go on."""
    return [meter.press(on(meter.desk)) for _ in range(count)]

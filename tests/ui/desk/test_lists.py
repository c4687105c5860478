"""The one grammar of lists: the same keys move, take and go back in every list."""

from __future__ import annotations

import pytest
from msgspec import Struct

from tests.kit.keyboard import FIGHT, PARTY, Player
from tui.ui.modes.menu import Menu
from tui.ui.modes.pick import PickList
from tui.ui.modes.rolls import RollList

ARMS = 'set Ana attacks="Bite +4 1d6; Claw +5 1d4; Tail +3 1d8"'
CROWD = (
    "add Troll value=20 side=trolls",
    "add 12 Orc side=foes",
    *(f"add {name} side=heroes" for name in ("Ana", "Kim", "Goblin")),
    "begin",
    'set Troll attacks="Bite +4 1d6"',
)


class KnownList(Struct, frozen=True):
    """A list, how it is opened, and what its keys do."""

    lines: tuple[str, ...]
    keys: tuple[str, ...]
    rows: int
    second: str = ""
    """A text on the screen after the second row was taken; "" if its rows have no numbers."""
    searched: bool = False
    """Whether letters search."""
    system: str = "classic"

    def open(self) -> Player:
        """Return a player in front of the list."""
        return Player(self.system, self.lines).press(*self.keys)


TIED = (
    "option cha.tie=by_hand",
    *(f'add "{name}"' for name in ("Ana", "Bo", "Cy", "Orc One", "Orc 22")),
    "begin",
    "lock missing=empty",
    *(f'roll "{name}" 9' for name in ("Ana", "Bo", "Cy", "Orc One", "Orc 22")),
)
LISTS = {
    "creatures": KnownList(
        ("option library.box=5.2.1",),
        ("a", "'4 gob'", "enter"),
        5,
        "Goblin Minion 1 to 4 join",
        searched=True,
    ),
    "attacks": KnownList((*FIGHT, "next", ARMS), ("'",), 3, "Claw: whom?"),
    "targets": KnownList((*FIGHT, "next", ARMS), ("'", "1"), 5, 'attack Ana Bite "Orc 2"'),
    "dice": KnownList((*PARTY, "add 9 Imp", "begin"), ("#",), 14),
    "picks": KnownList(TIED, ("n",), 5, system="chaos"),
}
MOVES = (
    ("up", 0), ("down", 1), ("down up", 0), ("end", -1), ("end down", -1), ("end up", -2), ("end home", 0),
    ("pagedown", 10), ("pagedown pageup", 0), ("end pagedown", -1), ("pageup", 0),
)  # fmt: skip
LETTERS = (("j", 1), ("k", 0), ("j k", 0), ("G", -1), ("G j", -1), ("G k", -2), ("G g", 0))


def place(p: Player) -> int:
    """Return the index of the row in focus."""
    mode = p.desk.view.mode
    if isinstance(mode, RollList):
        now = mode.current(p.desk.scene)
        return next(n for n, row in enumerate(mode.rolls) if now and row.key == now.key)
    assert isinstance(mode, Menu | PickList)
    return mode.at if isinstance(mode, PickList) else mode.highlighted


@pytest.mark.parametrize("name", LISTS)
def test_the_same_keys_move_in_every_list_and_nothing_wraps(name: str) -> None:
    known = LISTS[name]
    for keys, to in (*MOVES, *(() if known.searched else LETTERS)):
        p = known.open().press(*keys.split())
        assert place(p) == min(to, known.rows - 1) % known.rows, keys


@pytest.mark.parametrize("name", LISTS)
def test_esc_goes_back_and_sends_nothing(name: str) -> None:
    p = LISTS[name].open()
    step, mode = p.store.step, p.desk.view.mode
    p.press("down", "escape")
    assert (p.store.step, p.desk.view.mode is mode) == (step, False)


@pytest.mark.parametrize("name", [name for name, known in LISTS.items() if known.second])
@pytest.mark.parametrize("keys", ["2", "down enter"])
def test_a_digit_takes_a_numbered_row_at_once_and_enter_the_one_in_focus(name: str, keys: str) -> None:
    p = LISTS[name].open().press(*keys.split())
    assert LISTS[name].second in p.text()


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Ana", "Ana"), ("o12", "Orc 12"), ("orc 3", "Orc 3"), ("kim", "Kim"), ("go", "Goblin"), ("j", "Orc 2")],
)
def test_letters_go_to_a_name_in_a_list_of_creatures(typed: str, name: str) -> None:
    p = Player(lines=CROWD)
    step = p.store.step
    p.press("'", "1", f"'{typed}'")
    mode = p.desk.view.mode
    assert isinstance(mode, Menu)
    assert (mode.visible_items[mode.highlighted].text, p.store.step) == (name, step)


def test_a_digit_after_letters_takes_no_row() -> None:
    p = Player(lines=CROWD).press("'", "1", "a", "9")
    assert isinstance(p.desk.view.mode, Menu)
    assert "no name begins with a9" in p.text()


def test_letters_go_to_a_name_that_is_picked() -> None:
    p = LISTS["picks"].open().press("o", "2", "2")
    assert place(p) == 4
    assert place(p.press("space", "g", "b")) == 1


def test_ticks_of_a_form_move_as_a_list_does() -> None:
    p = Player("dungeon-universalis", ("add Ana kind=pc", "add 14 Orc", "begin", "turn Ana")).press("m")

    def focused() -> str:
        rows = [row for rows in p.picture().values() for row in rows if row.startswith(">") and "Orc" in row]
        return " ".join(rows)

    for keys, name in (
        ("G", "Orc 14"),
        ("g", "Orc 1 "),
        ("end", "Orc 14"),
        ("home", "Orc 1 "),
    ):
        assert name in focused() if p.press(*keys.split()) else False, (keys, p.text())


def test_squares_of_a_group_are_typed_once() -> None:
    lines = ("add Ana kind=pc", "add Orc", "add 3 Imp group=Imps", "begin", "turn Ana")
    p = Player("dungeon-universalis", lines).press("m", "end", "k", "k", "1", "2")
    assert 'distance="Imp 1:12,Imp 2:12,Imp 3:12"' in p.text()
    assert 'distance="Imp 1:12,Imp 2:7,Imp 3:7"' in p.press("j", "backspace", "backspace", "7").text()

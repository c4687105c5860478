"""The one grammar of lists: the same keys move, take and go back in every list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import Struct

from tests.kit.keyboard import FIGHT, PARTY, Player
from tests.kit.visitor import TOLD, Visitor
from tui.store.library.importing import read_text
from tui.store.opening import create_save
from tui.systems import Registry
from tui.ui.desk.ports import Imports, Services
from tui.ui.modes.importing import ImportPreview
from tui.ui.state.scene import Incoming

ARMS = 'set Ana attacks="Bite +4 1d6; Claw +5 1d4; Tail +3 1d8"'
CROWD = (
    "add Troll value=20 side=trolls",
    "add 12 Orc side=foes",
    *(f"add {name} side=heroes" for name in ("Ana", "Kim", "Goblin")),
    "begin",
    'set Troll attacks="Bite +4 1d6"',
)
TIED = (
    "option cha.tie=by_hand",
    *(f'add "{name}"' for name in ("Ana", "Bo", "Cy", "Orc One", "Orc 22")),
    "begin",
    "lock missing=empty",
    *(f'roll "{name}" 9' for name in ("Ana", "Bo", "Cy", "Orc One", "Orc 22")),
)


PACK = read_text("name,hp,ac\n" + "".join(f"Wolf {n},{n + 5},12\n" for n in range(14)), "wolves.csv")


class Wolves(Imports):
    """Fourteen wolves of a file, which wait to be kept."""

    def now(self) -> Incoming:
        """Return what was read."""
        return Incoming("read", harvest=PACK)


class KnownList(Struct, frozen=True):
    """A list of a fight, how it is opened, and what its keys do."""

    lines: tuple[str, ...]
    keys: tuple[str, ...]
    second: str = ""
    """A text on the screen after the second row was taken; "" if its rows have no numbers."""
    searched: bool = False
    """Whether letters search."""
    system: str = "classic"
    fields: int = 0
    """How many fields of a form stand above the list."""

    def open(self, folder: Path) -> Player | Visitor:
        """Return a player in front of the list."""
        del folder
        return Player(self.system, self.lines).press(*self.keys)


class ImportList(KnownList, frozen=True):
    """The creatures of a file before they are kept."""

    def open(self, folder: Path) -> Player | Visitor:
        """Return a player in front of the list."""
        del folder
        p = Player(services=Services(imports=Wolves()))
        p.desk.show(mode=ImportPreview())
        return p


class StartList(KnownList, frozen=True):
    """The start screen, or a list of it."""

    def open(self, folder: Path) -> Player | Visitor:
        """Return a visitor in front of the list."""
        for name in ("crypt", "gate", "mill"):
            if not (folder / f"{name}.toml").exists():
                create_save(name, str(folder), Registry(), "classic", {})
        return Visitor(folder).press(*self.keys)


BOX = ("option library.box=5.2.1",)
LISTS = {
    "creatures": KnownList(BOX, ("a", "'4 gob'", "enter"), "Goblin Minion 1 to 4 join", searched=True),
    "attacks": KnownList((*FIGHT, "next", ARMS), ("'",), "Claw: whom?"),
    "targets": KnownList((*FIGHT, "next", ARMS), ("'", "1"), 'attack Ana Bite "Orc 2"'),
    "dice": KnownList((*PARTY, "add 9 Imp", "begin"), ("#",)),
    "picks": KnownList(TIED, ("n",), system="chaos"),
    "areas": KnownList(CROWD, ("*", *["tab"] * 5), fields=5),
    "palette": KnownList(FIGHT, ("ctrl+p",), searched=True),
    "help": KnownList(FIGHT, ("?", "'damage'"), searched=True),
    "import": ImportList((), ()),
    "start screen": StartList((), (), f"A new fight ({TOLD[1].title})"),
    "samples": StartList((), ("G", "enter"), searched=True),
}
MOVES = (
    ("up", 0), ("down", 1), ("down up", 0), ("end", -1), ("end down", -1), ("end up", -2), ("end home", 0),
    ("pagedown", 10), ("pagedown pageup", 0), ("end pagedown", -1), ("pageup", 0),
)  # fmt: skip
LETTERS = (("j", 1), ("k", 0), ("j k", 0), ("G", -1), ("G j", -1), ("G k", -2), ("G g", 0))


def focused(p: Player | Visitor) -> str:
    """Return the row that the cursor of the list is on, as it is seen."""
    if isinstance(p, Visitor) and p.desk.view.mode is None:
        return p.here
    places = ("over", "form", "orders")
    rows = [row for part, some in p.picture().items() if part in places for row in some]
    (row,) = [row for row in rows if row.startswith(">")]
    return row


@pytest.mark.parametrize("name", LISTS)
def test_the_same_keys_move_in_every_list_and_nothing_wraps(name: str, tmp_path: Path) -> None:
    known, rows = LISTS[name], list[str]()
    p = known.open(tmp_path)
    while focused(p) not in rows:
        rows.append(focused(p))
        p.press("down")
    assert len(rows) > 2
    p.press("home")
    first = p.desk.view
    for keys, to in (*MOVES, *(() if known.searched else LETTERS)):
        if known.fields and keys in ("up", "k"):
            continue  # a form goes on above its list
        p.desk.view = first
        assert focused(p.press(*keys.split())) == rows[min(to, len(rows) - 1)], keys


@pytest.mark.parametrize("name", [name for name, known in LISTS.items() if known.searched])
def test_letters_search_where_the_title_says_so(name: str, tmp_path: Path) -> None:
    p = LISTS[name].open(tmp_path)
    before = p.desk.view.mode
    shown = p.press("j", "k").text()
    assert p.desk.view.mode is not before
    assert re.search(r"── [^─]*: [^\]─]*jk_", shown), shown


@pytest.mark.parametrize("name", [name for name in LISTS if name != "start screen"])
def test_esc_goes_back_and_sends_nothing(name: str, tmp_path: Path) -> None:
    p = LISTS[name].open(tmp_path)
    step, mode = p.desk.store.step, type(p.desk.view.mode)
    p.press("down", "escape")
    assert (p.desk.store.step, type(p.desk.view.mode) is mode) == (step, False)


@pytest.mark.parametrize("name", [name for name, known in LISTS.items() if known.second])
@pytest.mark.parametrize("keys", ["2", "down enter"])
def test_a_digit_takes_a_numbered_row_at_once_and_enter_the_one_in_focus(
    name: str, keys: str, tmp_path: Path
) -> None:
    p = LISTS[name].open(tmp_path)
    if isinstance(p, Visitor):
        p.press("tab")
    assert LISTS[name].second in p.press(*keys.split()).text()


@pytest.mark.parametrize(("name", "first"), [("picks", ["Ana", "Bo"]), ("areas", ["Troll", "Orc 1"])])
def test_space_ticks_where_several_can_be_taken_and_the_cursor_stays(
    name: str, first: list[str], tmp_path: Path
) -> None:
    p = LISTS[name].open(tmp_path)
    for who in first:
        before = focused(p)
        after = focused(p.press("space"))
        assert who in before
        assert after != before, "it is ticked"
        assert who in after, "the cursor stays"
        p.press("down")


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Ana", "Ana"), ("o12", "Orc 12"), ("orc 3", "Orc 3"), ("kim", "Kim"), ("go", "Goblin"), ("j", "Orc 2")],
)
def test_letters_go_to_a_name_in_a_list_of_creatures(typed: str, name: str) -> None:
    p = Player(lines=CROWD)
    step = p.store.step
    assert focused(p.press("'", "1", f"'{typed}'")).lstrip("> 123456789").split("  ")[0] == name
    assert p.store.step == step


def test_a_digit_after_letters_takes_no_row() -> None:
    p = Player(lines=CROWD).press("'", "1", "a", "9")
    assert "no name begins with a9" in p.text()
    assert focused(p)


def test_letters_go_to_a_name_that_is_picked_or_ticked(tmp_path: Path) -> None:
    p = LISTS["picks"].open(tmp_path)
    assert "Orc 22" in focused(p.press("o", "2", "2"))
    assert "Bo" in focused(p.press("space", "g", "b"))
    p = LISTS["areas"].open(tmp_path)
    for letter, name in (("o", "Orc 1 "), ("o", "Orc 2 "), ("g", "Troll"), ("a", "Ana"), ("t", "Troll")):
        assert name in f"{focused(p.press(letter))} ", letter

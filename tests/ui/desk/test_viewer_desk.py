"""A viewer's screen: the game master's panes, from which nothing is learnt and nothing is changed."""

from __future__ import annotations

from itertools import product

import pytest

from tests.kit import two_fights as law
from tests.kit.table import Table
from tests.kit.tiers import share, third_of
from tui.core.fight.viewer import Viewer
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.desk.viewer_desk import WORDS, ViewerDesk
from tui.ui.state.commands import COMMANDS
from tui.ui.state.settings import Settings
from tui.ui.text.press import Press
from tui.ui.text.rows import words

SIZES = ((120, 40), (80, 24), (60, 20))
NAMED = {"space": " "}
KEYS = tuple(dict.fromkeys(key for x in COMMANDS for key in x.keys))


def press(desk: ViewerDesk, key: str) -> None:
    """Press a key as the terminal names it."""
    desk.press(Press(key, NAMED.get(key, key if len(key) == 1 else "")))


def drawn(desk: ViewerDesk, size: tuple[int, int] = SIZES[0]) -> str:
    """Return every row of the screen."""
    parts = desk.draw(desk.boxes(*size))
    return "\n".join(words(row) for name in sorted(parts) for row in parts[name])


def fight() -> Table:
    t = Table("classic")
    t.do("add Ana owner=Mia hp=18 ac=15", 'add Orc hp=23 side=dark note="plan b" ac=13 hidden=yes')
    t.do("alias Orc Brute", "reveal Orc")
    t.do("add Lurkmark hp=31 side=dark hidden=yes", "add Reserve round=9 hp=8 hidden=yes", "begin")
    t.do("roll", dice=(9, 8, 7))
    t.do("next", "damage Orc 3", "condition Ana prone")
    return t


@pytest.mark.parametrize("name", ["", "Mia"])
def test_a_viewers_screen_has_the_panes_and_no_secret(name: str) -> None:
    t = fight()
    desk = ViewerDesk(t.store, Viewer(name, gm=False))
    shown = drawn(desk)
    for word in ("Ana", "Brute", "Track", "Log", "prone"):
        assert word in shown
    for secret in ("Orc", "Lurk", "plan b", "23", "20", "Reserve"):
        assert secret not in shown, secret
    assert ("18/18" in shown) == (name == "Mia")


def test_the_screen_follows_the_fight() -> None:
    t = fight()
    desk = ViewerDesk(t.store, Viewer("Mia", gm=False))
    assert "Ana takes 4 damage" not in drawn(desk)
    t.do("damage Ana 4")
    assert "Ana takes 4 damage" in drawn(desk)
    t.do("undo")
    assert "Ana takes 4 damage" not in drawn(desk)


@pytest.mark.law
@pytest.mark.parametrize(("system", "name"), third_of([*product(Registry().ids(), ("", "Mia"))], 0))
def test_no_key_changes_anything_or_opens_anything_of_the_game_masters(system: str, name: str) -> None:
    t = Table(system)
    t.do("add Ana owner=Mia hp=18", "add Lurkmark hp=31 hidden=yes", "add Orc hp=7", "begin")
    desk = ViewerDesk(t.store, Viewer(name, gm=False))
    desk.boxes(80, 24)
    record = t.store.record
    for first in (*KEYS, *(v.key for v in t.store.system.verbs)):
        for key in (first, "enter", "5", "x"):
            press(desk, key)
            assert "Lurk" not in drawn(desk, (80, 24)), (first, key)
        press(desk, "escape")
        press(desk, "escape")
    desk.paste("damage Ana 3\n")
    assert t.store.record == record
    assert {x.words.partition(" ")[0] for x in COMMANDS if desk.takes(x.id)} <= set(WORDS)


@pytest.mark.parametrize(("name", "rings"), [("", [5, 7, 9, 11]), ("Mia", [5, 9])])
def test_the_bell_rings_for_every_turn_or_for_the_viewers_own(name: str, rings: list[int]) -> None:
    t, rung = Table("classic"), list[int]()
    t.do("add Ana owner=Mia", "add Orc", "begin")
    t.do("roll", dice=(9, 8))
    services = Services(bell=lambda: rung.append(t.store.record))
    ViewerDesk(t.store, Viewer(name, gm=False), Settings(bell=True), services)
    t.do("next", "damage Ana 1", "next", "end", "next", "end", "next")
    assert rung == rings


class Looking(law.Fight):
    """A fight of which Mia is shown the screen, at one size after the other."""

    shown = 0

    def look(self) -> None:
        """Keep no screens: their sizes and keys change with each."""

    def page(self) -> bytes:
        self.shown += 1
        desk = ViewerDesk(self.table.store, law.MIA)
        press(desk, ("tab", "down", "z", "G")[self.shown % 4])
        return drawn(desk, SIZES[self.shown % len(SIZES)]).encode()


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(Registry().ids(), 1))
def test_what_the_unseen_do_is_not_on_a_viewers_screen(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "Fight", Looking)
    pairs = [(2, 2), (0, 1), (1, 2)]
    moments = [law.compared(system, seed, 25, pairs[seed % 3]) for seed in range(share(10))]
    assert max(moments) > 3

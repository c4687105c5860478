"""The summaries of the start screen are read anew when a fight changes, or the party it is weighed for."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

from tests.kit.keyboard import FIGHT, Player
from tui.core.base.errors import RuleError
from tui.store.opening import create_save
from tui.store.session import open_inline
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services, ThemeService
from tui.ui.launch.services import FolderShelf

HERO = '[[combatant]]\nname = "Ana"\nkind = "pc"\nlevel = {}\n'


def test_a_party_that_changes_weighs_the_prepared_fights_anew(tmp_path: Path) -> None:
    systems = Registry()
    path = create_save("ford", str(tmp_path), systems, "classic", {})
    with open_inline(path, str(tmp_path), systems, SeededDice(1), print) as session:
        session.store.run("add Ogre cr=2 hp=9")
    kept = tmp_path / "parties" / "mill.toml"
    kept.parent.mkdir()
    read = SimpleQueue[None]()
    shelf = FolderShelf(str(tmp_path), systems, lambda: read.put(None))
    told = ""
    for level, word in ((1, "deadly"), (20, "trivial")):
        (tmp_path / "new").write_text(HERO.format(level))
        (tmp_path / "new").replace(kept)
        shelf.contents()
        # The samples are read in the same thread.
        while (seen := shelf.briefs().get(path)) is None or seen.foes == told:
            read.get(timeout=20)
        told = seen.foes
        assert told.startswith(word), told


class Rack(ThemeService):
    """Three themes, and what was done with them."""

    def __init__(self) -> None:
        self.now = "dark"
        self.seen: list[str] = []

    def themes(self) -> tuple[tuple[str, str], ...]:
        return (("dark", "Dark"), ("light", "Light"), ("contrast", "High contrast"))

    def current(self) -> str:
        return self.now

    def apply(self, name: str) -> None:
        if name not in dict(self.themes()):
            raise RuleError(f"there is no theme {name}", "there are: dark, light")
        self.now = name
        self.seen.append(name)


def test_enter_shows_a_theme() -> None:
    rack = Rack()
    p = Player(lines=FIGHT, services=Services(themes=rack)).press(":", "'theme'", "enter", "down", "enter")
    assert rack.now == "light"
    assert 'theme = "light"' in p.message()


def test_a_theme_that_is_not_there_is_refused_with_those_that_are_first() -> None:
    p = Player(lines=FIGHT, services=Services(themes=Rack())).press(":", "'theme zzz'", "enter")
    assert "there is no theme zzz" in p.message()
    assert "there are: dark" in p.message()

"""The summaries of the start screen are read anew when a fight changes, or the party it is weighed for."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.kit.keyboard import FIGHT, Player
from tui.core.base.errors import RuleError
from tui.store.opening import create_save
from tui.store.problems import BadFile
from tui.store.session import open_inline
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services, ThemeService
from tui.ui.launch.services import FolderShelf, write_theme_setting
from tui.ui.settings.config import lines_of, load
from tui.ui.state.settings import Settings

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
        self.now, self.kept = "dark", ""
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

    def keep(self, name: str) -> str:
        self.apply(name)
        self.kept = name
        return "config.toml"


def test_the_cursor_shows_each_and_esc_gives_the_old_one_back() -> None:
    rack = Rack()
    p = Player(lines=FIGHT, services=Services(themes=rack)).press("ctrl+p", "'colours'", "enter")
    p.press("down", "down")
    assert rack.seen == ["light", "contrast"]
    p.press("escape")
    assert (rack.now, rack.kept) == ("dark", "")
    assert p.desk.view.mode is None


def test_enter_keeps_it() -> None:
    rack = Rack()
    p = Player(lines=FIGHT, services=Services(themes=rack)).press(":", "'theme'", "enter", "down", "enter")
    assert (rack.now, rack.kept) == ("light", "light")
    assert "kept in config.toml" in p.message()


def test_a_theme_that_is_not_there_is_refused_with_those_that_are_first() -> None:
    p = Player(lines=FIGHT, services=Services(themes=Rack())).press(":", "'theme zzz'", "enter")
    assert "there is no theme zzz" in p.message()
    assert "there are: dark" in p.message()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "light"\n'),
        ("# mine\nbell = true\n", 'theme = "light"\n# mine\nbell = true\n'),
        (
            'bell = true\ntheme = "dark"  # old\n[keys]\nnext = "m"\n',
            'bell = true\ntheme = "light"\n[keys]\nnext = "m"\n',
        ),
        ('[keys]\ntheme = "m"\n', 'theme = "light"\n[keys]\ntheme = "m"\n'),
    ],
)
def test_only_the_theme_changes_in_the_settings(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(before)
    write_theme_setting(str(path), "light")
    assert path.read_text() == after


def test_a_linked_file_is_read_and_not_written_through(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("bell = true\n")
    (tmp_path / "config.toml").symlink_to(real)
    with pytest.raises(BadFile, match="the settings are a link"):
        write_theme_setting(str(tmp_path / "config.toml"), "light")
    assert (tmp_path / "config.toml").is_symlink()
    assert real.read_text() == "bell = true\n"
    assert load(str(tmp_path)).bell


def test_the_settings_are_told_with_their_file_and_every_value(tmp_path: Path) -> None:
    lines = lines_of(str(tmp_path), Settings(theme="light", bell=True, keys={"next": ("m",)}))
    assert str(tmp_path / "config.toml") in lines[0]
    assert {'theme = "light"', "bell = true", "quit_to_start = false", "  next = m"} <= set(lines)

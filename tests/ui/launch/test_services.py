"""The summaries of the start screen are read anew when a fight changes, or the party it is weighed for."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tui.store.opening import create_save
from tui.store.session import open_inline
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services
from tui.ui.launch.services import FileThemes, FolderShelf
from tui.ui.screen import Display
from tui.ui.settings.themes import read_theme
from tui.ui.text.palette import Palette

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


class Shown(Display):
    """A display that only remembers its palettes."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def apply_palette(self, palette: Palette) -> None:
        self.seen.append(palette.name)


@pytest.mark.parametrize(
    ("now", "kind"),
    [("dark", {"dark", "light", "high-contrast", "colour-blind"}), ("mono", {"ansi16", "mono"})],
)
def test_a_theme_of_the_same_kind_is_shown_and_marked_and_any_other_refused(now: str, kind: set[str]) -> None:
    shown = Shown()
    themes = FileThemes(shown, read_theme(now))
    p = Player(lines=FIGHT, services=Services(themes=themes))
    assert {name for name, _ in themes.themes()} == kind
    other = next(name for name, _ in themes.themes() if name != now)
    for name in (other, other, now):
        assert f'theme = "{name}" in your settings' in p.press(*lines(f"theme {name}")).message()
        assert themes.current() == name
    assert shown.seen == [other, now]
    p.press(*lines("theme"))
    assert [row.split()[1] for row in p.picture()["over"] if "this one" in row] == [now]
    p.press(f"'{other}'", "enter")
    assert shown.seen[2:] == [other]
    assert "theme zzz" in p.press(*lines("theme zzz")).message()
    strange = "dark" if now == "mono" else "mono"
    told = p.press(*lines(f"theme {strange}")).message()
    assert f"{strange} has colours of another kind; tocsin --theme {strange} starts with it" in told

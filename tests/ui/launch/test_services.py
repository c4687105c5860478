"""The summaries of the start screen are read anew when a fight changes, or the party it is weighed for."""

from __future__ import annotations

import os
import re
import stat
from contextlib import nullcontext
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.kit.keyboard import FIGHT, Player, lines
from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT
from tui.store.opening import create_save
from tui.store.problems import BadFile, NotSaved
from tui.store.session import open_inline
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.ports import Services, ThemeService
from tui.ui.launch.services import FolderShelf, UserEditor, write_theme_setting
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


here = nullcontext


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.delenv("VISUAL", raising=False)
    return folder


def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> UserEditor:
    path = tmp_path / "my editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    monkeypatch.setenv("EDITOR", f"'{path}' -x")
    return UserEditor(here)


def test_the_file_is_private_and_gone_afterwards(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    found = editor(tmp_path, monkeypatch, f'stat -c %a "$2" > {log}; cat "$2" >> {log}; echo more >> "$2"')
    taken: list[str] = []
    found.edit("first\nsecond", "card.md", taken.append)
    assert log.read_text() == "600\nfirst\nsecond\n"
    assert taken == ["first\nsecond\nmore"]
    assert list(temporary.iterdir()) == []


def test_what_was_not_changed_is_not_taken(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    editor(tmp_path, monkeypatch, "true").edit("as it was", "card.md", taken.append)
    assert (taken, list(temporary.iterdir())) == ([], [])


@pytest.mark.parametrize("script", ['echo new >> "$2"; exit 3', 'echo new >> "$2"; kill -9 $$'])
def test_when_the_editor_fails_the_text_is_kept_and_said_where(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    taken: list[str] = []
    with pytest.raises(RuleError) as refused:
        editor(tmp_path, monkeypatch, script).edit("old", "card.md", taken.append)
    (kept,) = temporary.iterdir()
    assert (taken, str(kept) in refused.value.hint) == ([], True)
    assert kept.read_text() == "old\nnew\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_text_that_is_refused_is_kept_too(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_text: str) -> None:
        raise NotSaved("the disk is full")

    with pytest.raises(RuleError, match="the disk is full") as refused:
        editor(tmp_path, monkeypatch, 'echo new > "$2"').edit("old", "card.md", full)
    assert "your text is kept in" in refused.value.hint
    assert len(list(temporary.iterdir())) == 1


@pytest.mark.parametrize("told", ["/nowhere/at/all", "'", " "])
def test_without_an_editor_it_is_said_what_would_work(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv("EDITOR", told)
    with pytest.raises(RuleError) as refused:
        UserEditor(here).edit("old", "card.md", lambda _: None)
    assert "set EDITOR" in refused.value.hint
    assert list(temporary.iterdir()) == []


def test_text_that_is_no_utf8_is_refused_and_kept(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuleError, match="UTF-8"):
        editor(tmp_path, monkeypatch, "printf '\\377\\376' > \"$2\"").edit("old", "card.md", lambda _: None)
    assert len(list(temporary.iterdir())) == 1


def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, *lines: str) -> Player:
    return Player(lines=lines, services=Services(editor=editor(tmp_path, monkeypatch, script)))


@pytest.mark.usefixtures("temporary")
def test_a_card_is_written_in_lines_and_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    p = player(tmp_path, monkeypatch, "printf 'Bite: +4.\\n\\nKeen smell.\\n' > \"$2\"", "add Wolf")
    p.press(*lines("card"))
    (wolf,) = p.store.encounter.combatants.values()
    assert wolf.card == "Bite: +4.\n\nKeen smell."
    assert "Keen smell." in p.text()
    p.press("u")
    assert [c.card for c in p.store.encounter.combatants.values()] == [""]


def test_a_card_that_is_too_long_changes_nothing(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = player(tmp_path, monkeypatch, f'head -c {PAGE_LIMIT + 9} /dev/zero | tr "\\0" a > "$2"', "add Wolf")
    before = p.store.step
    p.press(*lines("card"))
    assert p.store.step == before
    path = re.search(r"kept in (\S+)", p.message())
    assert path
    assert os.path.dirname(path[1]) == str(temporary)


@pytest.mark.usefixtures("temporary")
def test_a_line_and_an_order_are_written_on_and_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = player(tmp_path, monkeypatch, 'echo " the door is\nopen" >> "$2"', "add Ana")
    p.press(":", "'note'", "ctrl+x")
    assert p.desk.view.mode.editor.text == "note the door is open"  # type: ignore[union-attr]
    p.press("enter")
    assert p.asked() == ["note the door is open"]


@pytest.mark.usefixtures("temporary")
def test_a_stat_block_is_pasted_there_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    p = player(tmp_path, monkeypatch, "true").press(":", "'import -'", "enter")
    assert p.desk.view.mode is None
    assert "nothing" in p.message() or not p.message()


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

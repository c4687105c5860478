"""The user's settings: whatever is wrong is named with its line, and the rest counts."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

import pytest

from tui.ui.settings.config import called_with, load
from tui.ui.state.commands import COMMANDS, keys_of
from tui.ui.state.settings import Settings


def written(folder: Path, text: str) -> Settings:
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return load(str(folder))


def test_without_a_file_the_defaults(tmp_path: Path) -> None:
    assert load(str(tmp_path)) == Settings()
    assert load(str(tmp_path / "nowhere")) == Settings()


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    found = written(
        tmp_path, 'theme = "light"\nascii = true\nbell = true\n[keys]\nnext = "N"\nnote = ["ctrl+n", "\\""]\n'
    )
    assert found == Settings("light", {"next": ("N",), "note": ("ctrl+n", '"')}, ascii=True, bell=True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("theme = 3", "config.toml, line 1: theme takes"),
        ('\nthem = "x"', "config.toml, line 2: there is no setting them; did you mean theme?"),
        ("bell = 1", "line 1: bell takes true or false"),
        ('[keys]\nnxt = "n"', "line 2: there is no command nxt; did you mean next?"),
        ('[keys]\nnext = "ctrl+a"', "line 2: ctrl+a never arrives"),
        ('[keys]\nnext = "F13"', "line 2: 'F13' is not a key"),
        ('[keys]\nnext = "5"', "digits are counts"),
        ('[keys]\nnext = "y"\nend = "y"', "line 3: y is already given to next"),
        ('keys = "n"', "keys is a table"),
        ("theme = ", "config.toml, line 1"),
        ("[[[[", "config.toml"),
    ],
)
def test_faults_are_named_and_defaults_used(tmp_path: Path, text: str, says: str) -> None:
    found = written(tmp_path, text)
    assert any(says in fault for fault in found.faults), found.faults
    assert found.theme == ""


@pytest.mark.parametrize(
    ("environ", "plain"),
    [
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_CTYPE": "de.utf8", "LANG": "C"}, False),
        ({"LANG": "C.UTF-8", "TERM": "linux"}, True),
    ],
)
def test_signs_are_plain_where_the_terminal_has_no_others(environ: dict[str, str], *, plain: bool) -> None:
    for is_set in (False, True):
        asked = Namespace(ascii=False, a11y=is_set, bell=is_set)
        assert called_with(Settings(), asked, environ) == Settings(ascii=plain, a11y=is_set, bell=is_set)


def test_a_remapped_key_leaves_its_old_command(tmp_path: Path) -> None:
    found = written(tmp_path, '[keys]\nnext = "u"\n')
    keys = keys_of(found.commands).commands
    assert keys["u"].id == "next"
    assert "n" not in keys
    assert all(keys[k].id == c.id for c in COMMANDS for k in c.keys if c.id not in ("next", "undo"))


def test_settings_may_be_a_link_and_nothing_else_that_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").write_text("ascii = true\nwings = 1\n")
    (tmp_path / "config.toml").symlink_to(tmp_path / "dotfiles")
    found = load(str(tmp_path))
    assert found.ascii
    assert found.faults == ("config.toml, line 2: there is no setting wings",)
    (tmp_path / "config.toml").unlink()
    os.mkfifo(tmp_path / "config.toml")
    assert "not a regular file" in load(str(tmp_path)).faults[0]

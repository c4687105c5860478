from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.store.problems import BadFile
from tui.ui.settings.themes import load_themes, read_theme, shipped_folder
from tui.ui.text.palette import ANSI_NAMES, ROLES, TEXT_STYLES

if TYPE_CHECKING:
    from collections.abc import Callable

DARK = (Path(shipped_folder()) / "dark.toml").read_text()


def put(folder: Path, text: str | bytes, name: str = "dark") -> Path:
    path = folder / f"{name}.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    return path


def test_the_shipped_themes_are_read_without_a_fault() -> None:
    themes = load_themes([shipped_folder()])
    assert themes.failed == ()
    assert {"dark", "light", "high-contrast", "colour-blind", "ansi16", "mono"} <= set(themes.loaded)
    for name, palette in themes.loaded.items():
        assert palette.name == name
        assert set(palette.colors) == set(ROLES)
        assert set(palette.colors.values()) <= set(ANSI_NAMES) or not palette.ansi
    assert [themes.loaded[name].ansi for name in ("dark", "ansi16", "mono")] == [False, True, True]


def test_the_users_theme_replaces_ours_and_another_is_added(tmp_path: Path) -> None:
    put(tmp_path, DARK.replace("#ffd75f", "#ffffff"))
    put(tmp_path, DARK.replace('"dark"', '"night"'), "night")
    (tmp_path / "notes.txt").write_text("not a theme")
    themes = load_themes([shipped_folder(), tmp_path])
    assert themes.failed == ()
    assert themes.loaded["dark"].colors["acting"] == "#ffffff"
    assert themes.loaded["night"].colors["acting"] == "#ffd75f"
    assert "light" in themes.loaded


def test_a_bad_theme_is_named_and_the_others_stay(tmp_path: Path) -> None:
    put(tmp_path, DARK.replace("acting =", "actnig ="))
    themes = load_themes([shipped_folder(), tmp_path, tmp_path / "nothing"])
    assert [str(error) for error in themes.failed] == ["dark.toml, line 12: there is no role actnig"]
    assert [error.hint for error in themes.failed] == ["did you mean acting?"]
    assert themes.loaded["dark"].colors["acting"] == "#ffd75f"


def line_of(start: str) -> int:
    return next(number for number, line in enumerate(DARK.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("old", "new", "line", "says", "hint"),
    [
        ("title =", "titel =", "title =", "there is no key of a theme titel", "did you mean title?"),
        ('name = "dark"', 'name = "drak"', "name", 'name is "drak", the file is called dark.toml', "same"),
        ('name = "dark"', "name = 7", "name", "a value is of the wrong kind", "name ="),
        ("dark = true", "dark = 1", "dark =", "a value is of the wrong kind", "dark = true"),
        ("[colors]", "[colours]", "[colors]", "there is no key of a theme colours", "did you mean colors?"),
        ('"#ffd75f"', '"#ffd75"', "acting", "acting = #ffd75 is not a colour", "#rrggbb"),
        ('"#ffd75f"', '"bright-rde"', "acting", "is not a colour", "did you mean bright-red?"),
        ('"#ffd75f"', '"red"', "acting", "acting is not of the background's kind", "all"),
        ('"#ffd75f"', "[1]", "[colors]", "a value is of the wrong kind", "texts in [colors]"),
        ('"#ffd75f"', '"\\u001b[31m"', "acting", "acting = \ufffd[31m is not a colour", "#rrggbb"),
        ('may = "#87d7ff"', "", "[colors]", "no colour for may", "add may"),
        (
            'acting = "bold"',
            'acting = "blod"',
            "[styles]+1",
            "there is no text style blod",
            "did you mean bold?",
        ),
        ('acting = "bold"', 'acting = "dim"', "[styles]+1", "there is no text style dim", "bold, italic"),
        ('acting = "bold"', 'actin = "bold"', "[styles]+1", "there is no role actin", "did you mean acting?"),
        ('acting = "bold"', "acting = true", "[styles]", "a value is of the wrong kind", "[styles]"),
        ('acting = "bold"', 'acting = "bold', "[styles]+1", "", ""),
        ('may = "#87d7ff"', 'acting = "#87d7ff"', "may", "", ""),
    ],
)
def test_a_mistake_is_told_with_its_line_and_the_nearest_name(
    tmp_path: Path, *, old: str, new: str, line: str, says: str, hint: str
) -> None:
    with pytest.raises(BadFile) as bad:
        read_theme(put(tmp_path, DARK.replace(old, new, 1)))
    start, _, more = line.partition("+")
    assert bad.value.line == line_of(start) + int(more or 0)
    assert says in bad.value.message
    assert hint in bad.value.hint
    assert str(bad.value).startswith("dark.toml, line ")


def test_colours_that_are_no_table_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"line 2: a value is of the wrong kind"):
        read_theme(put(tmp_path, 'name = "dark"\ncolors = 3\n'))


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.mkdir(),
        os.mkfifo,
        lambda path: path.write_bytes(b"\xff\xfe"),
        lambda path: path.write_bytes(b"name = " + b"[" * 5000),
        lambda path: path.write_bytes(b"a" + b".a" * 100_000 + b" = 1"),
        lambda path: path.write_bytes(b"#" * 2_000_000),
        lambda path: path.symlink_to(path.parent / "nowhere"),
        lambda path: path.write_bytes(b""),
    ],
)
def test_hostile_files_fail_alone(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "dark.toml")
    themes = load_themes([shipped_folder(), tmp_path])
    assert len(themes.failed) == 1
    assert "dark.toml" in str(themes.failed[0])
    assert themes.loaded["dark"].colors["acting"] == "#ffd75f"


def test_a_folder_that_is_a_file_and_a_folder_of_too_many_are_told(tmp_path: Path) -> None:
    put(tmp_path, DARK)
    assert len(load_themes([tmp_path / "dark.toml"]).failed) == 1
    for number in range(201):
        put(tmp_path, "", f"x{number:03}")
    assert any("too many" in error.message for error in load_themes([tmp_path]).failed)


def test_a_link_to_a_theme_kept_elsewhere_is_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    real = put(tmp_path / "kept", DARK)
    (tmp_path / "dark.toml").symlink_to(real)
    assert read_theme(tmp_path / "dark.toml").name == "dark"


@given(st.data())
def test_any_change_of_a_line_is_read_or_refused_in_one_printable_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    lines = DARK.splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place] = data.draw(
        st.text(max_size=30) | st.sampled_from(["", "[colors]", "[x]", 'text = "#12345"', lines[0]])
    )
    path = put(tmp_path_factory.mktemp("theme"), "\n".join(lines).encode("utf-8", "replace"))
    themes = load_themes([path.parent])
    for error in themes.failed:
        assert str(error).isprintable()
        assert error.hint.isprintable()
        assert "dark.toml" in str(error)
    for palette in themes.loaded.values():
        assert set(palette.colors) == set(ROLES)
        assert {word for words in palette.styles.values() for word in words.split()} <= set(TEXT_STYLES)
    assert len(themes.failed) + len(themes.loaded) == 1

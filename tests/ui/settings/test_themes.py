"""Which theme is shown: asked for, configured, or what the terminal has colours for."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.terminal import tocsin
from tui.core.base.errors import RuleError
from tui.store.problems import BadFile
from tui.ui.settings.themes import Themes, choose, load_themes, read_theme, shipped_folder
from tui.ui.text.palette import ANSI_NAMES, ROLES, TEXT_STYLES
from tui.ui.wire.pens import depth

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


FOUND = load_themes([shipped_folder()])
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)[;m]")


@pytest.mark.parametrize(
    ("asked", "configured", "few", "colourless", "shown", "says"),
    [
        ("", "", False, False, "dark", ""),
        ("light", "dark", False, False, "light", ""),
        ("", "", True, False, "ansi16", ""),
        ("", "light", True, False, "ansi16", "light needs 256 colours"),
        ("dark", "", True, False, "ansi16", "dark needs 256 colours"),
        ("", "", False, True, "mono", ""),
        ("", "light", False, True, "mono", ""),
        ("light", "", False, True, "light", ""),
        ("nope", "", False, False, "dark", "there is no theme nope"),
        ("", "nope", False, True, "mono", ""),
    ],
)
def test_the_theme_that_is_shown(
    asked: str, configured: str, *, few: bool, colourless: bool, shown: str, says: str
) -> None:
    palette, faults = choose(FOUND, asked, configured, is_limited=few, colourless=colourless)
    assert palette.name == shown
    assert len(faults) == bool(says)
    assert says in " ".join(faults)


def test_without_any_theme_it_is_said_what_was_wrong_with_them() -> None:
    with pytest.raises(RuleError, match="no theme"):
        choose(Themes({}, ()), "", "", is_limited=False, colourless=False)
    only = Themes({"light": FOUND.loaded["light"]}, ())
    assert choose(only, "", "", is_limited=False, colourless=True)[0].name == "light"


@pytest.mark.parametrize(
    ("term", "colorterm", "few"),
    [("xterm", "", True), ("linux", "", True), ("xterm-256color", "", False), ("screen", "truecolor", False)],
)
def test_how_many_colours_there_are(term: str, colorterm: str, *, few: bool) -> None:
    assert (depth({"TERM": term, "COLORTERM": colorterm}) == "16") is few


@pytest.mark.long
def test_no_color_is_kept_through_a_lesson_and_back_and_a_theme_asked_for_goes_before_it(
    tmp_path: Path,
) -> None:
    assert Program(tmp_path, "mill").call("new").code == 0
    t = tocsin(tmp_path, "mill", NO_COLOR="1")
    t.wait("No creatures yet")
    t.press(":", ":")
    t.press("tutor\r", "Lesson: the keys")
    t.press("q", "mill")
    t.type("q")
    assert t.end() == 0
    assert not COLOUR.search(t.raw)
    t = tocsin(tmp_path, "mill", "--theme", "light", NO_COLOR="1")
    t.wait("No creatures yet")
    t.type("q")
    assert t.end() == 0
    assert b"48;2;238;238;238" in t.raw or b"48;5;255" in t.raw

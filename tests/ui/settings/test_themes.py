"""Which theme is shown: asked for, configured, or what the terminal has colours for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.terminal import tocsin
from tui.ui.settings.themes import choose, load_themes
from tui.ui.text.palette import ANSI_NAMES, ROLES, TEXT_STYLES
from tui.ui.wire.pens import depth


def test_the_shipped_themes_have_every_role_and_colours_of_one_kind() -> None:
    themes = load_themes()
    assert {"dark", "light", "high-contrast", "colour-blind", "ansi16", "mono"} <= set(themes)
    for name, palette in themes.items():
        assert palette.name == name
        assert set(palette.colors) == set(ROLES)
        assert {colour in ANSI_NAMES for colour in palette.colors.values()} == {palette.ansi}
        assert {word for words in palette.styles.values() for word in words.split()} <= set(TEXT_STYLES)
    assert [themes[name].ansi for name in ("dark", "ansi16", "mono")] == [False, True, True]


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
    palette, faults = choose(asked, configured, is_limited=few, colourless=colourless)
    assert palette.name == shown
    assert len(faults) == bool(says)
    assert says in " ".join(faults)


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

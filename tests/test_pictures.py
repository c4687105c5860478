"""The pictures of the README are what the screen shows: cell by cell, in text and style."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tests.pictures import FOLDER, SHOTS, Shot, take
from tests.pictures.film import FILM, take_film
from tests.pictures.svg import HIGH, MARGIN, WIDE, picture
from tests.samples import NAMES
from tui.ui.settings.themes import load_themes

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
async def test_a_picture_is_what_the_screen_shows(shot: Shot) -> None:
    """After a change of the screen: `python -m tests.pictures`, then look at them."""
    assert await take(shot) == shot.path.read_text(encoding="utf-8")


async def test_the_moving_picture_is_a_fight_that_was_played() -> None:
    assert await take_film() == FILM.read_text(encoding="utf-8")


def test_every_system_and_every_theme_is_shown_and_nothing_else_lies_there() -> None:
    assert {shot.sample for shot in SHOTS} == set(NAMES)
    assert {shot.theme for shot in SHOTS} == set(load_themes())
    assert sorted(FOLDER.glob("*.svg")) == sorted([FILM, *(shot.path for shot in SHOTS)])


def test_every_text_stands_in_its_cells() -> None:
    ink = Style.parse("bold red on blue")
    svg = picture([Strip([Segment("  ab c", ink), Segment("─●─<&>", ink)])], 12, "two <words>")
    root = ET.fromstring(svg)
    found = [(t.get("x"), t.text, t.get("textLength")) for t in root.iter(f"{SVG}text")]
    assert found == [
        (str(x * WIDE), text, str(len(text) * WIDE))
        for x, text in ((2, "ab\u00a0c"), (6, "─"), (7, "●"), (8, "─"), (9, "<&>"))
    ]
    assert root.get("viewBox") == f"0 0 {12 * WIDE + 2 * MARGIN} {HIGH + 2 * MARGIN}"
    assert "font-weight:bold" in svg

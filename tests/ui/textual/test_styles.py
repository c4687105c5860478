from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color as RichColor
from textual.app import App
from textual.color import Color
from textual.widgets import Button, Input, Label, OptionList, Static

import tui.ui
from tui.ui.launch.theming import load_themes, shipped_folder
from tui.ui.state.palette import ROLES, SIDES, Palette, Role, side_role
from tui.ui.textual.styles import css, style, theme, variables

if TYPE_CHECKING:
    from textual.app import ComposeResult

THEMES = load_themes([shipped_folder()]).loaded
NAMES = sorted(THEMES)


class Sampler(App[None]):
    """A screen of stock widgets, with one label in every role."""

    CSS_PATH = Path(tui.ui.__file__).parent / "textual" / "flat.tcss"
    CSS = "".join(
        f"#{role} {{ color: $tocsin-{role}; text-style: $tocsin-{role}-style; background: $tocsin-background; }} "
        for role in ROLES
    )

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.palette = palette
        self.register_theme(theme(palette))
        self.theme = palette.name

    def compose(self) -> ComposeResult:
        yield Static("nothing to see")
        yield Input("typed")
        yield OptionList("one", "two")
        yield Button("go")
        yield from (Label(role, id=role) for role in ROLES)


@pytest.mark.parametrize("name", NAMES)
async def test_textual_takes_every_theme_and_shows_its_roles(name: str) -> None:
    palette = THEMES[name]
    app = Sampler(palette)
    async with app.run_test(size=(60, 50)) as pilot:
        await pilot.pause()
        for role in ROLES:
            label = app.query_one(f"#{role}")
            assert label.styles.color == Color.parse(css(palette, role))
            drawn = label.styles.text_style
            assert all(word in str(drawn) for word in palette.styles.get(role, "none").split())
        assert app.native_ansi_color is palette.ansi


@pytest.mark.parametrize("name", NAMES)
async def test_stock_widgets_lie_on_one_ground(name: str) -> None:
    palette = THEMES[name]
    app = Sampler(palette)
    async with app.run_test(size=(60, 50)) as pilot:
        await pilot.pause()
        found = {
            segment.style.bgcolor
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.bgcolor
        }
    grounds = {style(palette, role).bgcolor for role in ("background", "current")}
    assert {plain(color) for color in found} <= {plain(color) for color in grounds if color}


def plain(color: RichColor) -> tuple[object, ...]:
    """A colour without the name it was asked for by."""
    return color.type, color.number, color.triplet


@given(st.sampled_from(NAMES), st.sampled_from(ROLES), st.booleans())
def test_a_style_names_its_ground_and_its_roles_words(name: str, role: Role, selected: bool) -> None:
    palette = THEMES[name]
    found = style(palette, role, current=selected)
    on_cursor = selected or role in {"current", "current-text"}
    assert found.bgcolor == style(palette, "current" if on_cursor else "background").bgcolor
    assert set(palette.styles.get(role, "").split()) <= set(str(found).split())
    assert found == style(palette, role, current=selected)


def test_a_seventh_side_looks_like_the_first() -> None:
    assert [side_role(number) for number in range(7)] == [*SIDES, "side-1"]


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_is_one_that_textuals_css_can_read(name: str) -> None:
    palette = THEMES[name]
    known = theme(palette).to_color_system().generate() | variables(palette)
    for key, value in variables(palette).items():
        if not key.endswith("style"):
            Color.parse(value)
        assert known[key] == value

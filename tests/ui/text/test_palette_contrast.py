"""Themes measured: contrast by WCAG 2.2, distance by CIE 1976, colour blindness by Machado et al. 2009."""

from __future__ import annotations

import itertools

import pytest
from rich.color import Color, ColorSystem

from tests.rendering.contrast import CONSOLE, XTERM, Linear, contrast, linear, luminance
from tui.ui.settings.themes import load_themes
from tui.ui.text.palette import ROLES, SIDES, Palette, Role

THEMES = load_themes()
TRUE_COLOUR = [palette for palette in THEMES.values() if not palette.ansi]
TEXTS = [role for role in ROLES if role not in {"background", "current", "current-text"}]

GROUPS: list[tuple[Role, ...]] = [
    ("acting", "may", "waits", "acted", "down", "hidden", "alarm"),
    SIDES,
    ("hp-good", "hp-mid", "hp-low"),
    ("ok", "warning", "error"),
]
"""Roles whose difference means something, each among its own kind."""

APART = 20.0
"""Least distance in a group. A just noticeable difference of two patches is 2.3 (Mahy 1994); a thin letter
shows a good deal less of its colour than a patch, so about nine of them are asked for."""

MACHADO = {
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
"""What is left of linear red, green and blue at severity 1.0: Machado et al. (2009), table 1."""


def shown(color: str, ansi: str = "") -> Linear:
    """A theme's colour as light; the terminal's own by the 16 of a palette."""
    if color.startswith("#"):
        return linear(*bytes.fromhex(color[1:]))
    number = Color.parse(color.replace("-", "_")).number
    assert number is not None
    return linear(*bytes.fromhex(ansi.split()[number]))


def lab(light: Linear) -> Linear:
    """CIE L*a*b* under D65."""
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = luminance(light)
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def seen(color: str, viewer: str) -> Linear:
    """A colour as L*a*b* to this viewer."""
    light = shown(color)
    red, green, blue = (
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, light, strict=True)))) for row in MACHADO[viewer]
    )
    return lab((red, green, blue))


def nearest_pair(palette: Palette, group: tuple[Role, ...], viewer: str) -> tuple[float, str, str]:
    """The two roles of a group that look most alike, and their distance."""
    looks = {role: seen(palette.colors[role], viewer) for role in group}
    return min(
        (sum((a - b) ** 2 for a, b in zip(looks[one], looks[two], strict=True)) ** 0.5, one, two)
        for one, two in itertools.combinations(group, 2)
    )


def lights(palette: Palette, ansi: str) -> dict[Role, Linear]:
    return {role: shown(color, ansi) for role, color in palette.colors.items()}


@pytest.mark.parametrize("ansi", [CONSOLE, XTERM], ids=["console", "xterm"])
@pytest.mark.parametrize("name", [name for name in THEMES if name != "mono"])
def test_every_text_stands_out_from_its_ground(name: str, ansi: str) -> None:
    light = lights(THEMES[name], ansi)
    least = 7.0 if name == "high-contrast" else 4.5
    faint = [role for role in TEXTS if contrast(light[role], light["background"]) < least]
    assert faint == []
    assert contrast(light["current-text"], light["current"]) >= least


@pytest.mark.parametrize("ansi", [CONSOLE, XTERM], ids=["console", "xterm"])
@pytest.mark.parametrize("name", [name for name in THEMES if name != "mono"])
def test_the_selected_row_stands_out_from_the_ground(name: str, ansi: str) -> None:
    light = lights(THEMES[name], ansi)
    assert contrast(light["current"], light["background"]) >= 3


def test_mono_has_the_terminals_own_two_colours_and_marks_by_style() -> None:
    mono = THEMES["mono"]
    assert set(mono.colors.values()) == {"default"}
    assert mono.styles["current"] == "reverse"
    assert mono.styles["acting"] != mono.styles.get("waits", "")


@pytest.mark.parametrize("palette", TRUE_COLOUR, ids=lambda palette: palette.name)
def test_a_terminal_of_256_colours_shows_nearly_the_same(palette: Palette) -> None:
    fewer = {
        role: Color.parse(color).downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex
        for role, color in palette.colors.items()
    }
    moved = {color for role, color in palette.colors.items() if fewer[role] != color}
    assert all(len(set(bytes.fromhex(color[1:]))) == 1 for color in moved), "only greys may move, by one step"
    least = 7.0 if palette.name == "high-contrast" else 4.5
    ground = shown(fewer["background"])
    assert [role for role in TEXTS if contrast(shown(fewer[role]), ground) < least] == []
    assert contrast(shown(fewer["current-text"]), shown(fewer["current"])) >= least


@pytest.mark.parametrize("palette", TRUE_COLOUR, ids=lambda palette: palette.name)
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_roles_of_a_kind_are_told_apart(palette: Palette, group: tuple[Role, ...]) -> None:
    assert nearest_pair(palette, group, "none") >= (APART, "", "")


@pytest.mark.parametrize("viewer", ["deuteranopia", "protanopia"])
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_the_colour_blind_theme_keeps_its_roles_apart_without_green_or_red_cones(
    group: tuple[Role, ...], viewer: str
) -> None:
    assert nearest_pair(THEMES["colour-blind"], group, viewer) >= (APART, "", "")


def test_the_simulation_tells_a_theme_that_was_not_made_for_it() -> None:
    assert nearest_pair(THEMES["dark"], SIDES, "deuteranopia")[0] < 5


def test_the_measures_agree_with_published_values() -> None:
    assert contrast(shown("#000000"), shown("#ffffff")) == pytest.approx(21)
    assert contrast(shown("#767676"), shown("#ffffff")) == pytest.approx(4.54, abs=0.01)
    assert lab(shown("#ff0000")) == pytest.approx((53.24, 80.09, 67.20), abs=0.05)
    assert seen("#808080", "deuteranopia") == pytest.approx(lab(shown("#808080")), abs=0.2)

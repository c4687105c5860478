"""Rows become cells: every role in the colours that Rich would give it, every row in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color, ColorSystem
from rich.console import Console

from tui.ui.screen import BITS, RolePens, paint, paint_line
from tui.ui.settings.themes import load_themes
from tui.ui.text.palette import ANSI_NAMES, ROLES, SIDES, TEXT_STYLES, Role, side_role
from tui.ui.text.rows import Box, Row, cells
from tui.ui.wire.pens import PALETTE, Depth, code, depth

THEMES = load_themes()
SYSTEMS: dict[Depth, ColorSystem] = {
    "truecolor": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "16": ColorSystem.STANDARD,
}
hexes = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")
roles: st.SearchStrategy[Role] = st.sampled_from(ROLES)
texts = st.text("ab é漢🐉e\u0301─[", max_size=9)
rows: st.SearchStrategy[Row] = st.lists(st.tuples(texts, roles), max_size=5).map(tuple)


def rich(color: str, colours: Depth, *, ground: bool) -> str:
    """What Rich would send."""
    found = Color.parse(color.replace("bright-", "bright_")).downgrade(SYSTEMS[colours])
    sent = ";".join(found.get_ansi_codes(foreground=not ground))
    return "" if sent in ("39", "49") else sent


@given(hexes, st.booleans())
def test_a_true_colour_is_the_one_that_rich_would_send(color: str, ground: bool) -> None:
    assert code(color, "256", ground=ground) == rich(color, "256", ground=ground)
    red, green, blue = bytes.fromhex(color[1:])
    if (red, green, blue) not in PALETTE:
        assert code(color, "truecolor", ground=ground) == rich(color, "truecolor", ground=ground)


@pytest.mark.parametrize("color", ANSI_NAMES)
@pytest.mark.parametrize("colours", SYSTEMS)
def test_the_terminals_own_colours_are_called_by_their_names(color: str, colours: Depth) -> None:
    for ground in (False, True):
        assert code(color, colours, ground=ground) == rich(color, colours, ground=ground)


def test_the_palette_holds_every_fixed_colour_and_saves_bytes() -> None:
    assert sorted(PALETTE.values()) == list(range(22, 256))
    assert (code("#ffffff", "truecolor", ground=False), code("#080808", "truecolor", ground=True)) == (
        "38;5;231",
        "48;5;232",
    )


def test_with_sixteen_colours_a_true_one_is_the_terminals_own() -> None:
    assert code("#1e1e2e", "16", ground=True) == ""


@pytest.mark.parametrize(
    "environ",
    [
        {"COLORTERM": "truecolor", "TERM": "vt100"},
        {"COLORTERM": "24bit"},
        {"TERM": "xterm-256color"},
        {"TERM": "xterm-kitty"},
        {"TERM": "xterm-16color"},
        {"TERM": "linux"},
        {"TERM": "screen"},
        {},
    ],
)
def test_colours_are_counted_as_rich_counts_them(environ: dict[str, str]) -> None:
    console = Console(force_terminal=True, legacy_windows=False, _environ=environ)
    assert console.color_system == {"truecolor": "truecolor", "256": "256", "16": "standard"}[depth(environ)]


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("colours", SYSTEMS)
def test_every_role_has_a_pen_of_its_colours_and_styles(name: str, colours: Depth) -> None:
    palette = THEMES[name]
    assert set(BITS) == set(TEXT_STYLES)
    for role, pen in RolePens(palette, colours).by_role.items():
        cursor = role in ("current", "current-text")
        front, ground = (
            (palette.colors["current-text"], palette.colors["current"])
            if cursor
            else (palette.colors[role], palette.colors["background"])
        )
        assert pen.fg == code(front, colours, ground=False)
        assert pen.bg == code(ground, colours, ground=True)
        words = {word for word, bit in BITS.items() if pen.attrs & bit}
        assert words >= {*palette.styles.get(role, "").split()}


def test_a_seventh_side_looks_like_the_first() -> None:
    assert [side_role(number) for number in range(7)] == [*SIDES, "side-1"]


PENS = RolePens(THEMES["dark"])
layouts = st.lists(st.tuples(st.integers(0, 12), st.lists(rows, max_size=5)), max_size=4)


@given(st.integers(1, 30), st.integers(1, 6), layouts)
def test_a_picture_is_as_wide_and_as_high_as_the_screen(
    width: int, height: int, picture: list[tuple[int, list[Row]]]
) -> None:
    boxes, drawn, y = {}, {}, 0
    for x, part in picture:
        boxes[f"part {y}"], drawn[f"part {y}"] = Box(x % width, y, width, len(part)), part
        y += max(1, len(part))
    painted_rows = paint(width, height, boxes, drawn, PENS)
    assert len(painted_rows) == height
    assert all(len(row.texts) == len(row.pens) == width for row in painted_rows)


@given(rows, st.integers(0, 10), st.integers(1, 40))
def test_a_row_stands_in_its_columns_and_reaches_no_further(row: Row, x: int, columns: int) -> None:
    line = paint_line(60, [(x, columns, row)], PENS)
    plain = paint_line(60, [(0, 60, row)], PENS)
    used = min(columns, sum(cells(text) for text, _ in row))
    assert line.texts[:x] == [" "] * x
    assert line.texts[x + used :] == [" "] * (60 - x - used)
    # The last column may have lost half a wide character.
    assert line.texts[x : x + used - 1] == plain.texts[: used - 1] if used else True

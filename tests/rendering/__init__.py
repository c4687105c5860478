"""Every sample in every size, depth of colour and theme, through the wire into a strict terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from tests.kit.emulator import Cell, Terminal
from tests.rendering.contrast import CONSOLE, XTERM, contrast, linear
from tests.samples import EXAMPLES, NAMES
from tui.core.fight.encounter import label
from tui.store.opening import open_for_reading
from tui.systems import Registry
from tui.ui.desk.desk import Desk
from tui.ui.screen import RolePens, paint
from tui.ui.settings.themes import choose, load_themes
from tui.ui.state.layout import Part
from tui.ui.state.scene import offer
from tui.ui.text.palette import Palette
from tui.ui.text.rows import Box, Row, cells, words
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.pens import Depth
from tui.ui.wire.wire import Screen

SIZES = ((20, 5), (40, 12), (59, 24), (60, 18), (80, 24), (100, 30), (120, 40), (200, 60))
DEPTHS: dict[str, Depth] = {"truecolor": "truecolor", "256": "256", "16": "16", "mono": "16"}
"""Mono is a terminal under NO_COLOR."""

THEMES = tuple(load_themes())
LEAST = 4.5
RULE = "─"
"""Borders, and the empty end of a bar, are no text."""


class Shown(Struct, frozen=True):
    """What was wrong, in words, and the least contrast of a text on its ground (0.

    The terminal's own colours).
    """

    faults: tuple[str, ...]
    contrast: float


class Drawn(Struct, frozen=True):
    """A sample as the desk draws it: lines by part, and names of whom it waits for."""

    boxes: Mapping[Part, Box]
    lines: Mapping[Part, list[Row]]
    waited: tuple[str, ...]


@cache
def desk_of(sample: str) -> Desk:
    """The desk of a sample."""
    return Desk(open_for_reading(str(EXAMPLES / f"{sample}.toml"), "", Registry()))


@cache
def drawn(sample: str, size: tuple[int, int]) -> Drawn:
    """The sample at this size, before any colour."""
    desk = desk_of(sample)
    boxes = desk.boxes(*size)
    e, open_ = desk.store.encounter, offer(desk.scene)
    keys = [e.acting] if e.turn else [open_.chooser, *(a.who for a in open_.acts)]
    return Drawn(boxes, desk.draw(boxes), tuple(label(e, k) for k in keys if k))


def palette_of(theme: str, depth: str) -> Palette:
    """What is shown at this depth to who has set this theme."""
    return choose("", theme, is_limited=depth in ("16", "mono"), colourless=depth == "mono")[0]


def show(sample: str, size: tuple[int, int], depth: str, theme: str) -> Shown:
    """One picture, and what is wrong with it. Raises what the terminal refuses."""
    found = drawn(sample, size)
    terminal = _through_the_wire(found, size, depth, theme)
    text = re.sub(r"\s+", " ", " ".join(terminal.lines_of_text()))
    faults = [*_too_wide(found), *_lost(found, terminal)]
    if not any(name.lower() in text.lower() for name in found.waited):
        faults.append(f"nobody says whose turn it is: {found.waited}")
    least = min(_contrasts(terminal), default=0.0)
    if 0 < least < LEAST:
        faults.append(f"a text stands {least:.1f}:1 on its ground")
    return Shown(tuple(faults), least)


def _through_the_wire(found: Drawn, size: tuple[int, int], depth: str, theme: str) -> Terminal:
    width, height = size
    pens = RolePens(palette_of(theme, depth), DEPTHS[depth])
    rows = paint(width, height, found.boxes, found.lines, pens)
    terminal = Terminal(width, height)
    terminal.feed(Screen().frame(rows, Abilities(erases_in_colour=True)))
    return terminal


def _too_wide(found: Drawn) -> Iterable[str]:
    for part, lines in found.lines.items():
        box = found.boxes[part]
        if len(lines) > box.height:
            yield f"{part} has {len(lines)} lines in {box.height}"
        yield from (f"{part}: {words(x)!r} is too wide" for x in lines if cells(words(x)) > box.width)


def _lost(found: Drawn, terminal: Terminal) -> Iterable[str]:
    """What the desk has drawn is what the terminal shows."""
    shown = terminal.lines_of_text()
    for part, lines in found.lines.items():
        box = found.boxes[part]
        for y, line in enumerate(lines):
            there = shown[box.y + y][box.x : box.x + box.width]
            if there.rstrip() != words(line).rstrip():
                yield f"{part}: {there!r} instead of {words(line)!r}"


def _contrasts(terminal: Terminal) -> Iterable[float]:
    """The contrast of every pair of colours that a text is shown in, with the worse of two palettes."""
    pairs = {
        pair
        for row in terminal.buffer.values()
        for cell in row.values()
        if cell.data.strip() and cell.data != RULE and all(pair := _pair(cell))
    }
    for front, back in pairs:
        yield min(contrast(_light(front, ansi), _light(back, ansi)) for ansi in (CONSOLE, XTERM))


def _pair(cell: Cell) -> tuple[str, str]:
    return (cell.bg, cell.fg) if "reverse" in cell.attrs else (cell.fg, cell.bg)


@cache
def _light(color: str, ansi: str) -> tuple[float, float, float]:
    """A colour as the emulator names it: six digits, or # and a number of the sixteen."""
    digits = ansi.split()[int(color[1:])] if color.startswith("#") else color
    return linear(*bytes.fromhex(digits))


def table(samples: Iterable[str] = NAMES) -> dict[tuple[str, str], dict[tuple[int, int], Shown]]:
    """By theme and depth, by size: all faults of all samples, and the least contrast."""
    found: dict[tuple[str, str], dict[tuple[int, int], Shown]] = {}
    for theme in THEMES:
        for depth in DEPTHS:
            row = found.setdefault((theme, depth), {})
            for size in SIZES:
                all_ = [show(sample, size, depth, theme) for sample in samples]
                least = [one.contrast for one in all_ if one.contrast]
                row[size] = Shown(tuple(f for one in all_ for f in one.faults), min(least, default=0.0))
    return found

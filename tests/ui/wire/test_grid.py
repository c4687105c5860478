"""The law of the wire: whatever is drawn, the terminal shows what stock output would have shown."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.color import Color
from textual.filter import Monochrome
from textual.geometry import Region
from textual.strip import Strip

from tests.kit.emulator import Terminal
from tests.kit.tiers import cases
from tests.ui.wire.painter import Painter, Pens, Picture
from tests.ui.wire.strategies import AGREED, DISPUTED, Size, chops, edited, layouts, scrolled, sizes
from tui.ui.wire.abilities import Abilities
from tui.ui.wire.grid import doubtful
from tui.ui.wire.wire import Screen

if TYPE_CHECKING:
    from collections.abc import Callable

DEPTHS = [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD]
NAMES: dict[ColorSystem, Literal["truecolor", "256", "standard"]] = {
    ColorSystem.TRUECOLOR: "truecolor",
    ColorSystem.EIGHT_BIT: "256",
    ColorSystem.STANDARD: "standard",
}

abilities = st.builds(
    Abilities, *[st.booleans()] * 3, synchronizes=st.just(value=False), linefeed=st.booleans()
)


def forget_codes(update: LayoutUpdate | ChopsUpdate) -> None:
    """Rich keeps a style's codes for the first depth it was drawn in; here a style is drawn in several."""
    lines = update.strips if isinstance(update, LayoutUpdate) else [line.values() for line in update.chops]
    for strip in (strip for line in lines for strip in line if strip is not None):
        strip._render_cache = None
        strip._crop_cache.clear()
        for _, style, _ in strip:
            if style is not None:
                style._ansi = None


class Pair:
    """One terminal drawn by Textual itself, one by the wire."""

    def __init__(
        self, size: Size, can: Abilities, depth: ColorSystem, skew: Callable[[str], int] | None = None
    ) -> None:
        self.can, self.painter = can, Painter(Pens(depth))
        self.console = Console(color_system=NAMES[depth], force_terminal=True, legacy_windows=False)
        self.screen = Screen()
        self.resize(size, skew)

    def resize(self, size: Size, skew: Callable[[str], int] | None = None) -> None:
        bce = self.can.erases_in_colour
        self.stock = Terminal(size.width, size.height)
        self.frugal = Terminal(size.width, size.height, erases_in_colour=bce, skew=skew)
        self.frugal.draw("~" * size.width)  # what was there before is not to shine through
        self.frugal.cursor_position()
        self.picture = Picture(size.width, size.height)
        self.screen.forget()

    def show(self, update: LayoutUpdate | ChopsUpdate) -> str:
        forget_codes(update)
        self.stock.feed(update.render_segments(self.console) + "\x1b[H")
        self.painter.paint(self.picture, update)
        frame = self.screen.frame(self.picture.taken(), self.can)
        self.frugal.feed(frame)
        return frame

    def agree(self) -> None:
        assert self.frugal.cells() == self.stock.cells()


anything = (st.data(), sizes, abilities, st.sampled_from(DEPTHS))


@cases(60)
@given(*anything)
def test_every_screen_equals_that_of_stock_output(
    data: st.DataObject, size: Size, can: Abilities, depth: ColorSystem
) -> None:
    """Draw a screen, change it in every way there is, and compare after each."""
    pair = Pair(size, can, depth)
    update = data.draw(layouts(size))
    pair.show(update)
    pair.agree()
    for _ in range(data.draw(st.integers(0, 6))):
        match data.draw(st.sampled_from(["chops", "scroll", "edit", "layout", "resize", "forget"])):
            case "chops":
                pair.show(data.draw(chops(size)))
            case "scroll":
                update = data.draw(scrolled(size, update))
                pair.show(update)
            case "edit":
                update = data.draw(edited(size, update))
                pair.show(update)
            case "layout":
                update = data.draw(layouts(size))
                pair.show(update)
            case "resize":
                size = data.draw(sizes)
                pair.resize(size)
                update = data.draw(layouts(size))
                pair.show(update)
            case "forget":
                pair.screen.forget(astray=data.draw(st.booleans()))
                pair.show(data.draw(chops(size)))
        pair.agree()


@cases(50)
@given(st.data(), sizes, abilities)
def test_nothing_is_sent_when_nothing_has_changed(data: st.DataObject, size: Size, can: Abilities) -> None:
    pair = Pair(size, can, ColorSystem.TRUECOLOR)
    update = data.draw(layouts(size))
    pair.show(update)
    assert pair.show(update) == ""


@cases(50)
@given(st.data(), sizes, abilities, st.integers(0, 3))
def test_a_disputed_width_spoils_no_other_cell(
    data: st.DataObject, size: Size, can: Abilities, off: int
) -> None:
    def skew(cluster: str) -> int:
        return off if doubtful(cluster) else cell_len(cluster)

    pair = Pair(size, can, ColorSystem.TRUECOLOR, skew)
    clusters = [*AGREED, *DISPUTED]
    for update in (data.draw(layouts(size, clusters)), *(data.draw(chops(size, clusters)) for _ in range(3))):
        pair.painter.paint(pair.picture, update)
        pair.frugal.feed(pair.screen.frame(pair.picture.taken(), can))
        for y, row in enumerate(pair.picture.rows):
            exempt = {
                x + i
                for x, text in enumerate(row.texts)
                if text and doubtful(text)
                for i in range(cell_len(text))
            }
            shown = [pair.frugal.buffer[y][x].data for x in range(size.width) if x not in exempt]
            assert shown == [text for x, text in enumerate(row.texts) if x not in exempt]


@cases(50)
@given(st.data(), sizes)
def test_no_color_agrees_too(data: st.DataObject, size: Size) -> None:
    """NO_COLOR is a filter of Textual's over the strips, before either output sees them."""
    update = data.draw(layouts(size))
    styled = [
        [Strip([Segment(text, style or Style()) for text, style, _ in strip]) for strip in line]
        for line in update.strips
    ]
    grey = [[strip.apply_filter(Monochrome(), Color(0, 0, 0)) for strip in line] for line in styled]
    pair = Pair(size, Abilities(erases_in_colour=True), ColorSystem.TRUECOLOR)
    pair.show(LayoutUpdate(grey, update.region))  # type: ignore[arg-type]
    pair.agree()


@pytest.mark.parametrize("width", [1, 2, 80])
def test_a_screen_of_blanks_costs_a_wipe(width: int) -> None:
    pair = Pair(Size(width, 4), Abilities(), ColorSystem.TRUECOLOR)
    pair.screen.forget()
    pair.picture = Picture(width, 4)
    assert pair.screen.frame(pair.picture.taken(), pair.can) == "\x1b[m\x1b[H\x1b[J"


@pytest.mark.parametrize("colour", [True, False])
def test_a_coloured_end_of_a_line_stays_coloured(colour: bool) -> None:
    pair = Pair(Size(40, 1), Abilities(erases_in_colour=colour), ColorSystem.TRUECOLOR)
    for style in (Style(), Style(bgcolor="blue"), Style()):
        strip = Strip([Segment("Ana acts"), Segment(" " * 32, style)])
        pair.show(LayoutUpdate([[strip]], Region(0, 0, 40, 1)))
        pair.agree()


def test_memory_does_not_grow_with_frames() -> None:
    pair = Pair(Size(40, 5), Abilities(erases_in_colour=True, scrolls=True), ColorSystem.TRUECOLOR)
    picture = [
        LayoutUpdate(
            [[Strip([Segment(f"turn {n} of {y}".ljust(40))])] for y in range(5)], Region(0, 0, 40, 5)
        )
        for n in range(4)
    ]

    def play(rounds: int) -> int:
        for _ in range(rounds):
            for update in picture:
                pair.painter.paint(pair.picture, update)
                pair.screen.frame(pair.picture.taken(), pair.can)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    before = play(20)
    after = play(150)
    tracemalloc.stop()
    assert after - before < 10_000

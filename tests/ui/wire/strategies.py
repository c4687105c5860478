"""Random screens: rows of styled text, cut and updated the way Textual's compositor does it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from hypothesis import strategies as st
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

AGREED = [*"abcXYZ019", *" " * 12, "─", "█", "é", "e\u0301", "漢", "字", "🐉", "한", *"────", *"####"]
"""Clusters whose width nobody disputes."""

DISPUTED = ["❤\ufe0f", "👩\u200d🚀", "🇩", "👍🏽", "ก", "न", "ﷺ"]

COLOURS = [
    None,
    "default",
    "red",
    "bright_blue",
    "color(46)",
    "color(200)",
    "#ffffff",
    "#1e1e2e",
    "#87afd7",
    "#080808",
]

colours = st.sampled_from(COLOURS).map(lambda name: None if name is None else Color.parse(name))


@st.composite
def styles(draw: st.DrawFn) -> Style | None:
    """A Rich style: few colours, any attributes, sometimes none at all."""
    if draw(st.integers(0, 4)) == 0:
        return None
    names = (
        "bold", "dim", "italic", "underline", "blink", "reverse", "strike", "underline2", "overline",
        "conceal",
    )  # fmt: skip
    flags = draw(st.sets(st.sampled_from(names), max_size=2)) if draw(st.booleans()) else set()
    return Style.from_color(draw(colours), draw(colours)) + Style.parse(" ".join(sorted(flags)))


@st.composite
def strips(draw: st.DrawFn, width: int, clusters: list[str]) -> Strip:
    """A strip exactly `width` columns wide."""
    segments: list[Segment] = []
    left = width
    while left > 0:
        style = draw(styles())
        if draw(st.booleans()):
            text = draw(st.sampled_from(clusters)) * draw(st.integers(1, left))
        else:
            text = "".join(draw(st.lists(st.sampled_from(clusters), min_size=1, max_size=left)))
        strip = Strip([Segment(text, style)])
        if strip.cell_length > left:
            strip = strip.crop(0, left)
        segments += list(strip)
        left -= strip.cell_length
    return Strip(segments, width)


@dataclass(frozen=True)
class Size:
    width: int
    height: int


sizes = st.builds(Size, st.integers(1, 24) | st.just(60), st.integers(1, 6))


@st.composite
def layouts(draw: st.DrawFn, size: Size, clusters: list[str] = AGREED) -> LayoutUpdate:
    """A full update."""
    rows = [[draw(strips(size.width, clusters))] for _ in range(size.height)]
    return LayoutUpdate(rows, Region(0, 0, size.width, size.height))  # type: ignore[arg-type]


@st.composite
def chops(draw: st.DrawFn, size: Size, clusters: list[str] = AGREED) -> ChopsUpdate:
    """A partial update: every line cut at random, some chops missing, a few spans painted.

    Spans of whole lines, or spans that cut chops; then without marks, which Rich drops where it crops.
    """
    whole = draw(st.booleans())
    clusters = clusters if whole else [cluster for cluster in clusters if len(cluster) == 1]
    lines: list[dict[int, Strip | None]] = []
    ends: list[list[int]] = []
    for _ in range(size.height):
        cuts = sorted({0, size.width, *draw(st.sets(st.integers(1, size.width), max_size=2))})
        pairs = list(pairwise(cuts))
        lines.append({x: draw(st.none() | strips(end - x, clusters)) for x, end in pairs})
        ends.append(cuts[1:])
    rows = draw(st.sets(st.integers(0, size.height - 1), min_size=1))
    spans = []
    for y in sorted(rows):
        left = 0 if whole else draw(st.integers(0, size.width - 1))
        spans.append((y, left, size.width if whole else draw(st.integers(left + 1, size.width))))
    return ChopsUpdate(lines, spans, ends)


@st.composite
def scrolled(draw: st.DrawFn, size: Size, before: LayoutUpdate, clusters: list[str] = AGREED) -> LayoutUpdate:
    """A full update that moves a block of an earlier one up or down."""
    rows = [list(line) for line in before.strips]
    top = draw(st.integers(0, size.height - 1))
    bottom = draw(st.integers(top, size.height - 1))
    by = draw(st.integers(1, bottom - top + 1))
    fresh = [[draw(strips(size.width, clusters))] for _ in range(by)]
    block = rows[top : bottom + 1]
    moved = block[by:] + fresh if draw(st.booleans()) else fresh + block[: len(block) - by]
    return LayoutUpdate([*rows[:top], *moved, *rows[bottom + 1 :]], Region(0, 0, size.width, size.height))


@st.composite
def edited(draw: st.DrawFn, size: Size, before: LayoutUpdate, clusters: list[str] = AGREED) -> LayoutUpdate:
    """A full update in which, on some lines, text was put in or taken out and the rest moved along."""
    rows = [Strip.join(list(line)) for line in before.strips]
    for y in draw(st.sets(st.integers(0, size.height - 1), min_size=1)):
        start = draw(st.integers(0, size.width))
        end = draw(st.integers(start, size.width))
        fresh = draw(st.integers(0, size.width - start))
        middle = [draw(strips(fresh, clusters))] if fresh else []
        parts = [rows[y].crop(0, start), *middle, rows[y].crop(end, size.width)]
        rows[y] = Strip.join(parts).adjust_cell_length(size.width)
    return LayoutUpdate([[row] for row in rows], Region(0, 0, size.width, size.height))

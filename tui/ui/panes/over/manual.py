"""The help, whole or searched: keys, words and rules with their parts."""

from __future__ import annotations

from tui.ui.panes.titles import heading
from tui.ui.state.columns import cells
from tui.ui.state.finder.manual import Explained, Manual
from tui.ui.state.rows import Row, clip, column, filled, wrapped
from tui.ui.state.scene import Scene

HEAD = 18
"""Columns for what is explained, at the most."""

MOST = 3
"""Rows that an entry takes when the cursor is elsewhere; Enter opens it whole."""


def manual_page(scene: Scene, manual: Manual, width: int, height: int) -> list[Row]:
    """The entries around the current one, each part with its title."""
    shown = manual.shown
    at = min(manual.at, len(shown) - 1)
    span = f"{at + 1} of {len(shown)} in keys, words, rules" if shown else "nothing has these letters"
    head = heading(scene, f"Help: {manual.typed}_", width, span)
    room = max(0, height - 1)
    rows, first, last = _around(scene, shown, at, (width, room))
    top = max(0, min(first, last - room)) if last > room else 0
    return filled([head, *rows[top : top + room]], height)


def _around(
    scene: Scene, shown: tuple[Explained, ...], at: int, size: tuple[int, int]
) -> tuple[list[Row], int, int]:
    """Rows of the entries near the current one, and between which of them it stands."""
    width, room = size
    wide = max((min(HEAD, cells(e.head)) for e in shown), default=0)
    begin = max(0, at - room)  # what cannot be seen is not laid out
    rows: list[Row] = []
    first = last = 0
    for number, entry in enumerate(shown[begin : at + room + 1], begin):
        start = len(rows)
        if number == begin or shown[number - 1].part != entry.part:
            rows.append(clip(((f" {entry.part}", "title"),), width, scene.glyphs.ellipsis))
        rows += _entry(scene, entry, width, wide, here=number == at)
        if number == at:
            first, last = start, len(rows)
    return rows, max(0, min(first, last - room // 2)), last


def _entry(scene: Scene, entry: Explained, width: int, wide: int, *, here: bool) -> list[Row]:
    ellipsis = scene.glyphs.ellipsis
    texts = wrapped(entry.text, max(10, width - wide - 4))
    texts = [*texts[: MOST - 1], " ".join(texts[MOST - 1 :])] if len(texts) > MOST else texts
    mark = scene.glyphs.cursor if here else " "
    rows: list[Row] = []
    for number, text in enumerate(texts or [""]):
        name = column(entry.head if not number else "", wide, "key" if here else "hint", ellipsis)
        rows.append(
            clip(
                ((mark if not number else " ", "focus"), (" ", "text"), name, (f" {text}", "text")),
                width,
                ellipsis,
            )
        )
    return rows

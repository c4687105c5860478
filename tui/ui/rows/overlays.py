"""Show what lies over the panes: palette, help, a step of the log, and texts to read."""

from __future__ import annotations

from tui.ui.rows.creatures import heading
from tui.ui.state.scene import Scene, page
from tui.ui.state.view import Explained, Item, Manual, Menu, Page, StepPage
from tui.ui.text.rows import Piece, Row, cells, clip, column, filled, joined, paragraphs, scrolled, wrapped

BENEATH = 3
"""Rows for what the current line would do, at the most; and a blank one above them."""

LEAST = 6
"""Rows from which on there is room for that."""

LINE = 26
"""Columns for lines, at the most."""


def finder(scene: Scene, menu: Menu, width: int, height: int) -> list[Row]:
    """Return the title and as many items as fit into `height` rows."""
    shown = menu.shown
    at = min(menu.at, len(shown) - 1)
    lines = _finder_preview(shown[at], width) if shown and height >= LEAST else []
    room = max(0, height - 1 - len(lines))
    first = page(max(0, at), room, len(shown))
    few = shown[first : first + room]
    span = (
        f"{first + 1}{scene.glyphs.range}{first + len(few)} of {len(shown)}, best first"
        if shown
        else "nothing has these letters"
    )
    head = heading(scene, f"{menu.title}: {menu.typed}_", width, span)
    wide = min(LINE, max((cells(i.label or i.line) for i in shown), default=0), width // 3)
    keyed = max((cells(i.key) for i in shown), default=0)
    rows = [
        _item(scene, i, focused=n == at, wide=(keyed, wide), width=width) for n, i in enumerate(few, first)
    ]
    return filled(
        [head, *filled(rows, room), *(clip(r, width, scene.glyphs.ellipsis) for r in lines)], height
    )


def _item(scene: Scene, item: Item, *, focused: bool, wide: tuple[int, int], width: int) -> Row:
    ellipsis = scene.glyphs.ellipsis
    line: list[Piece] = [
        (scene.glyphs.cursor if focused else " ", "focus"),
        (" ", "text"),
        column(item.key, wide[0], "key", ellipsis),
        column(
            item.label or item.line,
            wide[1],
            "muted" if item.why_not else "title" if focused else "text",
            ellipsis,
        ),
        (f" now {item.note} " if item.note else "", "hint"),
        (f" {item.text}", "muted" if item.why_not else "text"),
        (f"  not now: {item.why_not}" if item.why_not else "", "warning"),
    ]
    return clip(line, width, ellipsis)


def _finder_preview(item: Item, width: int) -> list[Row]:
    """Return what it would do, or why it cannot be done."""
    text = f"Not now: {item.why_not}" if item.why_not else item.preview
    rows = joined(wrapped(text, width - 4), BENEATH) if text else []
    return [(), *(((f"   {row}", "warning" if item.why_not else "hint"),) for row in rows)] if rows else []


HEAD = 18
"""Columns for what is explained, at the most."""

MOST = 3
"""Rows that an entry takes when the cursor is elsewhere; Enter opens it whole."""


def manual_page(scene: Scene, manual: Manual, width: int, height: int) -> list[Row]:
    """Return the entries around the current one, each part with its title."""
    shown = manual.shown
    at = min(manual.at, len(shown) - 1)
    span = (
        f"{at + 1} of {len(shown)} in keys, words, rules, chapters" if shown else "nothing has these letters"
    )
    head = heading(scene, f"Help: {manual.typed}_", width, span)
    room = max(0, height - 1)
    rows, first, last = _around(scene, shown, at, (width, room))
    top = max(0, min(first, last - room)) if last > room else 0
    return filled([head, *rows[top : top + room]], height)


def _around(
    scene: Scene, shown: tuple[Explained, ...], at: int, size: tuple[int, int]
) -> tuple[list[Row], int, int]:
    """Return rows of the entries near the current one, and between which of them it stands."""
    width, room = size
    wide = max((min(HEAD, cells(e.head)) for e in shown), default=0)
    begin = max(0, at - room)  # what cannot be seen is not laid out
    rows: list[Row] = []
    first = last = 0
    for number, entry in enumerate(shown[begin : at + room + 1], begin):
        start = len(rows)
        if number == begin or shown[number - 1].part != entry.part:
            rows.append(clip(((f" {entry.part}", "title"),), width, scene.glyphs.ellipsis))
        rows += _entry(scene, entry, width, wide, focused=number == at)
        if number == at:
            first, last = start, len(rows)
    return rows, max(0, min(first, last - room // 2)), last


def _entry(scene: Scene, entry: Explained, width: int, wide: int, *, focused: bool) -> list[Row]:
    ellipsis = scene.glyphs.ellipsis
    texts = joined(wrapped(entry.text, max(10, width - wide - 4)), MOST)
    mark = scene.glyphs.cursor if focused else " "
    rows: list[Row] = []
    for number, text in enumerate(texts or [""]):
        name = column(entry.head if not number else "", wide, "key" if focused else "hint", ellipsis)
        rows.append(
            clip(
                ((mark if not number else " ", "focus"), (" ", "text"), name, (f" {text}", "text")),
                width,
                ellipsis,
            )
        )
    return rows


def step_page(scene: Scene, reading: StepPage, width: int, height: int) -> list[Row]:
    """Return the title, the messages, and the lines that travelling there would undo or bring back."""
    rows: list[Row] = [((f" {row}", "text"),) for text in reading.texts for row in wrapped(text, width - 2)]
    if reading.after:
        rows += [(), ((f" {price(scene, reading)}:", "warning"),)]
        rows += [((f"  {line}", "muted"),) for line in reading.after]
    return scrolled(scene.glyphs, reading.title, rows, reading.top, width, height)


def reader(scene: Scene, width: int, height: int) -> list[Row]:
    """Return the title and the lines from `top` on, long ones wrapped."""
    mode = scene.view.mode
    if not isinstance(mode, Page):
        return filled([], height)
    rows: list[Row] = [((f" {row}", "text"),) for row in paragraphs(mode.text, width - 2)]
    return scrolled(scene.glyphs, mode.title, rows, mode.top, width, height)


def price(scene: Scene, reading: StepPage) -> str:
    """Return what travelling to the step that is read costs: `going back here undoes 6 steps`."""
    steps = abs(scene.step - reading.step)
    many = f"{steps} step{'s' * (steps != 1)}"
    return (
        f"going back here undoes {many}"
        if reading.step < scene.step
        else f"going on to here brings back {many}"
    )

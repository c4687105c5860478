"""The rows of a list in a form: ticked or not, with a number each, and what is said of it."""

from __future__ import annotations

from tui.core.fight.agenda import Field
from tui.core.fight.encounter import label
from tui.ui.state.columns import cells
from tui.ui.state.filling import Stop, beside_of, editor_of, ticked
from tui.ui.state.rows import Piece, Row, clip, words
from tui.ui.state.scene import Scene
from tui.ui.state.typing.rows import typed_line
from tui.ui.state.view import Form

AMOUNT = 4
"""Columns for the number in a row."""


def wide_of(scene: Scene, field: Field, width: int) -> int:
    """Columns for the names in a list."""
    longest = max((cells(label(scene.encounter, key)) for key in field.choices), default=0)
    return min(longest, max(8, width // 2))


def list_head(field: Field, wide: int) -> Row:
    """The title over a list, and that of its numbers."""
    room = wide + 7 + AMOUNT
    title: Piece = (f"   {field.title}", "hint")
    told = f"{field.help:>{max(0, room - len(field.title)) + AMOUNT}}"
    return (title, (told, "hint")) if field.help else (title,)


def listed(scene: Scene, form: Form, stop: Stop, width: int, *, here: bool) -> Row:
    """A row of a list: whether it is ticked, its name, its number, and what is said of it."""
    on = stop.row in ticked(form, stop.field)
    name = label(scene.encounter, stop.row)
    wide = wide_of(scene, stop.field, width)
    shown = clip(((name, "text"),), wide, scene.glyphs.ellipsis)
    gap: Piece = (" " * (wide - cells(words(shown)) + 1), "text")
    tick = f"[{scene.glyphs.chosen if on else ' '}]"
    row: Row = (
        (scene.glyphs.cursor if here else " ", "focus"),
        ("  ", "text"),
        (tick, "selected" if on else "muted"),
        (" ", "text"),
        *shown,
        gap,
    )
    told = beside_of(scene, form).get(stop.row, "")
    said: Row = ((f"  {told}", "hint"),) if told else ()
    if stop.number is None:
        return (*row, *said)
    text = form.texts.get(stop.number.key, "")
    if here:
        typed = typed_line(editor_of(form, stop.number), AMOUNT + 1)
        fill: Piece = (" " * max(0, AMOUNT + 1 - cells(words(typed))), "text")
        return (*row, fill, *typed, *said)
    number: Piece = (f"{text or '-':>{AMOUNT}} ", "text" if text else "muted")
    return (*row, number, *said)

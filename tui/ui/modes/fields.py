"""Show a form over the whole width: fields, lists to tick, and a preview."""

from __future__ import annotations

from tui.core.fight.agenda import Field, FormAsk
from tui.core.fight.encounter import label
from tui.ui.panes.creatures import held_words
from tui.ui.state import filling
from tui.ui.state.filling import (
    FormTexts,
    Stop,
    ask_of,
    fields_of,
    notes_of,
    preview_of,
    stops_of,
    ticked_rows,
    written_text,
)
from tui.ui.state.scene import Scene, creatures, due, is_sealed, row_name
from tui.ui.text.editor import typed_line
from tui.ui.text.form import FormBody, FormStyle, field_rows, form_rows, message_rows
from tui.ui.text.held import points
from tui.ui.text.rows import Piece, Row, cells, clip, pad_rows, words

AMOUNT_WIDTH = 4
"""The columns for the number in a list's row."""


def measure_names(scene: Scene, field: Field, width: int) -> int:
    """Return the width of the names in a list, in columns."""
    longest = max((cells(label(scene.encounter, key)) for key in field.choices), default=0)
    return min(longest, max(8, width // 2))


def list_head(field: Field, wide: int) -> Row:
    """Return the title over a list, and the heading of its numbers."""
    room = wide + 7 + AMOUNT_WIDTH
    title: Piece = (f"   {field.title}", "hint")
    # The first word is above the numbers; the rest follows to the right.
    first, _, rest = field.help.partition(" ")
    text = f" {first:>{max(0, room - len(field.title)) + AMOUNT_WIDTH - 1}} {rest}"
    return (title, (text, "hint")) if field.help else (title,)


def list_row(scene: Scene, form: FormTexts, stop: Stop, width: int, *, focused: bool) -> Row:
    """Return a row of a list: tick, name, number, note."""
    on = stop.row in ticked_rows(form, stop.field)
    name = label(scene.encounter, stop.row)
    wide = measure_names(scene, stop.field, width)
    shown = clip(((name, "text"),), wide, scene.glyphs.ellipsis)
    gap: Piece = (" " * (wide - cells(words(shown)) + 1), "text")
    tick = f"[{scene.glyphs.chosen if on else ' '}]"
    row: Row = (
        (scene.glyphs.cursor if focused else " ", "focus"),
        ("  ", "text"),
        (tick, "selected" if on else "muted"),
        (" ", "text"),
        *shown,
        gap,
    )
    line = notes_of(scene, form).get(stop.row, "")
    note: Row = ((f"  {line}", "hint"),) if line else ()
    if stop.number is None:
        return (*row, *note)
    text = form.texts.get(stop.number.key, "")
    if focused:
        editor = form.editor(stop.number.key)
        typed = typed_line(editor, AMOUNT_WIDTH + 1)
        # The cursor is after the number, or on it: the number stays in its column.
        is_at_end = editor.at >= len(editor.text)
        fill: Piece = (" " * max(0, AMOUNT_WIDTH + is_at_end - cells(words(typed))), "text")
        return (*row, fill, *typed, (" " * (not is_at_end), "text"), *note)
    number: Piece = (f"{text or '-':>{AMOUNT_WIDTH}} ", "text" if text else "muted")
    return (*row, number, *note)


def form_rows_of(scene: Scene, form: FormTexts, width: int, height: int) -> list[Row]:
    """Return the title, the fields around the cursor, and the preview below them."""
    style = _style(scene, form, width)
    body, rows = _body(scene, form, style), _message_rows(scene, form, style)
    about = "" if form.verb else _writer(scene, form.who)
    return pad_rows(form_rows(body, rows, form_title(scene, form), style, height, about), height)


def _writer(scene: Scene, key: str) -> str:
    """Return owners, hit points and conditions of the creatures whose order is being written."""
    people = [c for c in creatures(scene, key) if not c.out]
    owners = dict.fromkeys(c.owner for c in people if c.owner)
    states = [words for words, _ in held_words(scene, people)]
    return scene.glyphs.joint.join(filter(None, [*owners, points(people, scene.glyphs)[0], " ".join(states)]))


def _style(scene: Scene, form: FormTexts, width: int) -> FormStyle:
    titles = (cells(f.title) for f in fields_of(scene, form) or () if not f.row and f.kind != "list")
    return FormStyle(
        scene.glyphs, width, max(titles, default=0), must_hide_texts(scene, form), has_marks=not form.verb
    )


def form_need(scene: Scene, form: FormTexts, width: int) -> int:
    """Return the number of rows that the form can use."""
    style = _style(scene, form, width)
    return 1 + len(_body(scene, form, style).rows) + max(1, len(_message_rows(scene, form, style)))


def form_title(scene: Scene, form: FormTexts) -> str:
    """Return the title of a form.

    An order's title has the row's name and how many more are owed; a verb's has the verb and its help.
    """
    if form.verb == filling.AREA:
        return filling.TITLE
    if form.verb:
        verb = next((v for v in scene.system.verbs if v.name == form.verb), None)
        return f"{form.verb}: {verb.help}" if verb else form.verb
    if ask_of(scene, form.who) is None:
        rewritten = ", rewritten" if written_text(scene, form.who) else ""
        return f"Order: {label(scene.encounter, form.who)}{rewritten}"
    rest = sum(isinstance(a, FormAsk) for a in due(scene)) - 1
    return f"Order: {label(scene.encounter, form.who)}" + (f", {rest} more to come" if rest > 0 else "")


def _message_rows(scene: Scene, form: FormTexts, style: FormStyle) -> list[Row]:
    """Return errors, warnings and notes of the preview, wrapped; an error in the notice is left out."""
    if fields_of(scene, form) is None:
        return []
    preview, notice = preview_of(scene, form), scene.view.notice
    is_said = notice is not None and notice.text in preview.errors[:1]
    return message_rows(preview.refusals[is_said:], preview.doubts, preview.notes, style)


def _body(scene: Scene, form: FormTexts, style: FormStyle) -> FormBody:
    fields = fields_of(scene, form)
    if fields is None:
        return FormBody([(("Nothing is owed any more", "muted"),)])
    body, stops = FormBody([]), stops_of(fields)
    for i, stop in enumerate(stops):
        focused = i == form.at % len(stops)
        if not stop.row:
            # A masked form also hides which fields are empty.
            empty = "" if style.is_masked or form.texts.get(stop.field.key) else stop.field.title
            body.add(field_rows(form, stop.field, style, focused=focused), focused=focused, empty=empty)
            continue
        if i == 0 or stops[i - 1].field.key != stop.field.key:
            body.rows.append(list_head(stop.field, measure_names(scene, stop.field, style.width)))
            body.list_rows = (len(body.rows), len(body.rows) + len(stop.field.choices))
        if not body.chosen and stop.row in ticked_rows(form, stop.field):
            body.chosen = len(body.rows)
        body.add([list_row(scene, form, stop, style.width, focused=focused)], focused=focused)
    return body


def must_hide_texts(scene: Scene, form: FormTexts) -> bool:
    """Return whether the texts of a form must be hidden: on a masked screen, and of an order that is sealed.

    Only orders are secret; the form of a verb asks for public things.
    """
    if form.verb or scene.view.is_masked:
        return not form.verb
    name = row_name(scene, form.who)
    return any(o.who == name and is_sealed(scene, o) for o in scene.table.orders)

"""Show a form over the whole width: fields, lists to tick, and what was understood."""

from __future__ import annotations

import re

from msgspec import Struct

from tui.core.fight.agenda import Field, FormAsk
from tui.core.fight.encounter import label
from tui.core.views.add_preview import unsaid
from tui.ui.rows.creatures import heading
from tui.ui.state.filling import Stop, ask_of, beside_of, editor_of, fields_of, preview_of, stops_of, ticked
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import Form, Prompt
from tui.ui.text.editor import typed_line, typed_rows
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.rows import Piece, Row, cells, clip, filled, pad, span, words, wrapped

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


_OR_ELSE = re.compile(r" (?=or else\b)", re.IGNORECASE)
LETTERS = 4
"""Code points of a field that are looked at for each column: what cannot be seen is not laid out."""

ROWS = 8
"""The most rows of a field: the one that is typed in has them all, the others the first of them."""


class _Body(Struct):
    """The rows of all fields, the row that must be seen, and where its field and a list begin and end in them.

    `empty` are the rows of fields without a text, with their titles.
    """

    rows: list[Row]
    at: int = 0
    here: tuple[int, int] = (0, 1)
    listed: tuple[int, int] = (0, 0)
    empty: list[tuple[int, str]] = []


def form(scene: Scene, form: Form, width: int, height: int) -> list[Row]:
    """The title, the fields with the cursor's row among them, and below them what the form would mean."""
    body, said = _body(scene, form, width), _said(scene, form, width)
    room = max(0, height - 1)
    if len(body.rows) + len(said) > room:
        body = _folded(body)
    # What is being written goes before what it would mean.
    least = min(len(body.rows), max(room // 2, body.here[1] - body.here[0]))
    said = _cut(said, max(room - least, min(1, room - 1)), scene.glyphs.ellipsis)
    rows, more = _shown(body, room - len(said), scene.glyphs)
    head = heading(scene, form_title(scene, form), width, words(more))
    body_rows = [clip(row, width, scene.glyphs.ellipsis) for row in [*rows, *said]]
    return filled([head, *body_rows], height)


def form_need(scene: Scene, form: Form, width: int) -> int:
    """The lines that the form would like to have."""
    return 1 + len(_body(scene, form, width).rows) + max(1, len(_said(scene, form, width)))


def form_title(scene: Scene, form: Form) -> str:
    """Whose order it is, and how many are owed after it; or the word that is being said."""
    if form.verb:
        verb = next((v for v in scene.system.verbs if v.name == form.verb), None)
        return f"{form.verb}: {verb.help}" if verb else form.verb
    if ask_of(scene, form.who) is None:
        return f"Order: {label(scene.encounter, form.who)}, written anew"
    rest = sum(isinstance(a, FormAsk) for a in due(scene)) - 1
    return f"Order: {label(scene.encounter, form.who)}" + (f", {rest} more to come" if rest > 0 else "")


def _shown(body: _Body, room: int, glyphs: Glyphs) -> tuple[list[Row], tuple[Piece, ...]]:
    """As many rows as there is room for, and what is left out: of a list rows of its own, as long as others fit."""
    rows, (begin, end) = body.rows, body.listed
    if len(rows) <= room:
        return rows, ()
    others = len(rows) - (end - begin)
    size = room - others
    if size >= min(3, end - begin) and end > begin:
        at = body.at - begin if begin <= body.at < end else 0
        first = max(0, min(at - size // 2, end - begin - size))
        seen = [*rows[:begin], *rows[begin + first : begin + first + size], *rows[end:]]
        return seen, span(first, size, end - begin, glyphs)
    # The field that is written as a whole, where it has room, else the row of its cursor.
    top, bottom = body.here if body.here[1] - body.here[0] <= room else (body.at, body.at + 1)
    first = max(0, min((top + bottom - room) // 2, len(rows) - room))
    return rows[first : first + room], span(first, room, len(rows), glyphs) if room > 0 else ()


def _cut(rows: list[Row], most: int, ellipsis: str) -> list[Row]:
    """At most so many rows; the last of them says that there are more."""
    if len(rows) <= most or most < 1:
        return rows[: max(0, most)]
    return [*rows[: most - 1], (*rows[most - 1], (f" {ellipsis}", "muted"))]


def _said(scene: Scene, form: Form, width: int) -> list[Row]:
    """Refusals, warnings and prices, wrapped."""
    if fields_of(scene, form) is None:
        return []
    if unseen(scene, form):
        return []  # every word of it is made of what is written
    found, aloud = preview_of(scene, form), scene.glyphs.spoken
    said: tuple[tuple[str, tuple[str, ...], Role], ...] = (
        ("wrong: " if aloud else "! ", found.errors, "error"),
        ("unclear: " if aloud else "? ", found.warnings, "warning"),
        ("  ", found.notes, "hint"),
    )
    return [
        row
        for mark, texts, role in said
        for text in texts
        for row in _marked(scene, mark, text, (width, role))
    ]


def _marked(scene: Scene, mark: str, text: str, how: tuple[int, Role]) -> list[Row]:
    """A text behind its mark, with the rows that follow below the first."""
    width, role = how
    seen = wrapped(text, max(1, width - len(mark)), ROWS + 1)
    rows: list[Row] = [
        ((mark if i == 0 else " " * len(mark), role), (row, role)) for i, row in enumerate(seen)
    ]
    return _cut(rows, ROWS, scene.glyphs.ellipsis)


# --- the fields


def _folded(body: _Body) -> _Body:
    """The empty fields in one row at the end."""
    gone = dict(body.empty)
    if len(gone) < 2:
        return body

    def moved(place: int) -> int:
        return place - sum(row < place for row in gone)

    rows = [row for number, row in enumerate(body.rows) if number not in gone]
    rows.append(((f"   empty: {', '.join(gone.values())}", "hint"),))
    here, listed = (tuple(map(moved, span)) for span in (body.here, body.listed))
    return _Body(rows, moved(body.at), (here[0], here[1]), (listed[0], listed[1]))


def _body(scene: Scene, form: Form, width: int) -> _Body:
    fields = fields_of(scene, form)
    if fields is None:
        return _Body([(("Nothing is owed any more", "muted"),)])
    body, stops = _Body([]), stops_of(fields)
    name = max((cells(f.title) for f in fields if not f.row and f.kind != "list"), default=0)
    for i, stop in enumerate(stops):
        here = i == form.at % len(stops)
        if stop.row and (i == 0 or stops[i - 1].field.key != stop.field.key):
            body.rows.append(list_head(stop.field, wide_of(scene, stop.field, width)))
            body.listed = (len(body.rows), len(body.rows) + len(stop.field.choices))
        before = len(body.rows)
        body.rows += (
            [listed(scene, form, stop, width, here=here)]
            if stop.row
            else _field(scene, form, stop.field, here=here, room=(name, width - name - 4))
        )
        if here:
            cursor = next((n for n, row in enumerate(body.rows[before:]) if _typing(row)), 0)
            body.at, body.here = before + cursor, (before, len(body.rows))
        elif unseen(scene, form):
            continue  # which fields are empty is not told either
        elif not stop.row and len(body.rows) == before + 1 and not form.texts.get(stop.field.key):
            body.empty.append((before, stop.field.title))
    return body


def unseen(scene: Scene, form: Form) -> bool:
    """Whether nothing of what is written in a form may be shown.

    Only written orders are secret; what a verb asks for is said at the table anyway.
    """
    return scene.view.masked and not form.verb


def _typing(row: Row) -> bool:
    return any(role == "current" for _, role in row)


def _field(scene: Scene, form: Form, field: Field, *, here: bool, room: tuple[int, int]) -> list[Row]:
    """A field: its title, never cut, and its value beside it, or below it where there is little room."""
    cursor: Piece = (scene.glyphs.cursor if here else " ", "focus")
    old = not form.verb and field.key in form.fresh and not scene.view.masked
    mark: Piece = ("= " if old else "  ", "hint")
    name, width = room
    beside = width >= name
    values = _values(scene, form, field, here=here, width=width if beside else width + name)
    title: Piece = (
        field.title + " " * (name - cells(field.title) + 1) if beside else field.title,
        "key" if here else "hint",
    )
    if not beside:
        return [(cursor, mark, title), *((("   ", "text"), *row) for row in values)]
    blank: Piece = (" " * (name + 4), "text")
    return [(cursor, mark, title, *values[0]), *((blank, *row) for row in values[1:])]


def _values(scene: Scene, form: Form, field: Field, *, here: bool, width: int) -> list[Row]:
    if unseen(scene, form):
        # Neither its length nor the place of the cursor: a glance at the screen must tell nothing.
        return [(("unseen", "current" if here else "muted"),)]
    text = form.texts.get(field.key, "")
    if field.kind in ("choice", "bool"):
        return [_choices(field, text, width, here=here)]
    if here:
        rows = typed_rows(editor_of(form, field), width, ROWS, scene.glyphs.ellipsis)
        told = "type over it, or Right to edit it" if field.key in form.fresh else "" if text else field.help
        # Beside a text only where all of both has room; beside nothing it may be cut.
        fits = not text or cells(words(rows[0])) + cells(told) + 2 < width
        # Behind words a mark of its own: without colours the hint would read on from them.
        hint = f" {scene.glyphs.dot} {told}" if text else f" {told}"
        return [(*rows[0], (hint, "hint")), *rows[1:]] if told and fits else rows
    return _written(text, width, scene.glyphs.ellipsis)


def _written(text: str, width: int, ellipsis: str) -> list[Row]:
    """A written text whole, what follows an "or else" in a row of its own."""
    seen = text[: LETTERS * ROWS * max(1, width)]
    if not seen:
        return [(("-", "muted"),)]
    rows: list[Row] = []
    for part in _OR_ELSE.split(seen, maxsplit=1):
        first, *more = wrapped(part, max(1, width), ROWS + 1)
        if part[:7].lower() == "or else":
            rows.append(((first[:7], "key"), (first[7:], "text")))
        else:
            rows.append(((first, "text"),))
        rows += [((row, "text"),) for row in more]
    return (
        _cut(rows, ROWS, ellipsis)
        if len(seen) == len(text)
        else _cut([*rows, ()], min(ROWS, len(rows)), ellipsis)
    )


def _choices(field: Field, text: str, width: int, *, here: bool) -> Row:
    """All of them with the chosen one in brackets; where they do not fit, only that one."""
    pieces: list[Piece] = []
    if field.kind == "bool":
        pieces.append(("[yes]" if text == "yes" else "[ ]", "text" if text == "yes" else "muted"))
    for name in field.choices if field.kind == "choice" else ():
        chosen = name == text
        pieces.append((f"[{name}]" if chosen else f" {name} ", "text" if chosen else "muted"))
    if sum(cells(t) for t, _ in pieces) > width:
        place = field.choices.index(text) + 1 if text in field.choices else 0
        pieces = [(f"[{text or '-'}]", "text"), (f" {place} of {len(field.choices)}", "muted")]
    told = field.help if here or field.kind == "bool" else ""
    # What it means comes before the key that changes it, which the hints name as well.
    more = f" {told}" if told else " Space changes" if here else ""
    return (*pieces, (more, "hint")) if more else tuple(pieces)


COLUMN = 26
"""Columns for a key with its word."""

ADDING_ROWS = 3
NEED = ADDING_ROWS + 1


def adding(scene: Scene, prompt: Prompt, width: int, height: int) -> list[Row]:
    """The title says what Enter would do; below it the keys that are left, those of the running system first."""
    line = prompt.editor.text
    whole = f"Add: {prompt.told}"
    # Words that the title has no room for stand below it, whole.
    first, more = (
        (whole, []) if cells(whole) < width - 3 else ("Add", wrapped(prompt.told, width - 2, ADDING_ROWS))
    )
    found = unsaid(line[: prompt.editor.at], scene.system)
    count, room = max(1, width // COLUMN), max(0, height - 1 - len(more))
    shown = found[: count * room]
    # The last of them makes room for the number of those that are left out.
    shown = shown[:-1] if 0 < len(shown) < len(found) else shown
    rows = [shown[i : i + count] for i in range(0, len(shown), count)]
    body: list[Row] = [tuple(piece for field in row for piece in _key(scene, field)) for row in rows]
    if body and len(shown) < len(found):
        body[-1] = (*body[-1], (f"{scene.glyphs.dot} {len(found) - len(shown)} more with Tab", "hint"))
    said: list[Row] = [((row, "text"),) for row in more]
    below = [clip(((" ", "text"), *row), width, scene.glyphs.ellipsis) for row in (*said, *body)]
    return filled([heading(scene, first, width), *below], height)


def _key(scene: Scene, field: Field) -> tuple[Piece, Piece]:
    """A key with its word: what it may be, else what it is, as far as that has room."""
    key = f"{field.key}="
    room = COLUMN - cells(key) - 2
    words = (", ".join(field.choices), field.help, field.title)
    word = next((w for w in words if w and cells(w) <= room), field.title)
    return ((key, "key"), (f" {pad(word, max(1, room), ellipsis=scene.glyphs.ellipsis)} ", "hint"))

"""Hold the texts of a form's fields, handle the keys that change them, and lay out its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tui.ui.text.editor import Editor, typed_rows
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.palette import Role
from tui.ui.text.press import Press
from tui.ui.text.rows import Piece, Row, cells, clip, frame_title, span, title_row, words, wrap_text

_OR_ELSE = re.compile(r" (?=or else\b)", re.IGNORECASE)
LETTERS_PER_COLUMN = 4
"""The most code points per column that are laid out for a field."""

MOST_FIELD_ROWS = 8
"""The most rows that a field takes."""
LEAST_LIST_ROWS = 3
"""How many rows of a list stay visible if the form does not fit."""


class FormField(Protocol):
    """The properties of a field that a form uses."""

    @property
    def key(self) -> str:
        """The key of the field's text in `FormInput.texts`."""

    @property
    def title(self) -> str:
        """The word before the field's value."""

    @property
    def kind(self) -> str:
        """The kind of input: "bool", "choice", or anything else for typed text."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The values to choose from; () for typed text."""

    @property
    def help(self) -> str:
        """A hint about what to enter."""


class FormInput(Struct, frozen=True, kw_only=True):
    """The texts of a form and its cursor."""

    texts: dict[str, str] = {}
    """The text of each field, by the field's key."""
    at: int = 0
    """The index of the place that has focus."""
    cursor: int = 0
    """The cursor's index in the text of the place in focus."""
    fresh: frozenset[str] = frozenset()
    """Keys of fields that still hold a proposal, which the first typed character replaces."""
    stood: Mapping[str, str] = {}
    """The order as it was saved when the form was opened, by part; {} for none."""

    def editor(self, key: str) -> Editor:
        """Return an editor with the text of a field and the form's cursor."""
        text = self.texts.get(key, "")
        return Editor(text, min(self.cursor, len(text)))

    def target(self, key: str) -> Editor:
        """Return the editor for typed text: an empty one if the field holds only a proposal."""
        return Editor() if key in self.fresh else self.editor(key)

    @property
    def filled_texts(self) -> dict[str, str]:
        """The stripped texts of the fields that are not empty, by key."""
        return {key: text.strip() for key, text in self.texts.items() if text.strip()}

    def old(self, fields: Iterable[FormField]) -> tuple[str, ...]:
        """Return the titles of parts that still hold a proposal while another was typed; () if none was."""
        old = [f.title for f in fields if f.key in self.fresh and self.texts.get(f.key)]
        return tuple(old) if any(key not in self.fresh for key in self.filled_texts) else ()


OLD_PARTS = "[y] sends them too, [n] leaves them out"
"""The answers to the question about parts that still hold a proposal."""
F = TypeVar("F", bound=FormInput)
Insert = Callable[[Editor, str], Editor]
"""Inserts text at the cursor of an editor."""


# --- keys


def put(form: F, key: str, text: str, cursor: int = 0) -> F:
    """Return the form with `text` in the field `key`, the cursor at `cursor`, and no proposal there."""
    return replace(form, texts={**form.texts, key: text}, cursor=cursor, fresh=form.fresh - {key})


def go(form: F, typed: Sequence[str], to: int) -> F:
    """Return the form with place number `to` in focus; `typed` has the keys of places, "" if not typed.

    The number wraps around. The cursor goes to the end of a text, but to the beginning of a proposal.
    """
    at = to % len(typed) if typed else 0
    key = typed[at] if typed else ""
    return replace(form, at=at, cursor=0 if key in form.fresh else len(form.texts.get(key, "")))


def is_typed(field: FormField) -> bool:
    """Return True if the field's text is typed rather than chosen."""
    return field.kind not in ("bool", "choice")


def press_into(form: F, field: FormField, key: Press, insert: Insert) -> F:
    """Return the form after a key in this field that neither submits nor leaves the field."""
    if not is_typed(field):
        return _turn(form, field, key)
    editor = form.editor(field.key)
    if field.key in form.fresh:
        moved = _replace_proposal(editor.text, key, insert)
    else:
        moved = editor.press(key.key)
        if moved is None and key.char:
            moved = insert(editor, key.char)
    return form if moved is None else put(form, field.key, moved.text, moved.at)


def paste_into(form: F, field: FormField, text: str, insert: Insert) -> F:
    """Return the form with text inserted at the cursor of this field; a choice ignores it."""
    if not is_typed(field):
        return form
    editor = insert(form.target(field.key), text)
    return put(form, field.key, editor.text, editor.at)


def _replace_proposal(proposed: str, key: Press, insert: Insert) -> Editor | None:
    """Edit a proposal like selected text: arrows move into it, other keys replace it."""
    match key.key:
        case "left" | "home":
            return Editor(proposed, 0)
        case "right" | "end" | "ctrl+e":
            return Editor.from_text(proposed)
        case _:
            erases = Editor(proposed, len(proposed)).press(key.key) is not None
            return insert(Editor(), key.char) if key.char or erases else None


def _turn(form: F, field: FormField, key: Press) -> F:
    """Return the form with another value of a choice: Space and arrows take the next or previous one.

    A character takes the first value that begins with it; Backspace and Delete clear the choice.
    """
    choices = ("", *field.choices) if field.kind == "choice" else ("", "yes")
    now = form.texts.get(field.key, "")
    at = choices.index(now) if now in choices else 0
    if key.key in ("space", "right", "left"):
        text = choices[(at + (-1 if key.key == "left" else 1)) % len(choices)]
    elif key.key in ("backspace", "delete") or (field.kind == "bool" and key.char == "n"):
        text = ""
    else:
        text = next((c for c in choices if key.char and c.lower().startswith(key.char.lower())), now)
    return put(form, field.key, text)


def without_old(form: F) -> F:
    """Return the form without the parts that still hold a proposal."""
    texts = {key: text for key, text in form.texts.items() if key not in form.fresh}
    return replace(form, texts=texts, fresh=frozenset())


# --- rows


class FormStyle(Struct, frozen=True):
    """How fields are drawn."""

    glyphs: Glyphs
    width: int
    """Columns of the form."""
    title: int = 0
    """Columns reserved for titles."""
    is_masked: bool = False
    """Whether texts and the position of the cursor are hidden."""
    has_marks: bool = False
    """Whether a sign marks proposals."""


class FormBody(Struct):
    """The rows of all fields, and which of them must be shown."""

    rows: list[Row] = []
    """All rows, from top to bottom."""
    at: int = 0
    """The index of the row with the cursor."""
    focus_rows: tuple[int, int] = (0, 1)
    """The index of the first row of the field in focus, and of the row after its last."""
    list_rows: tuple[int, int] = (0, 0)
    """The index of the first row of a list, and of the row after its last."""
    empty: list[tuple[int, str]] = []
    """The row index and the title of each field that has one row and no text."""
    chosen: int = 0
    """The index of the list's first ticked row, 0 for none."""

    def add(self, rows: Sequence[Row], *, focused: bool, empty: str = "") -> None:
        """Append the rows of a field.

        `focused` says whether the cursor is in the field; `empty` is its title if it may be folded, else "".
        """
        before = len(self.rows)
        self.rows += rows
        if focused:
            cursor = next((n for n, row in enumerate(rows) if any(role == "current" for _, role in row)), 0)
            self.at, self.focus_rows = before + cursor, (before, len(self.rows))
        elif empty and len(rows) == 1:
            self.empty.append((before, empty))


def form_rows(
    body: FormBody, lines: list[Row], title: str, style: FormStyle, height: int, about: str = ""
) -> list[Row]:
    """Return at most `height` rows: the title, the fields around the cursor, and `lines` below them.

    A single row is the field with focus. `about` follows the title, before the count of rows shown.
    """
    glyphs, room = style.glyphs, max(0, height - 1, min(1, height))
    begin, end = body.list_rows
    # A list is cut before fields that the cursor would then pass unseen.
    if len(body.rows) - max(0, end - begin - LEAST_LIST_ROWS) + len(lines) > room:
        body = _fold_empty(body)
    # What is being typed is more important than its preview.
    least = min(len(body.rows), max(room // 2, body.focus_rows[1] - body.focus_rows[0]))
    lines = shorten_rows(lines, max(room - least, min(1, room - 1)), glyphs.ellipsis)
    rows, more = _fit_body(body, room - len(lines), glyphs)
    remarks: tuple[Piece, ...] = tuple((x, "muted") for x in (about, words(more) if more else "") if x)
    head = title_row(glyphs, (frame_title(glyphs, title), "focus"), style.width, remarks)
    drawn = [head, *(clip(row, style.width, glyphs.ellipsis) for row in (*rows, *lines))]
    return drawn[-1:] if height == 1 else drawn[: max(0, height)]


def _fold_empty(body: FormBody) -> FormBody:
    """Return the body with its empty fields in one row at the end."""
    gone = dict(body.empty)
    if len(gone) < 2:
        return body

    def moved(place: int) -> int:
        return place - sum(row < place for row in gone)

    rows = [row for number, row in enumerate(body.rows) if number not in gone]
    rows.append(((f"   empty: {', '.join(gone.values())}", "hint"),))
    focused, listed = (tuple(map(moved, span)) for span in (body.focus_rows, body.list_rows))
    return FormBody(
        rows,
        moved(body.at),
        (focused[0], focused[1]),
        (listed[0], listed[1]),
        chosen=moved(body.chosen) if body.chosen else 0,
    )


def _fit_body(body: FormBody, room: int, glyphs: Glyphs) -> tuple[list[Row], tuple[Piece, ...]]:
    """Return the rows that fit, and how many others there are; lists are cut before other fields."""
    rows, (begin, end) = body.rows, body.list_rows
    if len(rows) <= room:
        return rows, ()
    others = len(rows) - (end - begin)
    size = room - others
    if size >= min(LEAST_LIST_ROWS, end - begin) and end > begin:
        # The row of the cursor, else the first that is ticked.
        at = body.at - begin if begin <= body.at < end else max(0, body.chosen - begin)
        first = max(0, min(at - size // 2, end - begin - size))
        seen = [*rows[:begin], *rows[begin + first : begin + first + size], *rows[end:]]
        return seen, span(first, size, end - begin, glyphs)
    # The whole field in focus if it fits, else the row of its cursor.
    top, bottom = (
        body.focus_rows if body.focus_rows[1] - body.focus_rows[0] <= room else (body.at, body.at + 1)
    )
    first = max(0, min((top + bottom - room) // 2, len(rows) - room))
    return rows[first : first + room], span(first, room, len(rows), glyphs) if room > 0 else ()


def shorten_rows(rows: list[Row], most: int, ellipsis: str) -> list[Row]:
    """Return at most `most` rows; if rows are left out, the last row ends in the ellipsis."""
    if len(rows) <= most or most < 1:
        return rows[: max(0, most)]
    return [*rows[: most - 1], (*rows[most - 1], (f" {ellipsis}", "muted"))]


def message_rows(
    wrong: Sequence[str], doubts: Sequence[str], notes: Sequence[str], style: FormStyle
) -> list[Row]:
    """Return the preview of a form as rows: errors, warnings, notes."""
    if style.is_masked:
        return []  # every word of the preview repeats what is typed
    aloud = style.glyphs.spoken
    parts: tuple[tuple[str, Sequence[str], Role], ...] = (
        ("wrong: " if aloud else "! ", wrong, "error"),
        ("unclear: " if aloud else "? ", doubts, "warning"),
        ("  ", notes, "hint"),
    )
    return [
        row for mark, texts, role in parts for text in texts for row in marked_rows(mark, text, role, style)
    ]


def count_moves(field: FormField, key: Press, *, typed: bool) -> int:
    """Return how many places a key moves from this field, 0 if it does not move.

    In a field that is not typed, j and k move as in a list, unless a choice begins with that character.
    """
    moves = {"tab": 1, "down": 1, "shift+tab": -1, "up": -1}
    begins = any(choice.lower().startswith(key.name) for choice in field.choices)
    return moves.get(key.key) or (0 if typed or begins else {"j": 1, "k": -1}.get(key.name, 0))


def marked_rows(mark: str, text: str, role: Role, style: FormStyle) -> list[Row]:
    """Return a text after a mark, wrapped; rows after the first are indented by the mark's width."""
    seen = wrap_text(text, max(1, style.width - len(mark)), MOST_FIELD_ROWS + 1)
    rows: list[Row] = [
        ((mark if i == 0 else " " * len(mark), role), (row, role)) for i, row in enumerate(seen)
    ]
    return shorten_rows(rows, MOST_FIELD_ROWS, style.glyphs.ellipsis)


def field_rows(form: FormInput, field: FormField, style: FormStyle, *, focused: bool) -> list[Row]:
    """Return the rows of a field.

    Its title is never cut. Its value is beside it, or below it if there is little room.
    """
    glyphs, name = style.glyphs, style.title
    cursor: Piece = (glyphs.cursor if focused else " ", "focus")
    old = style.has_marks and field.key in form.fresh and not style.is_masked
    mark: Piece = ("= " if old else "  ", "hint")
    width = style.width - name - 4
    has_name = width >= name
    values = _values(form, field, style, focused=focused, width=width if has_name else width + name)
    title: Piece = (
        field.title + " " * (name - cells(field.title) + 1) if has_name else field.title,
        "key" if focused else "hint",
    )
    if not has_name:
        return [(cursor, mark, title), *((("   ", "text"), *row) for row in values)]
    blank: Piece = (" " * (name + 4), "text")
    return [(cursor, mark, title, *values[0]), *((blank, *row) for row in values[1:])]


def _values(form: FormInput, field: FormField, style: FormStyle, *, focused: bool, width: int) -> list[Row]:
    if style.is_masked:
        # Neither its length nor the place of the cursor may be shown.
        return [(("unseen", "current" if focused else "muted"),)]
    glyphs, text = style.glyphs, form.texts.get(field.key, "")
    if not is_typed(field):
        return [_draw_choices(field, text, width, focused=focused)]
    if focused:
        rows = typed_rows(form.editor(field.key), width, MOST_FIELD_ROWS, glyphs.ellipsis)
        line = "type over it, or Right to edit it" if field.key in form.fresh else "" if text else field.help
        # Beside a text only if both fit whole; beside nothing it may be cut.
        fits = not text or cells(words(rows[0])) + cells(line) + 2 < width
        # After words a mark: without colours the hint would read as part of them.
        hint = f"{glyphs.joint}{line}" if text else f" {line}"
        return [(*rows[0], (hint, "hint")), *rows[1:]] if line and fits else rows
    return _typed_text_rows(text, width, glyphs.ellipsis)


def _typed_text_rows(text: str, width: int, ellipsis: str) -> list[Row]:
    """Return a typed text in at most `MOST_FIELD_ROWS` rows; a part from "or else" on begins a new row."""
    seen = text[: LETTERS_PER_COLUMN * MOST_FIELD_ROWS * max(1, width)]
    if not seen:
        return [(("-", "muted"),)]
    rows: list[Row] = []
    for part in _OR_ELSE.split(seen, maxsplit=1):
        first, *more = wrap_text(part, max(1, width), MOST_FIELD_ROWS + 1)
        if part[:7].lower() == "or else":
            rows.append(((first[:7], "key"), (first[7:], "text")))
        else:
            rows.append(((first, "text"),))
        rows += [((row, "text"),) for row in more]
    if len(seen) == len(text):
        return shorten_rows(rows, MOST_FIELD_ROWS, ellipsis)
    return shorten_rows([*rows, ()], min(MOST_FIELD_ROWS, len(rows)), ellipsis)


def _draw_choices(field: FormField, text: str, width: int, *, focused: bool) -> Row:
    """Return all values of a choice, the chosen one in brackets, or only that one if they do not fit."""
    pieces: list[Piece] = []
    if field.kind == "bool":
        pieces.append(("[yes]" if text == "yes" else "[ ]", "text" if text == "yes" else "muted"))
    for name in field.choices if field.kind == "choice" else ():
        chosen = name == text
        pieces.append((f"[{name}]" if chosen else f" {name} ", "text" if chosen else "muted"))
    if sum(cells(t) for t, _ in pieces) > width:
        place = field.choices.index(text) + 1 if text in field.choices else 0
        pieces = [(f"[{text or '-'}]", "text"), (f" {place} of {len(field.choices)}", "muted")]
    line = field.help if focused or field.kind == "bool" else ""
    # Its meaning comes before the key that changes it, which the hints name as well.
    more = f" {line}" if line else " Space changes" if focused else ""
    return (*pieces, (more, "hint")) if more else tuple(pieces)

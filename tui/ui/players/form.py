"""Run the form of an order, and the other modes of a seat: a line, faces, a choice."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import quote
from tui.ui.players.page import PublicChoice, PublicField
from tui.ui.text.editor import Editor, typed_line
from tui.ui.text.form import (
    Filling,
    FormBody,
    FormStyle,
    field_rows,
    form_rows,
    go,
    is_typed,
    paste_into,
    press_into,
)
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.press import Press
from tui.ui.text.rows import Piece, Row, cells, clip, titled


class OrderForm(Filling, frozen=True):
    """An order that is being written for `who`. `masked`: somebody may look over the player's shoulder."""

    who: str
    fields: tuple[PublicField, ...]
    masked: bool = False

    @property
    def field(self) -> PublicField:
        """The part that has the cursor."""
        return self.fields[self.at]

    @property
    def line(self) -> str:
        """The line that the form stands for."""
        parts = "".join(f" {f.key}={quote(self.filled[f.key])}" for f in self.fields if f.key in self.filled)
        return f"order {quote(self.who)}{parts}"

    @property
    def draft(self) -> str:
        """The texts as one, to be kept."""
        return json.dumps(self.texts, ensure_ascii=False) if any(self.texts.values()) else ""


def opened(
    who: str, fields: tuple[PublicField, ...], written: Mapping[str, str], draft: str, *, masked: bool
) -> OrderForm:
    """Return the form with the draft, else with the written order, else with what is proposed."""
    kept = _kept(draft)
    proposed = {f.key: f.default for f in fields if isinstance(f.default, str) and f.default}
    texts = kept or dict(written) or proposed
    known = {f.key for f in fields}
    texts = {key: text for key, text in texts.items() if key in known}
    fresh = frozenset(texts) if not kept and not written else frozenset[str]()
    return gone(OrderForm(who, fields, masked=masked, texts=texts, fresh=fresh), 0)


def _kept(draft: str) -> dict[str, str]:
    """Return the texts of a draft; none of a file that is no draft."""
    try:
        found = json.loads(draft) if draft else {}
    except (ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def gone(form: OrderForm, to: int) -> OrderForm:
    """Return the form with the cursor at another part."""
    return go(form, [f.key if is_typed(f) else "" for f in form.fields], to)


def pressed(form: OrderForm, key: str) -> OrderForm:
    """Return the form after a key that neither sends nor leaves it."""
    match key:
        case "tab" | "down":
            return gone(form, form.at + 1)
        case "shift+tab" | "up":
            return gone(form, form.at - 1)
        case "ctrl+t":
            return replace(form, masked=not form.masked)
        case _:
            return press_into(form, form.field, Press.named(key), Editor.insert)


def pasted(form: OrderForm, text: str) -> OrderForm:
    """Return the form with text at the cursor."""
    return paste_into(form, form.field, text, Editor.insert)


def order_rows(form: OrderForm, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """Return the form in at most `most` rows, those around the cursor where not all have room."""
    title = max(cells(f.title) for f in form.fields)
    style = FormStyle(glyphs, width, title, form.masked, marked=True)
    body = FormBody([])
    for place, field in enumerate(form.fields):
        empty = "" if form.masked or form.texts.get(field.key) else field.title
        here = place == form.at
        body.add(field_rows(form, field, style, here=here), here=here, empty=empty)
    return form_rows(body, [], f"Order of {form.who}", style, most)


# --- a line, a choice


class Typing(Struct, frozen=True):
    """A line that is being typed behind `title`; what is sent begins with `start`."""

    editor: Editor = Editor()
    title: str = ":"
    start: str = ""

    @property
    def line(self) -> str:
        """What Enter sends; "" for nothing."""
        said = self.editor.text.strip()
        return f"{self.start} {said}" if self.start and said else said


class Choosing(Struct, frozen=True):
    """Whole lines to choose from, and the one under the cursor."""

    verb: str
    choices: tuple[PublicChoice, ...]
    at: int = 0


Mode = OrderForm | Typing | Choosing | None


def faces(who: str, dice: str) -> Typing:
    """Return the prompt for the faces of a creature's roll."""
    return Typing(title=f"faces of {dice} for {who}", start=f"roll {quote(who)}")


def typed(mode: Typing, key: str) -> Typing:
    """Return the line after a key that neither sends nor leaves it."""
    char = " " if key == "space" else key
    moved = mode.editor.insert(char) if len(char) == 1 else mode.editor.press(key)
    return mode if moved is None else replace(mode, editor=moved)


def chosen(mode: Choosing, key: str) -> Choosing:
    """Return the choice after a key that neither takes nor leaves it."""
    by = {"down": 1, "j": 1, "tab": 1, "up": -1, "k": -1, "shift+tab": -1}.get(key, 0)
    if key.isdecimal() and 1 <= int(key) <= len(mode.choices):
        return replace(mode, at=int(key) - 1)
    return replace(mode, at=(mode.at + by) % len(mode.choices))


def typing_rows(mode: Typing, width: int) -> list[Row]:
    """Return the line in one row."""
    head = mode.title if mode.title == ":" else f"{mode.title}: "
    room = max(4, width - cells(head) - 2)
    return [clip(((f" {head}", "title"), *typed_line(mode.editor, room)), width, "")]


def choosing_rows(mode: Choosing, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """Return the choices with their numbers, those around the cursor where not all have room."""
    room = max(1, most - 1)
    first = max(0, min(mode.at - room // 2, len(mode.choices) - room))
    rows: list[Row] = [titled(glyphs, (mode.verb, "title"), width, ())]
    for place, choice in enumerate(mode.choices[first : first + room], first):
        here = place == mode.at
        note = f"  {choice.note}" if choice.note else ""
        number: Piece = (f" {glyphs.cursor if here else ' '} {place + 1} ", "key")
        title: Piece = (choice.title, "selected" if here else "text")
        rows.append(clip((number, title, (note, "muted")), width, glyphs.ellipsis))
    return rows

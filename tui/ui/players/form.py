"""Run the form of an order, and the other modes of a seat: a line, faces, a choice."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.text import quote
from tui.ui.players.page import PublicChoice, PublicField
from tui.ui.text.editor import Editor, typed_line, typed_rows
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.rows import Row, cells, clip, fit, pad, titled, wrapped

_LABEL = 16
"""Columns that the name of a part takes at the most."""


class OrderForm(Struct, frozen=True):
    """An order that is being written for `who`: its parts, their texts by key, and which part has the cursor.

    `fresh`: proposed texts, which the first letter replaces. `masked`: somebody may look over the player's shoulder.
    """

    who: str
    fields: tuple[PublicField, ...]
    texts: dict[str, str] = {}
    at: int = 0
    cursor: int = 0
    fresh: frozenset[str] = frozenset()
    masked: bool = False

    @property
    def field(self) -> PublicField:
        """The part that has the cursor."""
        return self.fields[self.at]

    @property
    def editor(self) -> Editor:
        """Its text and the cursor."""
        return Editor(self.texts.get(self.field.key, ""), self.cursor)

    @property
    def line(self) -> str:
        """The line that the form stands for."""
        said = "".join(
            f" {f.key}={quote(text)}" for f in self.fields if (text := self.texts.get(f.key, "").strip())
        )
        return f"order {quote(self.who)}{said}"

    @property
    def draft(self) -> str:
        """The texts as one, to be kept."""
        return json.dumps(self.texts, ensure_ascii=False) if any(self.texts.values()) else ""


def opened(
    who: str, fields: tuple[PublicField, ...], written: Mapping[str, str], draft: str, *, masked: bool
) -> OrderForm:
    """The form with what was half-written, else with what stands there, else with what is proposed."""
    kept = _kept(draft)
    proposed = {f.key: f.default for f in fields if isinstance(f.default, str) and f.default}
    texts = kept or dict(written) or proposed
    known = {f.key for f in fields}
    texts = {key: text for key, text in texts.items() if key in known}
    fresh = frozenset(texts) if not kept and not written else frozenset[str]()
    return gone(OrderForm(who, fields, texts, fresh=fresh, masked=masked), 0)


def _kept(draft: str) -> dict[str, str]:
    """The texts of a draft; none of one that is none."""
    try:
        found = json.loads(draft) if draft else {}
    except (ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def gone(form: OrderForm, to: int) -> OrderForm:
    """The form with the cursor behind another part's text."""
    at = to % len(form.fields)
    key = form.fields[at].key
    return replace(form, at=at, cursor=0 if key in form.fresh else len(form.texts.get(key, "")))


def pressed(form: OrderForm, key: str) -> OrderForm:
    """The form after a key that neither sends nor leaves it."""
    match key:
        case "tab" | "down":
            return gone(form, form.at + 1)
        case "shift+tab" | "up":
            return gone(form, form.at - 1)
        case "ctrl+t":
            return replace(form, masked=not form.masked)
        case _:
            return _typed(form, key)


def pasted(form: OrderForm, text: str) -> OrderForm:
    """The form with text at the cursor."""
    return _put(form, _here(form).insert(text)) if not _choices(form.field) else form


def _typed(form: OrderForm, key: str) -> OrderForm:
    if choices := _choices(form.field):
        return _turned(form, choices, key)
    char = " " if key == "space" else key
    if len(char) == 1:
        return _put(form, _here(form).insert(char))
    here = Editor.of(form.editor.text) if form.field.key in form.fresh and key == "backspace" else form.editor
    moved = here.press(key)
    return form if moved is None else _put(form, moved)


def _here(form: OrderForm) -> Editor:
    """Where a letter goes: into the text, or in place of one that is only proposed."""
    return Editor() if form.field.key in form.fresh else form.editor


def _put(form: OrderForm, editor: Editor) -> OrderForm:
    key = form.field.key
    return replace(form, texts={**form.texts, key: editor.text}, cursor=editor.at, fresh=form.fresh - {key})


def _choices(field: PublicField) -> tuple[str, ...]:
    """The texts of a part that is chosen and not typed."""
    return ("", "yes") if field.kind == "bool" else ("", *field.choices) if field.kind == "choice" else ()


def _turned(form: OrderForm, choices: tuple[str, ...], key: str) -> OrderForm:
    """Space and the arrows go through the choices; a letter takes the first that begins with it."""
    now = form.texts.get(form.field.key, "")
    at = choices.index(now) if now in choices else 0
    if key in ("space", "right", "left"):
        text = choices[(at + (-1 if key == "left" else 1)) % len(choices)]
    elif key in ("backspace", "delete") or (key == "n" and form.field.kind == "bool"):
        text = ""
    else:
        text = next((c for c in choices if len(key) == 1 and c.lower().startswith(key.lower())), now)
    return _put(form, Editor.of(text))


# --- the picture


def form_rows(
    form: OrderForm, width: int, most: int, glyphs: Glyphs, helps: Mapping[str, str] | None = None
) -> list[Row]:
    """The form in at most `most` rows: all of its parts, the one with the cursor with as much of its text as has room.

    `helps` says what goes into a part, by its key; it is shown while that has the cursor and nothing in it.
    """
    label = min(_LABEL, max(cells(f.title) for f in form.fields)) + 1
    room = max(8, width - label - 2)
    spare = max(1, most - len(form.fields))
    rows: list[Row] = [titled(glyphs, (f"Order of {form.who}", "title"), width, ())]
    # Where not even every part has a row, those around the cursor are shown.
    first = max(0, min(form.at - 1, len(form.fields) - most + 1)) if len(form.fields) >= most else 0
    for place, field in enumerate(form.fields):
        if place < first:
            continue
        told = _field(form, field, room, spare, glyphs, here=place == form.at)
        if (
            place == form.at
            and not form.masked
            and not form.editor.text
            and (said := (helps or {}).get(field.key))
        ):
            told = [(*told[0], (f" {said}", "muted"))]
        for i, row in enumerate(told):
            name = pad(
                fit(field.title if not i else "", label, glyphs.ellipsis), label, ellipsis=glyphs.ellipsis
            )
            rows.append(
                clip(((f" {name} ", "title" if place == form.at else "muted"), *row), width, glyphs.ellipsis)
            )
    return rows[:most]


def _field(
    form: OrderForm, field: PublicField, room: int, spare: int, glyphs: Glyphs, *, here: bool
) -> list[Row]:
    """A part's text in rows; of a part without the cursor one. Of a masked form neither length nor cursor is shown."""
    if form.masked:
        return [((fit("unseen", room, glyphs.ellipsis), "current" if here else "muted"),)]
    text = form.texts.get(field.key, "")
    if here and not _choices(field):
        if field.key in form.fresh:
            return [((fit(text, room, glyphs.ellipsis), "selected"),)]
        return (
            typed_rows(form.editor, room, min(spare, 4), glyphs.ellipsis)
            if spare > 1
            else [typed_line(form.editor, room)]
        )
    words = text or ("no" if field.kind == "bool" else "")
    lines = wrapped(words, room, 1) or [""]
    said = lines[0] if cells(lines[0]) >= cells(words) else fit(words, room, glyphs.ellipsis)
    return [((said, "selected" if here else "text"),)]


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
    """The faces that fell at the table for somebody's roll."""
    return Typing(title=f"faces of {dice} for {who}", start=f"roll {quote(who)}")


def typed(mode: Typing, key: str) -> Typing:
    """The line after a key that neither sends nor leaves it."""
    char = " " if key == "space" else key
    moved = mode.editor.insert(char) if len(char) == 1 else mode.editor.press(key)
    return mode if moved is None else replace(mode, editor=moved)


def chosen(mode: Choosing, key: str) -> Choosing:
    """The choice after a key that neither takes nor leaves it."""
    by = {"down": 1, "j": 1, "tab": 1, "up": -1, "k": -1, "shift+tab": -1}.get(key, 0)
    if key.isdecimal() and 1 <= int(key) <= len(mode.choices):
        return replace(mode, at=int(key) - 1)
    return replace(mode, at=(mode.at + by) % len(mode.choices))


def typing_rows(mode: Typing, width: int) -> list[Row]:
    """The line in one row."""
    head = mode.title if mode.title == ":" else f"{mode.title}: "
    room = max(4, width - cells(head) - 2)
    return [clip(((f" {head}", "title"), *typed_line(mode.editor, room)), width, "")]


def choosing_rows(mode: Choosing, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """The choices with their numbers, those around the cursor where not all have room."""
    room = max(1, most - 1)
    first = max(0, min(mode.at - room // 2, len(mode.choices) - room))
    rows: list[Row] = [titled(glyphs, (mode.verb, "title"), width, ())]
    for place, choice in enumerate(mode.choices[first : first + room], first):
        here = place == mode.at
        note = f"  {choice.note}" if choice.note else ""
        rows.append(
            clip(((f" {glyphs.cursor if here else ' '} {place + 1} ", "key"), (choice.title, "selected" if here else "text"), (note, "muted")),
                 width, glyphs.ellipsis)
        )  # fmt: skip
    return rows

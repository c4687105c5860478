"""Write an order at a seat: its form, its preview, and the question before it is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tui.core.base.text import quote
from tui.core.fight.agenda import Preview
from tui.core.language.typed_order import Reader, WrittenFor
from tui.core.table import FieldView
from tui.ui.players.page import PlayerPage
from tui.ui.text.editor import Editor
from tui.ui.text.form import (
    OLD_PARTS,
    FormBody,
    FormInput,
    FormStyle,
    count_moves,
    field_rows,
    form_rows,
    go,
    is_typed,
    message_rows,
    paste_into,
    press_into,
)
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.press import Press
from tui.ui.text.rows import Row, cells


class HelpedField(FieldView, frozen=True):
    """A part of an order, with a hint for its text."""

    help: str = ""


class Doubt(Struct, frozen=True):
    """A question before an order is sent."""

    kind: Literal["old", "words"]
    """`old`: some parts are still proposals; `words`: the preview has warnings, or the order is empty."""
    text: str


class OrderForm(FormInput, frozen=True):
    """The form of an order."""

    who: str
    """The creature, group or side of the order."""
    fields: tuple[HelpedField, ...]
    masked: bool = False
    """Whether the texts are hidden, because others may see the screen."""
    round: int = 0
    """The round in which the form was opened."""
    reads: Preview = Preview()
    """The preview of the texts."""
    doubt: Doubt | None = None
    """The question before the order is sent, None if none is open."""

    @property
    def field(self) -> HelpedField:
        """The part that has focus."""
        return self.fields[self.at]

    @property
    def line(self) -> str:
        """The line that sends the order."""
        parts = "".join(
            f" {f.key}={quote(self.filled_texts[f.key])}" for f in self.fields if f.key in self.filled_texts
        )
        return f"order {quote(self.who)}{parts}"

    @property
    def draft(self) -> str:
        """The texts as JSON, to be kept as a draft."""
        return json.dumps(self.texts, ensure_ascii=False) if any(self.texts.values()) else ""


def open_order(
    who: str, fields: tuple[HelpedField, ...], written: Mapping[str, str], draft: str, *, masked: bool
) -> OrderForm:
    """Return the form with the texts of the draft, else of the written order, else the proposals."""
    draft_texts = _read_draft(draft)
    proposed = {f.key: f.default for f in fields if isinstance(f.default, str) and f.default}
    texts = draft_texts or dict(written) or proposed
    known = {f.key for f in fields}
    texts = {key: text for key, text in texts.items() if key in known}
    fresh = frozenset(texts) if not draft_texts and not written else frozenset[str]()
    # A draft continues where its writer most likely stopped.
    begun = [at for at, f in enumerate(fields) if draft_texts and is_typed(f) and texts.get(f.key)]
    return focus_part(OrderForm(who, fields, masked=masked, texts=texts, fresh=fresh), max(begun, default=0))


def _read_draft(draft: str) -> dict[str, str]:
    """Return the texts in a draft, {} if it cannot be read."""
    try:
        table = json.loads(draft) if draft else {}
    except (ValueError, RecursionError):
        return {}
    return {k: v for k, v in table.items() if isinstance(v, str)} if isinstance(table, dict) else {}


def focus_part(form: OrderForm, to: int) -> OrderForm:
    """Return the form with another part in focus."""
    return go(form, [f.key if is_typed(f) else "" for f in form.fields], to)


def press_key(form: OrderForm, key: str) -> OrderForm:
    """Return the form after a key; Enter and Esc are handled elsewhere."""
    press = Press.with_name(key)
    if by := count_moves(form.field, press, typed=is_typed(form.field)):
        return focus_part(form, form.at + by)
    if key == "ctrl+t":
        return replace(form, masked=not form.masked)
    return press_into(form, form.field, press, Editor.insert)


def paste_text(form: OrderForm, text: str) -> OrderForm:
    """Return the form with text at the cursor."""
    return paste_into(form, form.field, text, Editor.insert)


def read(form: OrderForm, page: PlayerPage, reader: Reader | None) -> OrderForm:
    """Return the form with its preview, in the same words as on the game master's screen."""
    if reader is None:
        return form
    people = [c for c in page.state.combatants if form.who in (c.name, c.group) and not c.out]
    fields = tuple({} if c.fields is UNSET else c.fields for c in people)
    marks = frozenset(mark for c in people for mark in c.marks)
    parts = tuple(f.key for f in form.fields)
    return replace(
        form, reads=reader(form.filled_texts, WrittenFor(parts, page.state.options, fields, marks))
    )


def ask_doubt(form: OrderForm) -> OrderForm | None:
    """Return the form with a question to be answered before sending, None if it can be sent.

    Nothing is asked about a masked order, because a question would quote it.
    """
    if form.masked:
        return None
    if old := form.old(form.fields):
        question = f"{', '.join(old)}: as proposed; {OLD_PARTS}, another key goes back"
        return replace(form, doubt=Doubt("old", question))
    problem = f"{form.who} does nothing at all this round"
    problem += ", in place of the order that is written already" if any(form.stood.values()) else ""
    doubts = form.reads.doubts if form.filled_texts else (problem,)
    if not doubts:
        return None
    return replace(
        form, doubt=Doubt("words", f"{'; '.join(doubts)}: [y] sends it all the same, another key goes back")
    )


def void_words(
    form: OrderForm, page: PlayerPage, forms: Mapping[str, tuple[HelpedField, ...]], *, has_draft: bool
) -> str:
    """Return why the form is void, "" if it is not.

    The page no longer asks for these parts, the round is over, or another order was written since the form
    was opened. An order that was undone leaves the form as it is, because then it is owed again.
    """
    parts = [f.key for f in forms.get(form.who, ())]
    kept = "; what you wrote is kept" if has_draft else ""
    if parts != [f.key for f in form.fields] or page.state.round != form.round:
        return f"the order of {form.who} is asked for no more{kept}"
    now = next((o for o in page.state.orders if o.who == form.who and any(o.text.values())), None)
    if now is None or now.text == form.stood:
        return ""
    kept += ", and o opens it later" if kept else ""
    return f"the order of {form.who} was written elsewhere{kept}"


def to_part(form: OrderForm) -> OrderForm:
    """Return the form with focus on the part that the first error begins with, if any."""
    part = form.reads.errors[0].partition(":")[0]
    return focus_part(form, next((at for at, f in enumerate(form.fields) if f.key == part), form.at))


def order_rows(form: OrderForm, width: int, most: int, glyphs: Glyphs) -> list[Row]:
    """Return the form in at most `most` rows; if it does not fit, the rows around the cursor."""
    title = max(cells(f.title) for f in form.fields)
    style = FormStyle(glyphs, width, title, form.masked, has_marks=True)
    body = FormBody([])
    for place, field in enumerate(form.fields):
        empty = "" if form.masked or form.texts.get(field.key) else field.title
        focused = place == form.at
        body.add(field_rows(form, field, style, focused=focused), focused=focused, empty=empty)
    # The question below says the warnings itself.
    doubts = () if form.doubt and form.doubt.kind == "words" else form.reads.doubts
    reads = message_rows(form.reads.refusals, doubts, form.reads.notes, style)
    return form_rows(body, reads, f"Order of {form.who}", style, most)

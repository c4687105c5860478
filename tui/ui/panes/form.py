"""The order form as lines: a field on each, what it would mean below them."""

from __future__ import annotations

import re

from tui.core.fight.agenda import Field, FormAsk, Preview
from tui.core.fight.encounter import label
from tui.core.fight.errors import RuleError
from tui.core.language.values import show
from tui.ui.panes.hints import typed_line
from tui.ui.state.columns import cells
from tui.ui.state.editor import Editor
from tui.ui.state.palette import Role
from tui.ui.state.rows import Piece, Row, column
from tui.ui.state.scene import Scene, due
from tui.ui.state.view import Form

_OR_ELSE = re.compile(r"[,;.]? or else,? ", re.IGNORECASE)
LETTERS = 4
"""Code points of a field that are looked at for each column: what cannot be seen is not laid out."""

NAME = 15
"""Columns for the names of fields, at the most."""


def ask_of(scene: Scene, key: str) -> FormAsk | None:
    """The form that an entry owes."""
    return next((a for a in due(scene) if isinstance(a, FormAsk) and a.who == key), None)


def fields_of(scene: Scene, form: Form) -> tuple[Field, ...] | None:
    """What the form asks: of a word of the system's own, of an order owed, or of one that may be written anew.

    None when there is nothing to write any more.
    """
    if form.verb:
        return scene.system.form(scene.encounter, form.verb) or None
    if ask := ask_of(scene, form.who):
        return ask.fields
    return (scene.system.order_fields(scene.encounter, form.who) if scene.encounter.running else ()) or None


def initial(scene: Scene, form: Form, fields: tuple[Field, ...]) -> dict[str, str]:
    """The text of each field: what was written before, else what the system proposes."""
    proposed = {f.key: _proposed(f) for f in fields}
    if form.verb or ask_of(scene, form.who):
        return proposed
    written = next((o.text for o in scene.system.orders(scene.encounter) if o.who == form.who), {})
    return {key: written.get(key, "") for key in proposed}


def _proposed(field: Field) -> str:
    if isinstance(field.default, bool):
        return "yes" if field.default else ""
    return show(field.default)


def preview_of(scene: Scene, form: Form) -> Preview:
    """What the form would mean as it stands."""
    texts = filled_in(form)
    if not form.verb:
        return scene.system.preview(scene.encounter, form.who, texts)
    try:
        return Preview(notes=scene.system.lines(scene.encounter, form.verb, texts))
    except RuleError as error:
        return Preview((error.message,))


def filled_in(form: Form) -> dict[str, str]:
    """The texts of the fields that have one."""
    return {k: v.strip() for k, v in form.texts.items() if v.strip()}


def form_lines(scene: Scene, form: Form, width: int) -> list[Row]:
    """Fields, then refusals, warnings and prices."""
    fields = fields_of(scene, form)
    if fields is None:
        return [(("Nothing is owed any more", "muted"),)]
    name = min(NAME, max((cells(f.title) for f in fields), default=0))
    lines = [
        _field(scene, form, f, here=i == form.at, room=(name, width - name - 2)) for i, f in enumerate(fields)
    ]
    found, aloud = preview_of(scene, form), scene.glyphs.spoken
    said: tuple[tuple[str, tuple[str, ...], Role], ...] = (
        ("wrong: " if aloud else "! ", found.errors, "error"),
        ("unclear: " if aloud else "? ", found.warnings, "warning"),
        ("  ", found.notes, "hint"),
    )
    lines += [((f"{mark}{words}", role),) for mark, texts, role in said for words in texts]
    return lines


def form_title(scene: Scene, form: Form) -> str:
    """Whose order it is, and how many are owed after it; or the word that is being said."""
    if form.verb:
        verb = next((v for v in scene.system.verbs if v.name == form.verb), None)
        return f"{form.verb}: {verb.help}" if verb else form.verb
    if ask_of(scene, form.who) is None:
        return f"Order: {label(scene.encounter, form.who)}, written anew"
    rest = sum(isinstance(a, FormAsk) for a in due(scene)) - 1
    return f"Order: {label(scene.encounter, form.who)}" + (f", {rest} more to come" if rest > 0 else "")


def _field(scene: Scene, form: Form, field: Field, *, here: bool, room: tuple[int, int]) -> Row:
    text = form.texts.get(field.key, "")
    head: list[Piece] = [
        (scene.glyphs.cursor if here else " ", "focus"),
        column(field.title, room[0], "key" if here else "hint", scene.glyphs.ellipsis),
    ]
    # Only written orders are secret; what a verb asks for is said at the table anyway.
    masked = scene.view.masked and field.kind == "text" and not form.verb
    if field.kind in ("choice", "bool"):
        return (*head, *_choices(field, text, room[1], here=here))
    if here:
        typed = Editor(text, min(form.cursor, len(text)))
        told: tuple[Piece, ...] = ((f" {field.help}", "hint"),) if field.help and not text else ()
        return (*head, *typed_line(typed, room[1], mask="*" if masked else ""), *told)
    if masked and text:
        return (*head, (f"({len(text)} letters)", "muted"))
    seen = text[: LETTERS * max(1, room[1])]
    first, *other = _OR_ELSE.split(seen, maxsplit=1) if seen else ["-"]
    line: Row = (*head, (first, "text" if text else "muted"))
    return (*line, (" | or else ", "key"), (other[0], "text")) if other else line


def _choices(field: Field, text: str, width: int, *, here: bool) -> list[Piece]:
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
    more = f", {field.help}" if field.help else ""
    return [*pieces, (f" Space changes{more}", "hint")] if here else pieces


def form_need(scene: Scene, form: Form) -> int:
    """Lines of the form, with room for what it would mean."""
    return len(fields_of(scene, form) or (1,)) + 2

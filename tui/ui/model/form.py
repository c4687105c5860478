"""The order form as lines: a field on each, what it would mean below them."""

from __future__ import annotations

import re

from tui.core.agenda import Field, FormAsk, Preview
from tui.core.encounter import label
from tui.core.values import show
from tui.ui.columns import cells
from tui.ui.model.editor import Editor
from tui.ui.model.hints import typed_line
from tui.ui.model.lines import Line, Piece, column
from tui.ui.model.scene import Scene, due
from tui.ui.model.view import Form
from tui.ui.palette import Role

_OR_ELSE = re.compile(r"\s*[,;.]?\s+or else,?\s+", re.IGNORECASE)
NAME = 15
"""Columns for the names of fields, at the most."""


def ask_of(scene: Scene, key: str) -> FormAsk | None:
    """The form that an entry owes."""
    return next((a for a in due(scene) if isinstance(a, FormAsk) and a.who == key), None)


def initial(ask: FormAsk) -> dict[str, str]:
    """What the system proposes, as text."""
    return {f.key: _proposed(f) for f in ask.fields}


def _proposed(field: Field) -> str:
    if isinstance(field.default, bool):
        return "yes" if field.default else ""
    return show(field.default)


def preview_of(scene: Scene, form: Form) -> Preview:
    """What the form would mean as it stands."""
    texts = {k: v.strip() for k, v in form.texts.items() if v.strip()}
    return scene.rules.preview(scene.e, form.who, texts)


def form_lines(scene: Scene, form: Form, width: int) -> list[Line]:
    """Fields, then refusals, warnings and prices."""
    ask = ask_of(scene, form.who)
    if ask is None:
        return [(("Nothing is owed any more", "muted"),)]
    name = min(NAME, max((cells(f.title) for f in ask.fields), default=0))
    lines = [
        _field(scene, form, f, here=i == form.at, room=(name, width - name - 2))
        for i, f in enumerate(ask.fields)
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
    """Whose order it is, and how many are owed after it."""
    rest = sum(isinstance(a, FormAsk) for a in due(scene)) - 1
    return f"Order: {label(scene.e, form.who)}" + (f", {rest} more to come" if rest > 0 else "")


def _field(scene: Scene, form: Form, field: Field, *, here: bool, room: tuple[int, int]) -> Line:
    text = form.texts.get(field.key, "")
    head: list[Piece] = [
        (scene.glyphs.cursor if here else " ", "focus"),
        column(field.title, room[0], "key" if here else "hint", scene.glyphs.ellipsis),
    ]
    masked = scene.view.masked and field.kind == "text"
    if field.kind in ("choice", "bool"):
        return (*head, *_choices(field, text, here=here))
    if here:
        typed = Editor(text, min(form.cursor, len(text)))
        return (*head, *typed_line(typed, room[1], mask="*" if masked else ""))
    if masked and text:
        return (*head, (f"({len(text)} letters)", "muted"))
    first, *other = _OR_ELSE.split(text, maxsplit=1) if text else ["-"]
    line: Line = (*head, (first, "text" if text else "muted"))
    return (*line, (" | or else ", "key"), (other[0], "text")) if other else line


def _choices(field: Field, text: str, *, here: bool) -> list[Piece]:
    pieces: list[Piece] = []
    if field.kind == "bool":
        pieces.append(("[yes]" if text == "yes" else "[ ]", "text" if text == "yes" else "muted"))
    for name in field.choices if field.kind == "choice" else ():
        chosen = name == text
        pieces.append((f"[{name}]" if chosen else f" {name} ", "text" if chosen else "muted"))
    return [*pieces, (" Space changes", "hint")] if here else pieces


def form_need(scene: Scene, form: Form) -> int:
    """Lines of the form, with room for what it would mean."""
    ask = ask_of(scene, form.who)
    return (len(ask.fields) if ask else 1) + 2

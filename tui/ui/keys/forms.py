"""Keys in the order form. What is half-written stays a draft until it is sent, through a quit and a crash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tui.core.agenda import Field, FormAsk
from tui.core.encounter import label
from tui.core.text import clean
from tui.core.tokens import quote
from tui.ui.model.editor import Editor
from tui.ui.model.form import ask_of, initial, preview_of
from tui.ui.model.press import Press
from tui.ui.model.scene import due
from tui.ui.model.targets import who
from tui.ui.model.view import Form

if TYPE_CHECKING:
    from tui.ui.desk import Desk


def open_form(desk: Desk, key: str) -> None:
    """The form of an entry that owes one: as it was left, else with what the system proposes."""
    scene = desk.scene
    ask = ask_of(scene, key)
    if ask is None:
        desk.say(f"{label(scene.e, key)} owes no order", "hint")
        return
    texts = initial(ask) | _draft(desk, key)
    first = ask.fields[0].key if ask.fields else ""
    desk.show(mode=Form(key, texts, 0, len(texts.get(first, ""))), focus="orders")


def _draft(desk: Desk, key: str) -> dict[str, str]:
    """A half-written order, cleaned again, for it comes from a file."""
    try:
        found = json.loads(desk.drafts.get(_name(desk, key), "{}"))
    except ValueError:
        return {}
    return {str(k): clean(str(v)) for k, v in found.items()} if isinstance(found, dict) else {}


def _name(desk: Desk, key: str) -> str:
    return f"order {label(desk.store.e, key)}"


def press(desk: Desk, form: Form, key: Press) -> None:
    """One key."""
    ask = ask_of(desk.scene, form.who)
    if ask is None or not ask.fields:
        _send(desk, form) if ask and key.key == "enter" else close(desk)
        return
    match key.key:
        case "escape" | "ctrl+c":
            close(desk)
        case "enter":
            _send(desk, form)
        case "tab" | "down":
            _go(desk, form, ask, 1)
        case "shift+tab" | "up":
            _go(desk, form, ask, -1)
        case "ctrl+t":
            desk.show(masked=not desk.view.masked)
        case _:
            _type(desk, form, ask.fields[form.at % len(ask.fields)], key)


def close(desk: Desk) -> None:
    """Back to the board."""
    desk.show(mode=None, focus="")


def _go(desk: Desk, form: Form, ask: FormAsk, by: int) -> None:
    at = (form.at + by) % len(ask.fields)
    desk.show(mode=replace(form, at=at, cursor=len(form.texts.get(ask.fields[at].key, ""))))


def _type(desk: Desk, form: Form, field: Field, key: Press) -> None:
    if field.kind in ("bool", "choice"):
        _turn(desk, form, field, key)
        return
    moved = editor(desk, form).press(key.key)
    if moved is None and key.char:
        moved = editor(desk, form).insert(key.char)
    if moved is not None:
        typed(desk, form, moved)


def _turn(desk: Desk, form: Form, field: Field, key: Press) -> None:
    """Space and the arrows go through the choices; a letter takes the first that begins with it."""
    choices = ("", *field.choices) if field.kind == "choice" else ("", "yes")
    now = form.texts.get(field.key, "")
    at = choices.index(now) if now in choices else 0
    if key.key in ("space", "right", "left"):
        text = choices[(at + (-1 if key.key == "left" else 1)) % len(choices)]
    elif key.key in ("backspace", "delete") or key.char == "n":
        text = ""
    else:
        text = next((c for c in choices if key.char and c.startswith(key.char)), now)
    typed(desk, form, Editor.of(text))


def editor(desk: Desk, form: Form) -> Editor:
    """The field being written."""
    ask = ask_of(desk.scene, form.who)
    key = ask.fields[form.at % len(ask.fields)].key if ask and ask.fields else ""
    text = form.texts.get(key, "")
    return Editor(text, min(form.cursor, len(text)))


def typed(desk: Desk, form: Form, now: Editor) -> None:
    """The field reads like this now."""
    ask = ask_of(desk.scene, form.who)
    if ask is None or not ask.fields:
        return
    key = ask.fields[form.at % len(ask.fields)].key
    texts = {**form.texts, key: now.text}
    desk.show(mode=replace(form, texts=texts, cursor=now.at))
    if now.text != form.texts.get(key, ""):
        desk.keep(_name(desk, form.who), json.dumps(texts, ensure_ascii=False))


def _send(desk: Desk, form: Form) -> None:
    """Enter: the whole order; then the form of the next who owes one."""
    scene = desk.scene
    found = preview_of(scene, form)
    if found.errors:
        desk.say(found.errors[0], "error")
        return
    keys = "".join(f" {k}={quote(v.strip())}" for k, v in form.texts.items() if v.strip())
    name = _name(desk, form.who)
    if not desk.run(f"order {who(scene.e, (form.who,))}{keys}"):
        return
    desk.keep(name, "")
    owing = [a.who for a in due(desk.scene) if isinstance(a, FormAsk) and a.who != form.who]
    if owing:
        open_form(desk, owing[0])
    else:
        close(desk)

"""Keys in the order form. What is half-written stays a draft until it is sent, through a quit and a crash."""

from __future__ import annotations

import json

from msgspec.structs import replace

from tui.core.fight.agenda import Field, FormAsk
from tui.core.fight.encounter import label
from tui.core.fight.text import clean
from tui.core.language.tokens import quote
from tui.ui.keys.base import BaseDesk
from tui.ui.panes.form import ask_of, fields_of, filled_in, initial, preview_of
from tui.ui.state.editor import Editor
from tui.ui.state.press import Press
from tui.ui.state.scene import Scene, due
from tui.ui.state.targets import who
from tui.ui.state.view import Form


def open_form(desk: BaseDesk, key: str) -> None:
    """The order form of an entry: as it was left, else with what is written or what the system proposes."""
    if not _open(desk, Form(key)):
        desk.say(f"{label(desk.store.encounter, key)} owes no order", "hint")


def open_verb(desk: BaseDesk, verb: str) -> bool:
    """The form of a word of the system's own, if it has one now."""
    return _open(desk, Form("", verb=verb))


def _open(desk: BaseDesk, form: Form) -> bool:
    scene = desk.scene
    fields = fields_of(scene, form)
    if fields is None:
        return False
    begun = initial(scene, form, fields)
    # A draft may be older than the fields: keys that the system no longer asks for are dropped.
    texts = begun | {k: v for k, v in _draft(desk, form).items() if k in begun}
    first = fields[0].key if fields else ""
    desk.show(mode=replace(form, texts=texts, cursor=len(texts.get(first, ""))), focus="orders")
    return True


def _draft(desk: BaseDesk, form: Form) -> dict[str, str]:
    """The half-written fields, cleaned: they come from a file."""
    try:
        found = json.loads(desk.drafts.get(_name(desk, form), "{}"))
    except ValueError:
        return {}
    return {str(k): clean(str(v)) for k, v in found.items()} if isinstance(found, dict) else {}


def _name(desk: BaseDesk, form: Form) -> str:
    """The name of the draft: of an order that is owed, of one that is written again, or of a verb."""
    if form.verb:
        return form.verb
    owed = "order" if ask_of(desk.scene, form.who) else "again"
    return f"{owed} {label(desk.store.encounter, form.who)}"


def press(desk: BaseDesk, form: Form, key: Press) -> None:
    """One key."""
    fields = fields_of(desk.scene, form)
    if not fields:
        _send(desk, form) if fields is not None and key.key == "enter" else close(desk)
        return
    match key.key:
        case "escape" | "ctrl+c":
            close(desk)
        case "enter":
            _send(desk, form)
        case "tab" | "down":
            _go(desk, form, fields, 1)
        case "shift+tab" | "up":
            _go(desk, form, fields, -1)
        case "ctrl+t":
            desk.show(masked=not desk.view.masked)
        case _:
            _type(desk, form, fields[form.at % len(fields)], key)


def close(desk: BaseDesk) -> None:
    """Back to the board."""
    desk.show(mode=None, focus=None)


def _go(desk: BaseDesk, form: Form, fields: tuple[Field, ...], by: int) -> None:
    at = (form.at + by) % len(fields)
    desk.show(mode=replace(form, at=at, cursor=len(form.texts.get(fields[at].key, ""))))


def _type(desk: BaseDesk, form: Form, field: Field, key: Press) -> None:
    if field.kind in ("bool", "choice"):
        _turn(desk, form, field, key)
        return
    moved = editor(desk, form).press(key.key)
    if moved is None and key.char:
        moved = desk.typed_into(editor(desk, form), key.char)
    if moved is not None:
        typed(desk, form, moved)


def paste(desk: BaseDesk, form: Form, text: str) -> None:
    """Pasted text goes into a field of text, and is not taken for a choice."""
    fields = fields_of(desk.scene, form)
    if fields and fields[form.at % len(fields)].kind not in ("bool", "choice"):
        typed(desk, form, desk.typed_into(editor(desk, form), text))


def _turn(desk: BaseDesk, form: Form, field: Field, key: Press) -> None:
    """Space and the arrows go through the choices; a letter takes the first that begins with it."""
    choices = ("", *field.choices) if field.kind == "choice" else ("", "yes")
    now = form.texts.get(field.key, "")
    at = choices.index(now) if now in choices else 0
    if key.key in ("space", "right", "left"):
        text = choices[(at + (-1 if key.key == "left" else 1)) % len(choices)]
    elif key.key in ("backspace", "delete") or (field.kind == "bool" and key.char == "n"):
        text = ""
    else:
        text = next((c for c in choices if key.char and c.lower().startswith(key.char.lower())), now)
    typed(desk, form, Editor.of(text))


def editor(desk: BaseDesk, form: Form) -> Editor:
    """The field being written."""
    fields = fields_of(desk.scene, form)
    key = fields[form.at % len(fields)].key if fields else ""
    text = form.texts.get(key, "")
    return Editor(text, min(form.cursor, len(text)))


def typed(desk: BaseDesk, form: Form, now: Editor) -> None:
    """Puts the edited text into the field, and keeps it as a draft."""
    fields = fields_of(desk.scene, form)
    if not fields:
        return
    key = fields[form.at % len(fields)].key
    texts = {**form.texts, key: now.text}
    desk.show(mode=replace(form, texts=texts, cursor=now.at))
    # Moving the cursor writes no file.
    if now.text != form.texts.get(key, ""):
        desk.keep(_name(desk, form), json.dumps(texts, ensure_ascii=False))


def _send(desk: BaseDesk, form: Form) -> None:
    """Enter: the whole form; after an order that was owed, the form of the next who owes one."""
    scene = desk.scene
    found = preview_of(scene, form)
    if found.errors:
        desk.say(found.errors[0], "error")
        return
    owed = bool(ask_of(scene, form.who))
    name = _name(desk, form)
    # Lines sent before the refused one stand; the form stays open with the reason.
    if not all(desk.run(line) for line in _lines(scene, form)):
        return
    # Only now, when the order is in the journal, may its draft go.
    desk.keep(name, "")
    if owed:
        desk.keep(f"again {label(scene.encounter, form.who)}", "")  # of a round before
    owing = [a.who for a in due(desk.scene) if isinstance(a, FormAsk) and a.who != form.who] if owed else []
    if owing:
        open_form(desk, owing[0])
    else:
        close(desk)


def _lines(scene: Scene, form: Form) -> tuple[str, ...]:
    """The lines to send, each a step."""
    texts = filled_in(form)
    if form.verb:
        return scene.system.lines(scene.encounter, form.verb, texts)
    keys = "".join(f" {k}={quote(v)}" for k, v in texts.items())
    return (f"order {who(scene.encounter, (form.who,))}{keys}",)

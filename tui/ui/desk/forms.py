"""Keys in the order form. What is half-written stays a draft until it is sent, through a quit and a crash."""

from __future__ import annotations

import json

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.agenda import Field, FormAsk
from tui.core.fight.encounter import label, members
from tui.core.language.tokens import quote
from tui.ui.desk.base import BaseDesk
from tui.ui.state.filling import (
    Stop,
    ask_of,
    begun,
    editor_of,
    fields_of,
    filled_in,
    preview_of,
    stop_of,
    stops_of,
    ticked,
)
from tui.ui.state.scene import Scene, due, who
from tui.ui.state.view import Form
from tui.ui.text.editor import Editor
from tui.ui.text.press import DIGITS, Press


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
    first = begun(scene, form, fields)
    # A draft may be older than the fields: keys that the system no longer asks for are dropped.
    drafted = {k: v for k, v in _draft(desk, form).items() if k in first and v != first[k]}
    theirs = _players(desk, form)
    # A player's order is not replaced by the first letter that is typed out of habit.
    fresh = tuple(k for k, v in first.items() if v and k not in drafted and not theirs)
    _go(desk, replace(form, texts=first | drafted, fresh=fresh), fields, _first(fields))
    if theirs:
        desk.say(f"this is {theirs}'s order: ctrl+u empties a part, Esc leaves it as it is", "warning")
    return True


def _players(desk: BaseDesk, form: Form) -> str:
    """The player whose order stands already and is opened to be written anew; "" for none."""
    if form.verb or ask_of(desk.scene, form.who):
        return ""
    e = desk.store.encounter
    return next((c.owner for c in members(e, form.who) if c.owner), "") if e.orders.get(form.who) else ""


def _first(fields: tuple[Field, ...]) -> int:
    """The stop at which a form opens: a list in it, for who is there is asked most."""
    return next((i for i, stop in enumerate(stops_of(fields)) if stop.row), 0)


def _draft(desk: BaseDesk, form: Form) -> dict[str, str]:
    """The half-written fields of an order, cleaned: they come from a file."""
    # What a word of the system's own was asked for and not sent was given up.
    if form.verb:
        return {}
    try:
        found = json.loads(desk.drafts.get(_name(desk, form), "{}"))
    except ValueError:
        return {}
    return {str(k): clean(str(v)) for k, v in found.items()} if isinstance(found, dict) else {}


def _name(desk: BaseDesk, form: Form) -> str:
    """The name of the draft: of an order that is owed, or of one that is written again."""
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
            _go(desk, form, fields, form.at + 1)
        case "shift+tab" | "up":
            _go(desk, form, fields, form.at - 1)
        case "ctrl+t" if not form.verb:
            desk.show(masked=not desk.view.masked)
        case "ctrl+x":
            _elsewhere(desk, form)
        case _:
            _at(desk, form, fields, key)


def close(desk: BaseDesk) -> None:
    """Back to where the keys were before."""
    desk.show(mode=None)


def _go(desk: BaseDesk, form: Form, fields: tuple[Field, ...], to: int) -> None:
    """To another stop, with the cursor behind its text; before a text that the first letter replaces."""
    stops = stops_of(fields)
    at = to % len(stops) if stops else 0
    typed = stops[at].typed if stops else None
    end = len(form.texts.get(typed.key, "")) if typed and typed.key not in form.fresh else 0
    desk.show(mode=replace(form, at=at, cursor=end))


def _at(desk: BaseDesk, form: Form, fields: tuple[Field, ...], key: Press) -> None:
    """A key that means something where the cursor stands."""
    stops = stops_of(fields)
    stop = stops[form.at % len(stops)]
    if stop.row and _list_key(desk, form, stop, fields, key):
        return
    if stop.typed is None:
        if not stop.row:
            _turn(desk, form, stop.field, key)
        return
    # In a list the letters are keys, and only digits belong to the number.
    if not stop.row or not key.char or key.char in DIGITS:
        _type(desk, form, stop.typed, key)


def _list_key(desk: BaseDesk, form: Form, stop: Stop, fields: tuple[Field, ...], key: Press) -> bool:
    """Space ticks a row, A all of them or none, r says that this one rolls; j and k go to another row."""
    on, field = ticked(form, stop.field), stop.field
    match key.name:
        case "space":
            now = tuple(k for k in field.choices if (k in on) != (k == stop.row))
            _put(desk, form, field.key, ",".join(now))
        case "A":
            _put(desk, form, field.key, "" if len(on) == len(field.choices) else ",".join(field.choices))
        case "r" if stop.one:
            _put(desk, form, stop.one.key, "" if form.texts.get(stop.one.key) == stop.row else stop.row)
        case "j" | "k":
            _go(desk, form, fields, form.at + (1 if key.name == "j" else -1))
        case _:
            return False
    return True


def _type(desk: BaseDesk, form: Form, field: Field, key: Press) -> None:
    here = editor_of(form, field)
    if field.key in form.fresh:
        moved = _replaced(desk, here.text, key)
    else:
        moved = here.press(key.key)
        if moved is None and key.char:
            moved = desk.typed_into(here, key.char)
    if moved is not None:
        _put(desk, form, field.key, moved.text, moved.at)


def _replaced(desk: BaseDesk, proposed: str, key: Press) -> Editor | None:
    """What a key makes of a proposed text, as of text that is selected: arrows go into it, the rest replaces it."""
    match key.key:
        case "left" | "home":
            return Editor(proposed, 0)
        case "right" | "end" | "ctrl+e":
            return Editor.of(proposed)
        case _:
            erases = Editor(proposed, len(proposed)).press(key.key) is not None
            return desk.typed_into(Editor(), key.char) if key.char or erases else None


def _elsewhere(desk: BaseDesk, form: Form) -> None:
    """The text of the field is written on in the user's editor; nothing is sent by that."""
    stop = stop_of(desk.scene, form)
    if not stop or not stop.typed or stop.row:
        desk.say("there is no text here to write", "hint")
        return
    key = stop.typed.key

    def take(text: str) -> None:
        moved = desk.typed_into(Editor(), clean(text, LONGEST_LINE))
        _put(desk, form, key, moved.text, moved.at)

    try:
        desk.services.editor.edit(form.texts.get(key, ""), "order.txt", take)
    except RuleError as error:
        desk.refused(error)


def paste(desk: BaseDesk, form: Form, text: str) -> None:
    """Pasted text goes into a field of text, and is not taken for a choice."""
    stop = stop_of(desk.scene, form)
    if stop and stop.typed and not stop.row:
        key = stop.typed.key
        here = Editor() if key in form.fresh else editor_of(form, stop.typed)
        moved = desk.typed_into(here, text)
        _put(desk, form, key, moved.text, moved.at)


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
    _put(desk, form, field.key, text)


def _put(desk: BaseDesk, form: Form, key: str, text: str, cursor: int = 0) -> None:
    """Puts the text into the field, and keeps an order as a draft."""
    texts = {**form.texts, key: text}
    fresh = tuple(k for k in form.fresh if k != key)
    desk.show(mode=replace(form, texts=texts, cursor=cursor, fresh=fresh))
    # Moving the cursor writes no file.
    if not form.verb and text != form.texts.get(key, ""):
        desk.keep(_name(desk, form), json.dumps(texts, ensure_ascii=False))


def _send(desk: BaseDesk, form: Form) -> None:
    """Enter: the whole form; after an order that was owed, the form of the next who owes one."""
    scene = desk.scene
    found = preview_of(scene, form)
    if found.errors:
        sealed = desk.view.masked and not form.verb
        desk.say(
            "this cannot be sent: ctrl+t shows it and the reason" if sealed else found.errors[0], "error"
        )
        return
    owed = bool(ask_of(scene, form.who))
    name = "" if form.verb else _name(desk, form)
    # Lines sent before the refused one stand; the form stays open with the reason.
    if not all(desk.run(line) for line in _lines(scene, form)):
        return
    if name:
        # Only now, when the order is in the journal, may its draft go.
        desk.keep(name, "")
    else:
        desk.show(selected=())
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

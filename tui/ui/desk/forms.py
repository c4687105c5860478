"""Keys in the order form. What is half-written stays a draft until it is sent, through a quit and a crash."""

from __future__ import annotations

import json

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.agenda import Field, FormAsk, say
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import text
from tui.core.language.tokens import quote
from tui.ui.desk import totals
from tui.ui.desk.base import LOOKED_BACK, BaseDesk
from tui.ui.state import filling
from tui.ui.state.filling import (
    Stop,
    ask_of,
    begun,
    fields_of,
    is_written,
    lines_of,
    preview_of,
    stop_of,
    stops_of,
    ticked,
)
from tui.ui.state.scene import Scene, asked_first, due, left_empty, who
from tui.ui.state.view import Form, Notice, Page
from tui.ui.text.editor import Editor
from tui.ui.text.form import go, paste_into, press_into, put
from tui.ui.text.press import DIGITS, Press


def open_form(desk: BaseDesk, key: str) -> None:
    """Open the order form of an entry: as it was left, else with what is written or proposed."""
    if not _open(desk, Form(key)):
        desk.say(text(desk.store.encounter, say("{0} owes no order", key)), "hint")


def open_verb(desk: BaseDesk, verb: str) -> bool:
    """Open the form of a verb of the system, and return whether it has one now."""
    return _open(desk, Form("", verb=verb))


def open_area(desk: BaseDesk, _rest: str) -> None:
    """Open the form for damage to many: with the selected rows in it, and the numbers of the last area."""
    scene, store = desk.scene, desk.store
    fields = filling.fields(scene)
    if not fields[-1].choices:
        desk.say("nobody is there whom it could hit", "warning")
        return
    form = Form("", verb=filling.AREA)
    steps = range(store.step, max(0, store.step - LOOKED_BACK), -1)
    last = next((line for line in (store.done(s).line for s in steps) if line.startswith("area ")), "")
    texts = begun(scene, form, fields) | filling.before(last)
    fresh = frozenset(key for key, text in texts.items() if text and key != "who")
    _go(desk, replace(form, texts=texts, fresh=fresh), fields, 0)


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
    fresh = frozenset(k for k, v in first.items() if v and k not in drafted and not theirs)
    _go(desk, replace(form, texts=first | drafted, fresh=fresh), fields, _first(fields))
    if theirs:
        desk.say(f"this is {theirs}'s order: ctrl+u empties a part, Esc leaves it as it is", "warning")
    return True


def _players(desk: BaseDesk, form: Form) -> str:
    """Return the player whose written order is opened to be written again; "" for none."""
    if form.verb or ask_of(desk.scene, form.who):
        return ""
    e = desk.store.encounter
    return next((c.owner for c in members(e, form.who) if c.owner), "") if e.orders.get(form.who) else ""


def _first(fields: tuple[Field, ...]) -> int:
    """Return the stop at which a form opens: a list in it, for who is there is asked most."""
    return next((i for i, stop in enumerate(stops_of(fields)) if stop.row), 0)


def _draft(desk: BaseDesk, form: Form) -> dict[str, str]:
    """Return the half-written fields of an order, cleaned: they come from a file."""
    # What a word of the system's own was asked for and not sent was given up.
    if form.verb:
        return {}
    try:
        value = json.loads(desk.drafts.get(_name(desk, form), "{}"))
    except ValueError:
        return {}
    return {str(k): clean(str(v)) for k, v in value.items()} if isinstance(value, dict) else {}


def _name(desk: BaseDesk, form: Form) -> str:
    """Return the name of the draft: of an order that is owed, or of one that is written again."""
    owed = "order" if ask_of(desk.scene, form.who) else "again"
    return f"{owed} {label(desk.store.encounter, form.who)}"


def press(desk: BaseDesk, form: Form, key: Press) -> None:
    """Take one key."""
    fields = fields_of(desk.scene, form)
    if not fields:
        send(desk, form) if fields is not None and key.key == "enter" else close(desk)
        return
    match key.key:
        case "escape" | "ctrl+c":
            close(desk)
        case "enter":
            _enter(desk, form)
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
    """Close the form: the keys go where they went before."""
    desk.show(mode=None)


def _go(desk: BaseDesk, form: Form, fields: tuple[Field, ...], to: int) -> None:
    """Move the cursor to another stop."""
    desk.show(mode=go(form, [stop.typed.key if stop.typed else "" for stop in stops_of(fields)], to))


def _at(desk: BaseDesk, form: Form, fields: tuple[Field, ...], key: Press) -> None:
    """Take a key that means something where the cursor stands."""
    stops = stops_of(fields)
    stop = stops[form.at % len(stops)]
    if stop.row and _list_key(desk, form, stop, fields, key):
        return
    field = stop.number if stop.row else stop.field
    # Where nothing is typed j and k move as in a list, unless a choice begins so.
    if key.name in ("j", "k") and not stop.row and stop.typed is None and not _begins(stop.field, key.name):
        _go(desk, form, fields, form.at + (1 if key.name == "j" else -1))
        return
    # In a list the letters are keys, and only digits belong to the number.
    if field and (not stop.row or not key.char or key.char in DIGITS):
        _changed(desk, form, press_into(form, field, key, desk.typed_into))


def _begins(field: Field | None, letter: str) -> bool:
    """Return whether a letter takes one of the choices."""
    return field is not None and any(choice.lower().startswith(letter) for choice in field.choices)


def _list_key(desk: BaseDesk, form: Form, stop: Stop, fields: tuple[Field, ...], key: Press) -> bool:
    """Take a key of a list: Space ticks a row, A all or none, r lets this one roll; j and k move."""
    on, field = ticked(form, stop.field), stop.field
    match key.name:
        case "space":
            now = tuple(k for k in field.choices if (k in on) != (k == stop.row))
            if stop.one and stop.row in on and form.texts.get(stop.one.key) == stop.row:
                form = put(form, stop.one.key, "", 0)  # who is not there rolls nothing
            _put(desk, form, field.key, ",".join(now))
        case "A" if form.verb == filling.AREA:
            side = [k for k in filling.side_of(desk.store.encounter, stop.row) if k in field.choices]
            whole = {*side} <= {*on}
            # Once more takes them out again.
            now = tuple(k for k in field.choices if (not whole if k in side else k in on))
            _put(desk, form, field.key, ",".join(now))
        case "A":
            _put(desk, form, field.key, "" if len(on) == len(field.choices) else ",".join(field.choices))
        case "r" if stop.one:
            if form.texts.get(stop.one.key) == stop.row:
                _put(desk, form, stop.one.key, "")
                return True
            # Who rolls is there.
            now = tuple(k for k in field.choices if k in on or k == stop.row)
            _put(desk, put(form, field.key, ",".join(now), 0), stop.one.key, stop.row)
        case "j" | "k":
            _go(desk, form, fields, form.at + (1 if key.name == "j" else -1))
        case _:
            return False
    return True


def _elsewhere(desk: BaseDesk, form: Form) -> None:
    """Open the text of the field in the user's editor; nothing is sent by that."""
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
    """Insert pasted text into a field of text; it is not taken for a choice."""
    stop = stop_of(desk.scene, form)
    if stop and stop.typed and not stop.row:
        _changed(desk, form, paste_into(form, stop.typed, text, desk.typed_into))


def _put(desk: BaseDesk, form: Form, key: str, text: str, cursor: int = 0) -> None:
    _changed(desk, form, put(form, key, text, cursor))


def _changed(desk: BaseDesk, before: Form, form: Form) -> None:
    """Show the form after a key, and keep an order as a draft."""
    desk.show(mode=form)
    # Moving the cursor writes no file.
    if not form.verb and form.texts != before.texts:
        desk.keep(_name(desk, form), json.dumps(form.texts, ensure_ascii=False))


def _enter(desk: BaseDesk, form: Form) -> None:
    """Send the form; of an order without a word ask first whether that is meant."""
    scene, e = desk.scene, desk.store.encounter
    written = form.verb or any(form.texts.values())
    if not written and (ask_of(scene, form.who) or is_written(scene, form.who)):
        name = label(e, form.who)
        warning = f"No part of the order of {name} is written: sent so, nothing at all is done in this round."
        nothing = text(e, say("{0} does nothing at all this round", form.who))
        asks = f"{nothing}? [y] sends the empty order, [Esc] goes back"
        desk.show(mode=Page(f"Order: {name}", (warning,), beside=True, back=form, asks=asks))
    elif not written and any(a.who == form.who for a in asked_first(scene)):
        # Nothing to say of it: that is no step, and is not asked again in this round.
        desk.show(passed=(*desk.view.passed, left_empty(e, form.who)))
        _next(desk, form.who)
    else:
        send(desk, form)


def send(desk: BaseDesk, form: Form) -> None:
    """Send the form as it is; after an order that was asked for, open the form of the next."""
    scene = desk.scene
    preview = preview_of(scene, form)
    if preview.errors:
        _to_part(desk, form, preview.errors[0])
        sealed = desk.view.masked and not form.verb
        reason = Notice(preview.errors[0], "error", preview.hint)
        desk.show(
            notice=Notice("this cannot be sent: ctrl+t shows it and the reason", "error")
            if sealed
            else reason
        )
        return
    owed = bool(ask_of(scene, form.who)) or any(a.who == form.who for a in asked_first(scene))
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
    if owed:
        _next(desk, form.who)
        return
    close(desk)
    if form.verb == filling.AREA and desk.store.encounter.area:
        totals.totals(desk, "")


def _to_part(desk: BaseDesk, form: Form, error: str) -> None:
    """Put the cursor on the part that is refused, where the refusal begins with its word."""
    fields = fields_of(desk.scene, form) or ()
    part = error.partition(":")[0]
    if at := [i for i, stop in enumerate(stops_of(fields)) if not stop.row and stop.field.key == part]:
        _go(desk, form, fields, at[0])


def _next(desk: BaseDesk, before: str) -> None:
    """Open the form that is asked for next; without one go back to the board."""
    asked = [*asked_first(desk.scene), *(a for a in due(desk.scene) if isinstance(a, FormAsk))]
    if others := [a.who for a in asked if a.who != before]:
        open_form(desk, others[0])
    else:
        close(desk)


def _lines(scene: Scene, form: Form) -> tuple[str, ...]:
    """Return the lines to send, each a step."""
    if form.verb:
        return lines_of(scene, form)
    keys = "".join(f" {k}={quote(v)}" for k, v in form.filled.items())
    return (f"order {who(scene.encounter, (form.who,))}{keys}",)

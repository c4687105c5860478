"""A form: an order or the words of a verb, field by field.

An unfinished order stays a draft until it is sent.
"""

from __future__ import annotations

import json
from typing import ClassVar

from msgspec.structs import replace

from tui.core.base.text import LONGEST_LINE, clean
from tui.core.fight.agenda import Field, FormAsk, say
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import text
from tui.core.language.tokens import quote
from tui.ui.desk.base import MOST_LOOKED_BACK, BaseDesk
from tui.ui.modes.fields import form_need, form_rows_of, must_hide_texts
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.modes.page import Page
from tui.ui.panes.keyed import key_row
from tui.ui.panes.orders import order_lines
from tui.ui.state import filling
from tui.ui.state.filling import (
    FormTexts,
    Stop,
    ask_of,
    fields_of,
    initial_texts,
    lines_of,
    preview_of,
    stop_of,
    stops_of,
    ticked_rows,
    written_text,
)
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene, asked_first, due, passed_key, write_who
from tui.ui.state.view import Notice
from tui.ui.text.editor import Editor
from tui.ui.text.form import OLD_PARTS, count_moves, go, paste_into, press_into, put, without_old
from tui.ui.text.press import DIGITS, Press
from tui.ui.text.rows import Box, Row

AS_BEFORE_NOTE = "= marks last round's text: type over it, or keep it"
"""The note on the mark before proposed fields of an order."""
AS_WRITTEN = "= marks the written order: type over it, or keep it"
PROPOSAL_NOTE = "= marks a proposal: type over it, or keep it"


class Form(FormTexts, KeyMode, frozen=True):
    """The form of an order for row `who`, or of the verb `verb` with `who` empty."""

    is_modal: ClassVar[bool] = True
    is_typed: ClassVar[bool] = True

    @property
    def where(self) -> Where:
        """The place of the form on the screen."""
        return "sheet"

    @property
    def writes(self) -> str:
        """The key of the row whose order is being written."""
        return self.who

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        fields = fields_of(desk.scene, self)
        if not fields:
            if fields is not None and key.key == "enter":
                self.send(desk)
            else:
                desk.show(mode=None)
            return
        match key.key:
            case "escape" | "ctrl+c":
                desk.show(mode=None)
            case "enter":
                self.enter(desk)
            case "ctrl+t" if not self.verb:
                desk.mask()
            case "ctrl+x":
                self._open_editor(desk)
            case _:
                self._press_at(desk, fields, key)

    def _go(self, desk: BaseDesk, fields: tuple[Field, ...], to: int) -> None:
        """Move focus to another place in the form."""
        desk.show(
            mode=go(self, [stop.text_field.key if stop.text_field else "" for stop in stops_of(fields)], to)
        )

    def _press_at(self, desk: BaseDesk, fields: tuple[Field, ...], key: Press) -> None:
        """Handle a key that depends on the place in focus."""
        stops = stops_of(fields)
        stop = stops[self.at % len(stops)]
        if stop.row and self._list_key(desk, stop, fields, key):
            return
        field = stop.number if stop.row else stop.field
        if by := count_moves(stop.field, key, typed=stop.text_field is not None):
            self._go(desk, fields, self.at + by)
        # In a list characters are commands, and only digits go into the number.
        elif field and (not stop.row or not key.char or key.char in DIGITS):
            self._show_change(desk, press_into(self, field, key, desk.typed_into))

    def _list_key(self, desk: BaseDesk, stop: Stop, fields: tuple[Field, ...], key: Press) -> bool:
        """Handle a key of a list and return whether it was one.

        Space ticks the row, A all or none, r marks the row as the one that rolls, j and k move.
        """
        on, field = ticked_rows(self, stop.field), stop.field
        match key.name:
            case "space":
                now = tuple(k for k in field.choices if (k in on) != (k == stop.row))
                gone = stop.one and stop.row in on and self.texts.get(stop.one.key) == stop.row
                form = (
                    put(self, stop.one.key, "") if stop.one and gone else self
                )  # a creature that is not ticked rolls nothing
                self._show_change(desk, put(form, field.key, ",".join(now)))
            case "A":
                self._show_change(desk, put(self, field.key, ",".join(self._everybody(desk, stop, on))))
            case "r" if stop.one:
                if self.texts.get(stop.one.key) == stop.row:
                    self._show_change(desk, put(self, stop.one.key, ""))
                    return True
                # A creature with a roll is ticked.
                now = tuple(k for k in field.choices if k in on or k == stop.row)
                self._show_change(desk, put(put(self, field.key, ",".join(now)), stop.one.key, stop.row))
            case "j" | "k":
                self._go(desk, fields, self.at + (1 if key.name == "j" else -1))
            case _:
                return False
        return True

    def _everybody(self, desk: BaseDesk, stop: Stop, on: tuple[str, ...]) -> tuple[str, ...]:
        """Return the ticked rows after A: all of them, or none if all were ticked already.

        In the form for areas, A concerns only the rows of this row's side.
        """
        choices = stop.field.choices
        area = self.verb == filling.AREA
        some = {*filling.side_of(desk.store.encounter, stop.row)} if area else {*choices}
        whole = some & {*choices} <= {*on}
        # A second A unticks them.
        return tuple(k for k in choices if (not whole if k in some else k in on))

    def _open_editor(self, desk: BaseDesk) -> None:
        """Edit the text of the field in the user's editor; this sends nothing."""
        stop = stop_of(desk.scene, self)
        if not stop or not stop.text_field or stop.row:
            desk.say("this field takes no text", "hint")
            return
        key = stop.text_field.key

        def take(text: str) -> None:
            editor = desk.typed_into(Editor(), clean(text, LONGEST_LINE))
            self._show_change(desk, put(self, key, editor.text, editor.at))

        desk.edit(self.texts.get(key, ""), "order.txt", take)

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Insert pasted text into a text field; other fields ignore it."""
        del text
        stop = stop_of(desk.scene, self)
        if stop and stop.text_field and not stop.row:
            self._show_change(desk, paste_into(self, stop.text_field, typed, desk.typed_into))
        return True

    def _show_change(self, desk: BaseDesk, form: Form) -> None:
        """Show the form after a key, and keep an order as a draft."""
        desk.show(mode=form)
        # Moving the cursor writes no file.
        if not form.verb and form.texts != self.texts:
            desk.keep(_name(desk, form), json.dumps(form.texts, ensure_ascii=False))

    # --- sending

    def enter(self, desk: BaseDesk) -> None:
        """Send the form; if its order is in doubt, first ask whether it is meant."""
        scene, e = desk.scene, desk.store.encounter
        filled = self.verb or any(self.texts.values())
        if reason := self._doubt(scene):
            asks = f"{reason[1]}, [Esc] goes back"
            page = OldParts if OLD_PARTS in asks else Page
            desk.show(
                mode=page(f"Order: {label(e, self.who)}", reason[:-1], beside=True, back=self, asks=asks)
            )
        elif not filled and any(a.who == self.who for a in asked_first(scene)):
            # No message: this is not a step, and is not asked again in this round.
            desk.show(skipped_forms=(*desk.view.skipped_forms, passed_key(e, self.who)))
            _next(desk, self.who)
        else:
            self.send(desk)

    def _doubt(self, scene: Scene) -> tuple[str, str] | None:
        """Return a warning and a question to confirm before the order is sent; None if it can be sent.

        Asked are orders without any text, orders that changed elsewhere since the form was opened, proposed
        parts beside a new one, and orders that their preview doubts.
        """
        if self.verb:
            return None
        e, stands = scene.encounter, written_text(scene, self.who)
        name = label(e, self.who)
        replaces = "It replaces the order that is written already." if stands else ""
        if not any(self.texts.values()) and (ask_of(scene, self.who) or stands):
            warning = f"No part of the order of {name} is written: if it is sent, nothing is done this round."
            warning_text = text(e, say("{0} does nothing at all this round", self.who))
            return f"{warning} {replaces}".strip(), f"{warning_text}? [y] sends the empty order"
        if stands and stands != self.stood:
            question = f"The order of {name} was written since this form was opened: [y] replaces it"
            return " ".join(order_lines(scene, self.who)), question
        # A question about a masked order would quote it; a written order is only changed in part.
        is_hidden = must_hide_texts(scene, self)
        if not stands and not is_hidden and (old := self.old(fields_of(scene, self) or ())):
            return f"{', '.join(old)}: as proposed", OLD_PARTS
        preview = preview_of(scene, self)
        if any(self.texts.values()) and preview.doubts and not preview.errors and not is_hidden:
            return "; ".join(preview.doubts), f"{name}: is the order meant so? [y] sends it all the same"
        return None

    def confirm(self, desk: BaseDesk) -> None:
        """Send the form after the question was answered with yes."""
        self.send(desk)

    def send(self, desk: BaseDesk) -> None:
        """Send the form as it is; after an owed order, open the form of the next one."""
        scene = desk.scene
        preview = preview_of(scene, self)
        if preview.errors:
            self._go_to_error(desk, preview.errors[0])
            sealed = must_hide_texts(scene, self)
            wrong = Notice("this cannot be sent: ctrl+t shows it and the reason", "error")
            desk.show(notice=wrong if sealed else Notice(preview.errors[0], "error", preview.hint))
            return
        is_due = bool(ask_of(scene, self.who)) or any(a.who == self.who for a in asked_first(scene))
        # Lines sent before the refused one stay done; the form stays open with the reason.
        if not all(desk.run(line) for line in self._lines(scene)):
            return
        if self.verb:
            desk.show(selected=())
        else:
            # Drafts go only now, when the order is in the journal: also those of an earlier round, and of
            # the time before a seat wrote the order.
            for kind in ("order", "again"):
                desk.keep(f"{kind} {label(scene.encounter, self.who)}", "")
        if is_due:
            _next(desk, self.who)
            return
        desk.show(mode=None)
        if self.verb == filling.AREA and desk.store.encounter.area:
            desk.submit("totals")

    def _go_to_error(self, desk: BaseDesk, error: str) -> None:
        """Move focus to the field that an error names before its colon, if any."""
        fields = fields_of(desk.scene, self) or ()
        part = error.partition(":")[0]
        if at := [i for i, stop in enumerate(stops_of(fields)) if not stop.row and stop.field.key == part]:
            self._go(desk, fields, at[0])

    def _lines(self, scene: Scene) -> tuple[str, ...]:
        """Return the lines to send, one for each step."""
        if self.verb:
            return lines_of(scene, self)
        keys = "".join(f" {k}={quote(v)}" for k, v in self.filled_texts.items())
        return (f"order {write_who(scene.encounter, (self.who,))}{keys}",)

    # --- what is shown

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the form can use."""
        return form_need(scene, self, width)

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, the fields around the cursor, and the preview below them."""
        return form_rows_of(scene, self, box.width, box.height)

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question of a verb's form: the title of its list, else the verb. None for an order."""
        if not self.verb:
            return None
        titles = [f.title for f in fields_of(scene, self) or () if f.kind == "list"]
        title = titles[0] if titles else self.verb
        wanted = f"{title[0].upper()}{title[1:].rstrip('?')}?"
        return Asks(wanted, key_row("Enter", "sends it"), (key_row("Esc", "drops this form"), act))

    def remarks(self, scene: Scene) -> tuple[str, ...] | None:
        """Return the note on the mark before filled fields, () if no field has one."""
        if not any(self.texts.get(key) for key in self.fresh):
            return ()
        if written_text(scene, self.who):
            return (AS_WRITTEN,)
        return (AS_BEFORE_NOTE if scene.encounter.round > 1 else PROPOSAL_NOTE,)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints for the place in focus; Esc says what happens to the text."""
        stop = stop_of(scene, self)
        pairs: list[tuple[str, str]] = [("Enter", "send")]
        if stop and stop.row:
            pairs += [("Space", "there"), *([("digits", "squares")] if stop.number else [])]
            pairs += [*([("r", "rolls")] if stop.one else [])]
            pairs += [("A", "side" if self.verb == filling.AREA else "all"), ("j/k", "row")]
        elif stop and stop.text_field is None:
            pairs += [("Space", "changes")]
        elif stop and stop.text_field and stop.text_field.key in self.fresh:
            pairs += [("letters", "replace")]
        pairs += [("Tab", "next")]
        if self.verb:
            return (*pairs, ("Esc", "drop"))
        return (*pairs, ("ctrl+t", "unseen"), ("Esc", "keeps a draft"))


class OldParts(Page, frozen=True):
    """The question whether parts that still hold a proposal are sent too; then the order is checked again."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.key not in ("y", "n") or not isinstance(self.back, Form):
            Page.press(self, desk, key)
        elif desk.may_answer():
            form = replace(self.back, fresh=frozenset()) if key.key == "y" else without_old(self.back)
            desk.show(mode=form)
            form.enter(desk)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        yes, *others = Page.hints(self, scene)
        return (yes, ("n", "leave out"), *others)


# --- opening


def open_form(desk: BaseDesk, key: str) -> None:
    """Open the order form of a row, with its draft, else with what is written or proposed."""
    if not _open(desk, Form(key)):
        desk.say(text(desk.store.encounter, say("{0} owes no order", key)), "hint")


def open_verb(desk: BaseDesk, verb: str) -> bool:
    """Open the form of a verb of the system; return False if it has none now."""
    return _open(desk, Form("", verb=verb))


def open_area(desk: BaseDesk, _rest: str) -> None:
    """Open the form for damage to many, with the selected rows ticked and the numbers of the last area."""
    scene, store = desk.scene, desk.store
    fields = filling.fields(scene)
    if not fields[-1].choices:
        desk.say("there is no target", "warning")
        return
    form = Form("", verb=filling.AREA)
    steps = range(store.step, max(0, store.step - MOST_LOOKED_BACK), -1)
    last = next((line for line in (store.done(s).line for s in steps) if line.startswith("area ")), "")
    texts = initial_texts(scene, form, fields) | filling.recall_area(last)
    fresh = frozenset(key for key, text in texts.items() if text and key != "who")
    desk.show(mode=_go_to_stop(replace(form, texts=texts, fresh=fresh), fields, 0))


def _go_to_stop(form: Form, fields: tuple[Field, ...], first: int) -> Form:
    return go(form, [stop.text_field.key if stop.text_field else "" for stop in stops_of(fields)], first)


def _open(desk: BaseDesk, form: Form) -> bool:
    scene = desk.scene
    fields = fields_of(scene, form)
    if fields is None:
        return False
    first = initial_texts(scene, form, fields)
    # A draft may be older than the fields: keys that the system no longer asks for are dropped.
    drafted = {k: v for k, v in _draft(desk, form).items() if k in first and v != first[k]}
    theirs = _players(desk, form)
    # A player's order is not replaced by the first character that is typed out of habit.
    fresh = frozenset(k for k, v in first.items() if v and k not in drafted and not theirs)
    stood = {} if form.verb else written_text(scene, form.who)
    opened = replace(form, texts=first | drafted, fresh=fresh, stood=stood)
    desk.show(mode=_go_to_stop(opened, fields, _first_stop(fields)))
    if theirs:
        desk.say(f"this is {theirs}'s order: ctrl+u empties a part, Esc leaves it as it is", "warning")
    return True


def _players(desk: BaseDesk, form: Form) -> str:
    """Return the player whose written order is being rewritten, or ""."""
    if form.verb or ask_of(desk.scene, form.who):
        return ""
    e = desk.store.encounter
    return next((c.owner for c in members(e, form.who) if c.owner), "") if e.orders.get(form.who) else ""


def _first_stop(fields: tuple[Field, ...]) -> int:
    """Return the number of the place in focus when a form opens: the first row of a list, else 0."""
    return next((i for i, stop in enumerate(stops_of(fields)) if stop.row), 0)


def _draft(desk: BaseDesk, form: Form) -> dict[str, str]:
    """Return the draft of an order, cleaned because it comes from a file."""
    # An unsent form of a verb was given up on purpose.
    if form.verb:
        return {}
    try:
        value = json.loads(desk.drafts.get(_name(desk, form), "{}"))
    except ValueError:
        return {}
    return {str(k): clean(str(v)) for k, v in value.items()} if isinstance(value, dict) else {}


def _name(desk: BaseDesk, form: Form) -> str:
    """Return the name of the order's draft; an owed order and a rewritten one have different drafts."""
    kind = "order" if ask_of(desk.scene, form.who) else "again"
    return f"{kind} {label(desk.store.encounter, form.who)}"


def _next(desk: BaseDesk, before: str) -> None:
    """Open the next owed form, first those that no connected player can write; if none is owed, close."""
    asks = [*asked_first(desk.scene), *(a for a in due(desk.scene) if isinstance(a, FormAsk))]
    others = [a.who for a in asks if a.who != before]
    present = desk.services.present() if others else frozenset()
    e = desk.store.encounter
    # Stable: the order of the forms stays within both parts.
    others.sort(key=lambda key: any(c.owner.lower() in present for c in members(e, key) if c.owner))
    if others:
        open_form(desk, others[0])
    else:
        desk.show(mode=None)


WORDS = {"blast": open_area}

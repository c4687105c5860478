"""A form: an order or the words of a verb, field by field, with its keys and its drawing.

An unfinished order stays a draft until it is sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.fight.agenda import Field, FormAsk, Preview, say
from tui.core.fight.encounter import active, label, members
from tui.core.fight.viewer import text
from tui.core.language.creature_actions import Area, OwnVerb
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote
from tui.core.language.values import spell
from tui.core.rules.decide import refusal
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import orders_of
from tui.core.rules.system import is_gmless
from tui.ui.desk.base import MOST_LOOKED_BACK, BaseDesk
from tui.ui.modes import area
from tui.ui.modes.menu import Menu
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.modes.page import Page
from tui.ui.panes.creatures import held_words
from tui.ui.panes.keyed import key_row
from tui.ui.panes.orders import order_lines
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import (
    Scene,
    asked_first,
    creatures,
    current,
    due,
    has_hidden_orders,
    is_sealed,
    passed_key,
    row_name,
    selected_rows,
    write_who,
)
from tui.ui.state.view import Notice
from tui.ui.text.editor import Editor, typed_line, typed_rows
from tui.ui.text.glyphs import Glyphs
from tui.ui.text.held import points
from tui.ui.text.menu import Choices, Item
from tui.ui.text.palette import Role
from tui.ui.text.press import DIGITS, STEPS, Press
from tui.ui.text.rows import (
    Box,
    Piece,
    Row,
    cells,
    clip,
    frame_title,
    pad_rows,
    span,
    title_row,
    words,
    wrap_text,
)

AS_BEFORE_NOTE = "= marks last round's text: type over it, or keep it"
"""The note on the mark before proposed fields of an order."""
AS_WRITTEN = "= marks the written order: type over it, or keep it"
PROPOSAL_NOTE = "= marks a proposal: type over it, or keep it"
OLD_PARTS = "[y] sends them too, [n] leaves them out"
"""The answers to the question about parts that still hold a proposal."""
_OR_ELSE = re.compile(r" (?=or else\b)", re.IGNORECASE)
LETTERS_PER_COLUMN = 4
"""The most code points per column that are laid out for a field."""
MOST_FIELD_ROWS = 8
"""The most rows that a field takes."""
LEAST_LIST_ROWS = 3
"""How many rows of a list stay visible if the form does not fit."""
AMOUNT_WIDTH = 4
"""The columns for the number in a list's row."""
MASK_WIDTH = 8
"""Dots in place of a text that is hidden, whatever its length."""


class Stop(Struct, frozen=True):
    """A place where the cursor can stop: a field, or a row of a list."""

    field: Field
    """The field that has the place."""
    row: str = ""
    """The key of the row of a list, "" for a field."""
    number: Field | None = None
    """The field for the number that is typed in the list's row, None if rows take no number."""
    one: Field | None = None
    """The field that picks one row of the list, None if there is no such choice."""

    @property
    def text_field(self) -> Field | None:
        """The field that typed characters go into, None if nothing can be typed."""
        if self.row:
            return self.number
        return self.field if _is_typed(self.field) else None


class Form(KeyMode, frozen=True):
    """The form of an order for row `who`, or of the verb `verb` of a system with `who` empty."""

    who: str
    verb: str = ""
    texts: Mapping[str, str] = {}
    """The text of each field, by the field's key."""
    at: int = 0
    """The index of the place that has focus."""
    cursor: int = 0
    """The cursor's index in the text of the place in focus."""
    fresh: frozenset[str] = frozenset()
    """Keys of fields that still hold a proposal, which the first typed character replaces."""
    stood: Mapping[str, str] = {}
    """The order as it was saved when the form was opened, by part; {} for none."""
    is_modal: ClassVar[bool] = True
    is_typed: ClassVar[bool] = True

    is_unasked: bool = False
    """Whether the form opened by itself and no key was pressed in it yet."""
    held: str = ""
    """The first character, if it is a command of the board: the next key says what it is."""

    def editor(self, key: str) -> Editor:
        """Return an editor with the text of a field and the form's cursor."""
        text = self.texts.get(key, "")
        return Editor(text, min(self.cursor, len(text)))

    @property
    def filled_texts(self) -> dict[str, str]:
        """The stripped texts of the fields that are not empty, by key."""
        return {key: text.strip() for key, text in self.texts.items() if text.strip()}

    def old(self, fields: Iterable[Field]) -> tuple[str, ...]:
        """Return the titles of parts that still hold a proposal while another was typed; () if none was."""
        old = [f.title for f in fields if f.key in self.fresh and self.texts.get(f.key)]
        return tuple(old) if any(key not in self.fresh for key in self.filled_texts) else ()

    def put(self, key: str, text: str, cursor: int = 0) -> Form:
        """Return the form with `text` in the field `key`, the cursor at `cursor`, and no proposal there."""
        return replace(self, texts={**self.texts, key: text}, cursor=cursor, fresh=self.fresh - {key})

    def go(self, fields: Iterable[Field], to: int) -> Form:
        """Return the form with another place in focus; numbers wrap around.

        The cursor goes to the end of a text, but to the beginning of a proposal.
        """
        stops = stops_of(fields)
        at = to % len(stops) if stops else 0
        field = stops[at].text_field if stops else None
        key = field.key if field else ""
        return replace(self, at=at, cursor=0 if key in self.fresh else len(self.texts.get(key, "")))

    def without_old(self) -> Form:
        """Return the form without the parts that still hold a proposal."""
        texts = {key: text for key, text in self.texts.items() if key not in self.fresh}
        return replace(self, texts=texts, fresh=frozenset())

    @property
    def where(self) -> Where:
        """The place of the form on the screen."""
        return "sheet"

    @property
    def writes(self) -> str:
        """The key of the row whose order is being written."""
        return self.who

    # --- keys

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if self.is_unasked and self._holds(desk, key):
            return
        fields = fields_of(desk.scene, self)
        if not fields:
            if fields is not None and key.key == "enter":
                self.send(desk)
            else:
                desk.dismiss()
            return
        match key.key:
            case "escape" | "ctrl+c":
                desk.dismiss()
            case "enter":
                self.enter(desk)
            case "ctrl+t" if not self.verb:
                desk.mask(writes=not must_hide_texts(desk.scene, self))
            case _:
                self._press_at(desk, fields, key)

    def _holds(self, desk: BaseDesk, key: Press) -> bool:
        """Hold the first character if the board has it as a command; return whether the key is dealt with."""
        stop, command = stop_of(desk.scene, self), desk.keys.commands.get(key.char or "")
        form, held = replace(self, is_unasked=False, held=""), Press(self.held, self.held)
        if not self.held:
            if command and stop and stop.text_field and not stop.row:
                desk.show(mode=replace(self, held=key.name))
                who = label(desk.store.encounter, self.who)
                desk.notify(
                    f"[Enter] {command.hint}, or type on: {key.char} begins the order of {who}", "hint"
                )
                return True
            desk.show(mode=form)
            return False
        desk.show(mode=form)
        if key.key == "enter":
            desk.dismiss()
            desk.press(held)
        elif key.char:
            form.press(desk, held)
            typed = desk.view.mode
            assert isinstance(typed, Form)
            typed.press(desk, key)
        return True

    def _press_at(self, desk: BaseDesk, fields: tuple[Field, ...], key: Press) -> None:
        """Handle a key that depends on the place in focus."""
        stops = stops_of(fields)
        stop = stops[self.at % len(stops)]
        if stop.row and self._list_key(desk, stop, fields, key):
            return
        field = stop.number if stop.row else stop.field
        if by := count_moves(stop.field, key, typed=stop.text_field is not None):
            desk.show(mode=self.go(fields, self.at + by))
        # In a list characters are commands, and only digits go into the number.
        elif field and (not stop.row or not key.char or key.char in DIGITS):
            form = self._press_into(field, key, desk.typed_into)
            self._show_change(desk, self._share(desk, stops, stop, form) if stop.row else form)

    def _share(self, desk: BaseDesk, stops: Sequence[Stop], stop: Stop, form: Form) -> Form:
        """Return the form with the number of a row also in the group's later rows that had the same."""
        people, number = desk.store.encounter.combatants, stop.number
        group = people[stop.row].group if stop.row in people else ""
        for x in stops[stops.index(stop) + 1 :] if group and number else ():
            same = x.number and x.row in people and people[x.row].group == group
            if number and x.number and same and self.texts.get(x.number.key) == self.texts.get(number.key):
                texts = {**form.texts, x.number.key: form.texts.get(number.key, "")}
                form = replace(form, texts=texts, fresh=form.fresh | {x.number.key})
        return form

    def _press_into(self, field: Field, key: Press, insert: Insert) -> Form:
        """Return the form after a key in this field that neither submits nor leaves the field."""
        if not _is_typed(field):
            return self._turn(field, key)
        editor = self.editor(field.key)
        if field.key in self.fresh:
            moved = _replace_proposal(editor.text, key, insert)
        else:
            moved = editor.press(key.key)
            if moved is None and key.char:
                moved = insert(editor, key.char)
        return self if moved is None else self.put(field.key, moved.text, moved.at)

    def _turn(self, field: Field, key: Press) -> Form:
        """Return the form with another value of a choice: Space and arrows take the next or previous one.

        A character takes the first value that begins with it; Backspace and Delete clear the choice.
        """
        choices = ("", *field.choices) if field.kind == "choice" else ("", "yes")
        now = self.texts.get(field.key, "")
        at = choices.index(now) if now in choices else 0
        if key.key in ("space", "right", "left"):
            text = choices[(at + (-1 if key.key == "left" else 1)) % len(choices)]
        elif key.key in ("backspace", "delete") or (field.kind == "bool" and key.char == "n"):
            text = ""
        else:
            text = next((c for c in choices if key.char and c.lower().startswith(key.char.lower())), now)
        return self.put(field.key, text)

    def _list_key(self, desk: BaseDesk, stop: Stop, fields: tuple[Field, ...], key: Press) -> bool:
        """Handle a key of a list and return whether it was one.

        Space ticks the row, A all or none, r marks the row as the one that rolls, others move; another letter
        goes to the next creature whose name begins with it.
        """
        on, field = ticked_rows(self, stop.field), stop.field
        rows = [n for n, x in enumerate(stops_of(fields)) if x.row and x.field.key == field.key]
        match key.name:
            case "space":
                now = tuple(k for k in field.choices if (k in on) != (k == stop.row))
                gone = stop.one and stop.row in on and self.texts.get(stop.one.key) == stop.row
                # A creature that is not ticked rolls nothing.
                form = self.put(stop.one.key, "") if stop.one and gone else self
                self._show_change(desk, form.put(field.key, ",".join(now)))
            case "A":
                self._show_change(desk, self.put(field.key, ",".join(self._everybody(desk, stop, on))))
            case "r" if stop.one:
                if self.texts.get(stop.one.key) == stop.row:
                    self._show_change(desk, self.put(stop.one.key, ""))
                    return True
                # A creature with a roll is ticked.
                now = tuple(k for k in field.choices if k in on or k == stop.row)
                self._show_change(desk, self.put(field.key, ",".join(now)).put(stop.one.key, stop.row))
            case "up" | "down" | "j" | "k":
                # As in every list, nothing wraps.
                last = len(stops_of(fields)) - 1
                desk.show(mode=self.go(fields, max(0, min(self.at + STEPS[key.name], last))))
            case "g" | "G" | "home" | "end" | "pageup" | "pagedown":
                desk.show(mode=self.go(fields, max(rows[0], min(self.at + STEPS[key.name], rows[-1]))))
            case letter if key.char and letter not in DIGITS:
                names = tuple(Item(label(desk.store.encounter, k), "") for k in field.choices)
                if found := Choices("", names, field.choices.index(stop.row)).named(letter):
                    desk.show(mode=self.go(fields, rows[found.at]))
            case _:
                return False
        return True

    def _everybody(self, desk: BaseDesk, stop: Stop, on: tuple[str, ...]) -> tuple[str, ...]:
        """Return the ticked rows after A: all of them, or none if all were ticked already.

        In the form for areas, A concerns only the rows of this row's side.
        """
        choices = stop.field.choices
        is_area = self.verb == area.AREA
        some = {*area.side_of(desk.store.encounter, stop.row)} if is_area else {*choices}
        whole = some & {*choices} <= {*on}
        # A second A unticks them.
        return tuple(k for k in choices if (not whole if k in some else k in on))

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Insert pasted text into a text field; other fields ignore it."""
        del text
        stop = stop_of(desk.scene, self)
        if stop and stop.text_field and not stop.row:
            key = stop.text_field.key
            editor = desk.typed_into(Editor() if key in self.fresh else self.editor(key), typed)
            self._show_change(desk, self.put(key, editor.text, editor.at))
        return True

    def _show_change(self, desk: BaseDesk, form: Form) -> None:
        """Show the form after a key, and keep an order as a draft."""
        desk.show(mode=form)
        # Moving the cursor writes no file.
        if not form.verb and form.texts != self.texts:
            desk.keep(_name(desk, form), msgspec.json.encode(form.texts).decode())

    # --- sending

    def enter(self, desk: BaseDesk) -> None:
        """Send the form; if its order is in doubt, first ask whether it is meant."""
        scene, e = desk.scene, desk.store.encounter
        filled = self.verb or any(self.texts.values())
        if reason := self._doubt(scene):
            asks = f"{reason[-1]}, [Esc] goes back"
            page = OldParts if OLD_PARTS in asks else Page
            desk.show(
                mode=page(f"Order: {label(e, self.who)}", reason[:-1], beside=True, back=self, asks=asks)
            )
        elif not filled and any(a.who == self.who for a in asked_first(scene)):
            # No message: this is not a step, and is not asked again in this round.
            desk.show(skipped_forms=(*desk.view.skipped_forms, passed_key(e, self.who)))
            open_next(desk, self.who)
        else:
            self.send(desk)

    def _doubt(self, scene: Scene) -> tuple[str, ...] | None:
        """Return warnings and a question to confirm before the order is sent; None if it can be sent.

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
        # A written order is only changed in part.
        is_hidden = must_hide_texts(scene, self)
        if not stands and not is_hidden and (old := self.old(fields_of(scene, self) or ())):
            return f"{', '.join(old)}: as proposed", OLD_PARTS
        preview = preview_of(scene, self)
        is_answerable = not (is_hidden and is_gmless(scene.system, e))
        if any(self.texts.values()) and preview.doubts and not preview.errors and is_answerable:
            texts = [f"{key}: {words}" for key, words in self.filled_texts.items()]
            shown = (*preview.doubts, *texts) if not is_hidden else ("Go back, then ctrl+t shows the order.",)
            return *shown, f"{name}: is this the order that you mean? [y] sends it anyway"
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
            way = "ctrl+u empties it" if is_gmless(scene.system, scene.encounter) else "ctrl+t shows why"
            wrong = Notice(f"this part cannot be sent: {way}", "error")
            if not sealed:
                wrong = Notice(preview.errors[0], "error", "".join(preview.hints[:1]))
            desk.show(notice=wrong)
            return
        if self.stood and self.filled_texts == {k: v for k, v in self.stood.items() if v}:
            # Sent again it would be the game master's, and no longer sealed.
            desk.dismiss()
            desk.notify("nothing was changed: the order stays as it is", "hint")
            return
        is_due = bool(ask_of(scene, self.who)) or any(a.who == self.who for a in asked_first(scene))
        # Lines sent before the refused one stay done; the form stays open with the reason.
        if not all(desk.run(line) for line in self._lines(scene)):
            return
        if self.verb:
            desk.show(selected=())
        else:
            # Drafts go only now, when the order is in the journal: also those of an earlier round, and of
            # the time before a player wrote the order.
            for kind in ("order", "again"):
                desk.keep(f"{kind} {label(scene.encounter, self.who)}", "")
        if is_due:
            open_next(desk, self.who)
            return
        desk.dismiss()
        if self.verb == area.AREA and desk.store.encounter.area:
            desk.submit("totals")

    def _go_to_error(self, desk: BaseDesk, error: str) -> None:
        """Move focus to the field that an error names before its colon, if any."""
        fields = fields_of(desk.scene, self) or ()
        part = error.partition(":")[0]
        if at := [i for i, stop in enumerate(stops_of(fields)) if not stop.row and stop.field.key == part]:
            desk.show(mode=self.go(fields, at[0]))

    def _lines(self, scene: Scene) -> tuple[str, ...]:
        """Return the lines to send, one for each step."""
        if self.verb:
            return lines_of(scene, self)
        keys = "".join(f" {k}={quote(v)}" for k, v in self.filled_texts.items())
        return (f"order {write_who(scene.encounter, (self.who,))}{keys}",)

    # --- what is shown

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the form can use."""
        style = _style(scene, self, width)
        return 1 + len(_body(scene, self, style).rows) + max(1, len(_message_rows(scene, self, style)))

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title, the fields around the cursor, and the preview below them."""
        return pad_rows(form_rows(scene, self, box.width, box.height), box.height)

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
            pairs += [("A", "side" if self.verb == area.AREA else "all"), ("j/k", "row")]
        elif stop and stop.text_field is None:
            pairs += [("Space", "changes")]
        elif stop and stop.text_field and stop.text_field.key in self.fresh:
            pairs += [("letters", "replace")]
        pairs += [("Tab", "next")]
        if self.verb:
            return (*pairs, ("Esc", "drop"))
        if not (is_gmless(scene.system, scene.encounter) and has_hidden_orders(scene)):
            pairs += [("ctrl+t", "unseen")]
        return (*pairs, ("Esc", "keeps a draft"))


class OldParts(Page, frozen=True):
    """The question whether parts that still hold a proposal are sent too; then the order is checked again."""

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.key not in ("y", "n") or not isinstance(self.back, Form):
            Page.press(self, desk, key)
        elif desk.may_answer():
            form = replace(self.back, fresh=frozenset()) if key.key == "y" else self.back.without_old()
            desk.show(mode=form)
            form.enter(desk)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        yes, *others = Page.hints(self, scene)
        return (yes, ("n", "leave out"), *others)


Insert = Callable[[Editor, str], Editor]
"""Inserts text at the cursor of an editor."""


def _replace_proposal(proposed: str, key: Press, insert: Insert) -> Editor | None:
    """Edit a proposal like selected text: arrows move into it, other keys replace it."""
    match key.key:
        case "left" | "home":
            return Editor(proposed, 0)
        case "right" | "end" | "ctrl+e":
            return Editor.from_text(proposed)
        case _:
            erases = Editor(proposed, len(proposed)).press(key.key) is not None
            return insert(Editor(), key.char) if key.char or erases else None


def count_moves(field: Field, key: Press, *, typed: bool) -> int:
    """Return how many places a key moves from this field, 0 if it does not move.

    In a field that is not typed, j and k move as in a list, unless a choice begins with that character.
    """
    moves = {"tab": 1, "down": 1, "shift+tab": -1, "up": -1}
    begins = any(choice.lower().startswith(key.name) for choice in field.choices)
    return moves.get(key.key) or (0 if typed or begins else {"j": 1, "k": -1}.get(key.name, 0))


# --- opening


def open_form(desk: BaseDesk, key: str, *, is_named: bool = False) -> None:
    """Open the order form of a row, with its draft, else with what is written or proposed.

    Players who share the screen without a GM are first asked whose order is written, unless it `is_named`.
    """
    scene, e = desk.scene, desk.store.encounter
    if not is_named and is_gmless(scene.system, e) and has_hidden_orders(scene):
        keys = dict.fromkeys((key, *(a.who for a in due(scene) if isinstance(a, FormAsk))))
        owners = {k: " and ".join(dict.fromkeys(o for c in members(e, k) for o in c.owners)) for k in keys}
        items = tuple(Item(label(e, k), f"write {label(e, k)}", note=owners[k]) for k in keys)
        desk.show(mode=Menu("Whose order is it?", items))
    elif not _open(desk, Form(key)):
        desk.notify(text(desk.store.encounter, say("{0} owes no order", key)), "hint")


def open_verb(desk: BaseDesk, verb: str) -> bool:
    """Open the form of a verb of the system; return False if it has none now."""
    return _open(desk, Form("", verb=verb))


def open_area(desk: BaseDesk, _rest: str) -> None:
    """Open the form for damage to many, with the selected rows ticked and the numbers of the last area."""
    scene, store = desk.scene, desk.store
    fields = area.fields(scene)
    if not fields[-1].choices:
        desk.notify("there is no target", "warning")
        return
    form = Form("", verb=area.AREA)
    steps = range(store.step, max(0, store.step - MOST_LOOKED_BACK), -1)
    last = next((line for line in (store.done(s).line for s in steps) if line.startswith("area ")), "")
    texts = initial_texts(scene, form, fields) | area.recall_area(last)
    fresh = frozenset(key for key, text in texts.items() if text and key != "who")
    desk.show(mode=replace(form, texts=texts, fresh=fresh).go(fields, 0))


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
    # The first row of a list has focus, so that Space ticks it.
    desk.show(mode=opened.go(fields, next((i for i, stop in enumerate(stops_of(fields)) if stop.row), 0)))
    if theirs:
        desk.notify(f"this is {theirs}'s order: ctrl+u empties a part, Esc leaves it as it is", "warning")
    return True


def _players(desk: BaseDesk, form: Form) -> str:
    """Return the player whose written order is being rewritten, or ""."""
    if form.verb or ask_of(desk.scene, form.who):
        return ""
    e = desk.store.encounter
    return (
        next((" and ".join(c.owners) for c in members(e, form.who) if c.owner), "")
        if e.orders.get(form.who)
        else ""
    )


def _draft(desk: BaseDesk, form: Form) -> dict[str, str]:
    """Return the draft of an order, cleaned because it comes from a file."""
    # An unsent form of a verb was given up on purpose.
    if form.verb:
        return {}
    try:
        texts = msgspec.json.decode(desk.drafts.get(_name(desk, form), "{}"), type=dict[str, str])
    except msgspec.DecodeError:
        return {}
    return {key: clean(typed) for key, typed in texts.items()}


def _name(desk: BaseDesk, form: Form) -> str:
    """Return the name of the order's draft; an owed order and a rewritten one have different drafts."""
    kind = "order" if ask_of(desk.scene, form.who) else "again"
    return f"{kind} {label(desk.store.encounter, form.who)}"


def open_next(desk: BaseDesk, before: str = "") -> None:
    """Open the next owed form, first those that no connected player can write; if none is owed, close."""
    asks = [*asked_first(desk.scene), *(a for a in due(desk.scene) if isinstance(a, FormAsk))]
    others = [a.who for a in asks if a.who != before]
    present = desk.services.present() if others else frozenset()
    e = desk.store.encounter
    # Stable: the order of the forms stays within both parts.
    others.sort(key=lambda key: any(o.lower() in present for c in members(e, key) for o in c.owners))
    if others:
        open_form(desk, others[0])
        if before and isinstance(form := desk.view.mode, Form):
            desk.show(mode=replace(form, is_unasked=True))
    else:
        desk.dismiss()


WORDS = {"blast": open_area}


# --- fields and preview


def ask_of(scene: Scene, key: str) -> FormAsk | None:
    """Return the form that a row owes, or None."""
    return next((a for a in due(scene) if isinstance(a, FormAsk) and a.who == key), None)


def written_text(scene: Scene, key: str) -> Mapping[str, str]:
    """Return the order that is written for a row in this round, part by part; {} for none."""
    rows = orders_of(scene.system, scene.encounter)
    return next((o.text for o in rows if o.who == key and any(o.text.values())), {})


def fields_of(scene: Scene, form: Form) -> tuple[Field, ...] | None:
    """Return the fields of a verb, an owed order or an order to be rewritten; None without such a form."""
    if form.verb == area.AREA:
        return area.fields(scene)
    if form.verb:
        return on_screen(scene.system).form(scene.encounter, form.verb) or None
    if ask := ask_of(scene, form.who):
        return ask.fields
    return (
        on_screen(scene.system).order_fields(scene.encounter, form.who) if scene.encounter.running else ()
    ) or None


def stops_of(fields: Iterable[Field]) -> tuple[Stop, ...]:
    """Return the places of the cursor in order; each row of a list is one."""
    declared = tuple(fields)
    rows = {(f.row, f.key): f for f in declared if f.row and f.kind != "choice"}
    ones = {f.row: f for f in declared if f.row and f.kind == "choice"}
    stops: list[Stop] = []
    for f in declared:
        if f.kind == "list":
            stops += [Stop(f, key, rows.get((f.key, key)), ones.get(f.key)) for key in f.choices]
        elif not f.row:
            stops.append(Stop(f))
    return tuple(stops)


def stop_of(scene: Scene, form: Form) -> Stop | None:
    """Return the place that has focus, or None."""
    stops = stops_of(fields_of(scene, form) or ())
    return stops[form.at % len(stops)] if stops else None


def initial_texts(scene: Scene, form: Form, fields: tuple[Field, ...]) -> dict[str, str]:
    """Return the text of each field: as written, else as proposed; for a list the selected rows."""
    proposed = {
        f.key: ("yes" if f.default else "") if isinstance(f.default, bool) else spell(f.default)
        for f in fields
    }
    if form.verb:
        proposed |= _fill_from_cursor(scene, fields)
        # Of a selected group also the members.
        rows = selected_rows(scene)
        selected = {c.id for k in rows for c in members(scene.encounter, k)} | {*rows}
        return proposed | {
            f.key: ",".join(chosen)
            for f in fields
            if f.kind == "list" and (chosen := [key for key in f.choices if key in selected])
        }
    if ask_of(scene, form.who):
        return proposed
    written = written_text(scene, form.who)
    return {key: written.get(key, "") for key in proposed}


def _fill_from_cursor(scene: Scene, fields: Iterable[Field]) -> dict[str, str]:
    """Return texts by field: in each choice that offers the current row's creature, its name.

    Return {} while a turn runs.
    """
    names = {c.name for c in members(scene.encounter, current(scene))} if not scene.encounter.turn else set()
    return {
        f.key: name
        for f in fields
        if f.kind == "choice" and f.default and not f.row
        for name in f.choices
        if name in names
    }


def ticked_rows(form: Form, field: Field) -> tuple[str, ...]:
    """Return the ticked rows of a list, in its order."""
    words = form.texts.get(field.key, "").split(",")
    return tuple(key for key in field.choices if key in words)


def preview_of(scene: Scene, form: Form) -> Preview:
    """Return the preview of the form."""
    if not form.verb:
        return on_screen(scene.system).preview(scene.encounter, form.who, form.filled_texts)
    # A wrong field is named before missing ones.
    e, texts, wrong = scene.encounter, form.filled_texts, ""
    if form.verb == area.AREA:
        everybody = ",".join(c.id for c in active(e))
        wrong = _refusal(scene, area.line(e, {"damage": "1", **texts, "who": everybody}))
    try:
        lines = lines_of(scene, form)
    except RuleError as error:
        hints = ("" if wrong else error.hint.replace("`", ""),)
        return Preview(tuple(x for x in (wrong, error.reason) if x), hints=hints)
    wrong = wrong or next((reason for x in lines[:1] if (reason := _refusal(scene, x))), "")
    return Preview((wrong,)) if wrong else Preview(notes=lines)


def _refusal(scene: Scene, text: str) -> str:
    """Return why the rules refuse a line of a form, "" if they do not."""
    try:
        action = parse(text, {v.name for v in scene.system.verbs})
    except RuleError as error:
        return error.reason
    if not isinstance(action, OwnVerb | Area):
        return ""
    return refusal(scene.encounter, scene.system, action)


def lines_of(scene: Scene, form: Form) -> tuple[str, ...]:
    """Return the lines of a verb's form, each a step. Raises RuleError if it is incomplete."""
    if form.verb == area.AREA:
        return (area.line(scene.encounter, form.filled_texts),)
    return on_screen(scene.system).lines(scene.encounter, form.verb, form.filled_texts)


def notes_of(scene: Scene, form: Form) -> Mapping[str, str]:
    """Return the notes beside the rows of a verb's form, by key."""
    if form.verb == area.AREA:
        return area.write_notes(scene, form.texts)
    return on_screen(scene.system).beside(scene.encounter, form.verb, form.filled_texts) if form.verb else {}


# --- drawing


class FormStyle(Struct, frozen=True):
    """How fields are drawn."""

    glyphs: Glyphs
    width: int
    """Columns of the form."""
    title: int = 0
    """Columns reserved for titles."""
    is_masked: bool = False
    """Whether texts and the position of the cursor are hidden."""
    has_marks: bool = False
    """Whether a sign marks proposals."""


class FormBody(Struct):
    """The rows of all fields, and which of them must be shown."""

    rows: list[Row] = []
    """All rows, from top to bottom."""
    at: int = 0
    """The index of the row with the cursor."""
    focus_rows: tuple[int, int] = (0, 1)
    """The index of the first row of the field in focus, and of the row after its last."""
    list_rows: tuple[int, int] = (0, 0)
    """The index of the first row of a list, and of the row after its last."""
    empty: list[tuple[int, str]] = []
    """The row index and the title of each field that has one row and no text."""
    chosen: int = 0
    """The index of the list's first ticked row, 0 for none."""

    def add(self, rows: Sequence[Row], *, focused: bool, empty: str = "") -> None:
        """Append the rows of a field.

        `focused` says whether the cursor is in the field; `empty` is its title if it may be folded, else "".
        """
        before = len(self.rows)
        self.rows += rows
        if focused:
            cursor = next((n for n, row in enumerate(rows) if any(role == "current" for _, role in row)), 0)
            self.at, self.focus_rows = before + cursor, (before, len(self.rows))
        elif empty and len(rows) == 1:
            self.empty.append((before, empty))


def form_rows(scene: Scene, form: Form, width: int, height: int) -> list[Row]:
    """Return at most `height` rows: the title, the fields around the cursor, and the preview below them.

    A single row is the field with focus.
    """
    style = _style(scene, form, width)
    body, lines = _body(scene, form, style), _message_rows(scene, form, style)
    about = "" if form.verb else _writer(scene, form.who)
    glyphs, room = style.glyphs, max(0, height - 1, min(1, height))
    begin, end = body.list_rows
    # A list is cut before fields that the cursor would then pass unseen.
    if len(body.rows) - max(0, end - begin - LEAST_LIST_ROWS) + len(lines) > room:
        body = _fold_empty(body)
    # What is being typed is more important than its preview.
    least = min(len(body.rows), max(room // 2, body.focus_rows[1] - body.focus_rows[0]))
    lines = shorten_rows(lines, max(room - least, min(1, room - 1)), glyphs.ellipsis)
    rows, more = _fit_body(body, room - len(lines), glyphs)
    remarks: tuple[Piece, ...] = tuple((x, "muted") for x in (about, words(more) if more else "") if x)
    head = title_row(glyphs, (frame_title(glyphs, form_title(scene, form)), "focus"), style.width, remarks)
    drawn = [head, *(clip(row, style.width, glyphs.ellipsis) for row in (*rows, *lines))]
    return drawn[-1:] if height == 1 else drawn[: max(0, height)]


def _writer(scene: Scene, key: str) -> str:
    """Return owners, hit points and conditions of the creatures whose order is being written."""
    people = [c for c in creatures(scene, key) if not c.out]
    owners = dict.fromkeys(owner for c in people for owner in c.owners)
    states = [words for words, _ in held_words(scene, people)]
    return scene.glyphs.joint.join(filter(None, [*owners, points(people, scene.glyphs)[0], " ".join(states)]))


def _style(scene: Scene, form: Form, width: int) -> FormStyle:
    titles = (cells(f.title) for f in fields_of(scene, form) or () if not f.row and f.kind != "list")
    return FormStyle(
        scene.glyphs, width, max(titles, default=0), must_hide_texts(scene, form), has_marks=not form.verb
    )


def form_title(scene: Scene, form: Form) -> str:
    """Return the title of a form.

    An order's title has the row's name and how many more are owed; a verb's has the verb and its help.
    """
    if form.verb == area.AREA:
        return area.TITLE
    if form.verb:
        verb = next((v for v in scene.system.verbs if v.name == form.verb), None)
        return f"{form.verb}: {verb.help}" if verb else form.verb
    if ask_of(scene, form.who) is None:
        rewritten = ", rewritten" if written_text(scene, form.who) else ""
        return f"Order: {label(scene.encounter, form.who)}{rewritten}"
    rest = sum(isinstance(a, FormAsk) for a in due(scene)) - 1
    return f"Order: {label(scene.encounter, form.who)}" + (f", {rest} more to come" if rest > 0 else "")


def _message_rows(scene: Scene, form: Form, style: FormStyle) -> list[Row]:
    """Return errors, warnings and notes of the preview, wrapped; an error in the notice is left out."""
    # Every word of the preview repeats what is typed.
    if style.is_masked or fields_of(scene, form) is None:
        return []
    preview, notice = preview_of(scene, form), scene.view.notice
    is_said = notice is not None and notice.text in preview.errors[:1]
    aloud = style.glyphs.spoken
    parts: tuple[tuple[str, Sequence[str], Role], ...] = (
        ("wrong: " if aloud else "! ", preview.refusals[is_said:], "error"),
        ("unclear: " if aloud else "? ", preview.doubts, "warning"),
        ("  ", preview.notes, "hint"),
    )
    return [
        row for mark, texts, role in parts for text in texts for row in marked_rows(mark, text, role, style)
    ]


def _body(scene: Scene, form: Form, style: FormStyle) -> FormBody:
    fields = fields_of(scene, form)
    if fields is None:
        return FormBody([(("Nothing is owed any more", "muted"),)])
    body, stops = FormBody([]), stops_of(fields)
    for i, stop in enumerate(stops):
        focused = i == form.at % len(stops)
        if not stop.row:
            # A masked form also hides which fields are empty.
            empty = "" if style.is_masked or form.texts.get(stop.field.key) else stop.field.title
            body.add(field_rows(form, stop.field, style, focused=focused), focused=focused, empty=empty)
            continue
        if i == 0 or stops[i - 1].field.key != stop.field.key:
            body.rows.append(list_head(stop.field, measure_names(scene, stop.field, style.width)))
            body.list_rows = (len(body.rows), len(body.rows) + len(stop.field.choices))
        if not body.chosen and stop.row in ticked_rows(form, stop.field):
            body.chosen = len(body.rows)
        body.add([list_row(scene, form, stop, style.width, focused=focused)], focused=focused)
    return body


def _fold_empty(body: FormBody) -> FormBody:
    """Return the body with its empty fields in one row at the end."""
    gone = dict(body.empty)
    if len(gone) < 2:
        return body

    def moved(place: int) -> int:
        return place - sum(row < place for row in gone)

    rows = [row for number, row in enumerate(body.rows) if number not in gone]
    rows.append(((f"   empty: {', '.join(gone.values())}", "hint"),))
    focused, listed = (tuple(map(moved, span)) for span in (body.focus_rows, body.list_rows))
    return FormBody(
        rows,
        moved(body.at),
        (focused[0], focused[1]),
        (listed[0], listed[1]),
        chosen=moved(body.chosen) if body.chosen else 0,
    )


def _fit_body(body: FormBody, room: int, glyphs: Glyphs) -> tuple[list[Row], tuple[Piece, ...]]:
    """Return the rows that fit, and how many others there are; lists are cut before other fields."""
    rows, (begin, end) = body.rows, body.list_rows
    if len(rows) <= room:
        return rows, ()
    others = len(rows) - (end - begin)
    size = room - others
    if size >= min(LEAST_LIST_ROWS, end - begin) and end > begin:
        # The row of the cursor, else the first that is ticked.
        at = body.at - begin if begin <= body.at < end else max(0, body.chosen - begin)
        first = max(0, min(at - size // 2, end - begin - size))
        seen = [*rows[:begin], *rows[begin + first : begin + first + size], *rows[end:]]
        return seen, span(first, size, end - begin, glyphs)
    # The whole field in focus if it fits, else the row of its cursor.
    top, bottom = (
        body.focus_rows if body.focus_rows[1] - body.focus_rows[0] <= room else (body.at, body.at + 1)
    )
    first = max(0, min((top + bottom - room) // 2, len(rows) - room))
    return rows[first : first + room], span(first, room, len(rows), glyphs) if room > 0 else ()


def shorten_rows(rows: list[Row], most: int, ellipsis: str) -> list[Row]:
    """Return at most `most` rows; if rows are left out, the last row ends in the ellipsis."""
    if len(rows) <= most or most < 1:
        return rows[: max(0, most)]
    return [*rows[: most - 1], (*rows[most - 1], (f" {ellipsis}", "muted"))]


def marked_rows(mark: str, text: str, role: Role, style: FormStyle) -> list[Row]:
    """Return a text after a mark, wrapped; rows after the first are indented by the mark's width."""
    seen = wrap_text(text, max(1, style.width - len(mark)), MOST_FIELD_ROWS + 1)
    rows: list[Row] = [
        ((mark if i == 0 else " " * len(mark), role), (row, role)) for i, row in enumerate(seen)
    ]
    return shorten_rows(rows, MOST_FIELD_ROWS, style.glyphs.ellipsis)


def field_rows(form: Form, field: Field, style: FormStyle, *, focused: bool) -> list[Row]:
    """Return the rows of a field.

    Its title is never cut. Its value is beside it, or below it if there is little room.
    """
    glyphs, name = style.glyphs, style.title
    cursor: Piece = (glyphs.cursor if focused else " ", "focus")
    old = style.has_marks and field.key in form.fresh and not style.is_masked
    mark: Piece = ("= " if old else "  ", "hint")
    width = style.width - name - 4
    has_name = width >= name
    values = _values(form, field, style, focused=focused, width=width if has_name else width + name)
    title: Piece = (
        field.title + " " * (name - cells(field.title) + 1) if has_name else field.title,
        "key" if focused else "hint",
    )
    if not has_name:
        return [(cursor, mark, title), *((("   ", "text"), *row) for row in values)]
    blank: Piece = (" " * (name + 4), "text")
    return [(cursor, mark, title, *values[0]), *((blank, *row) for row in values[1:])]


def _values(form: Form, field: Field, style: FormStyle, *, focused: bool, width: int) -> list[Row]:
    if style.is_masked:
        # Neither its length nor the place of the cursor may be shown.
        dots = "unseen" if style.glyphs.spoken else style.glyphs.dot * MASK_WIDTH
        return [((dots, "current" if focused else "muted"),)]
    glyphs, text = style.glyphs, form.texts.get(field.key, "")
    if not _is_typed(field):
        return [_draw_choices(field, text, width, focused=focused)]
    if focused:
        rows = typed_rows(form.editor(field.key), width, MOST_FIELD_ROWS, glyphs.ellipsis)
        line = "type over it, or Right to edit it" if field.key in form.fresh else "" if text else field.help
        # Beside a text only if both fit whole; beside nothing it may be cut.
        fits = not text or cells(words(rows[0])) + cells(line) + 2 < width
        # After words a mark: without colours the hint would read as part of them.
        hint = f"{glyphs.joint}{line}" if text else f" {line}"
        return [(*rows[0], (hint, "hint")), *rows[1:]] if line and fits else rows
    return _typed_text_rows(text, width, glyphs.ellipsis)


def _typed_text_rows(text: str, width: int, ellipsis: str) -> list[Row]:
    """Return a typed text in at most `MOST_FIELD_ROWS` rows; a part from "or else" on begins a new row."""
    seen = text[: LETTERS_PER_COLUMN * MOST_FIELD_ROWS * max(1, width)]
    if not seen:
        return [(("-", "muted"),)]
    rows: list[Row] = []
    for part in _OR_ELSE.split(seen, maxsplit=1):
        first, *more = wrap_text(part, max(1, width), MOST_FIELD_ROWS + 1)
        if part[:7].lower() == "or else":
            rows.append(((first[:7], "key"), (first[7:], "text")))
        else:
            rows.append(((first, "text"),))
        rows += [((row, "text"),) for row in more]
    if len(seen) == len(text):
        return shorten_rows(rows, MOST_FIELD_ROWS, ellipsis)
    return shorten_rows([*rows, ()], min(MOST_FIELD_ROWS, len(rows)), ellipsis)


def _draw_choices(field: Field, text: str, width: int, *, focused: bool) -> Row:
    """Return all values of a choice, the chosen one in brackets, or only that one if they do not fit."""
    pieces: list[Piece] = []
    if field.kind == "bool":
        pieces.append(("[yes]" if text == "yes" else "[ ]", "text" if text == "yes" else "muted"))
    for name in field.choices if field.kind == "choice" else ():
        chosen = name == text
        pieces.append((f"[{name}]" if chosen else f" {name} ", "text" if chosen else "muted"))
    if sum(cells(t) for t, _ in pieces) > width:
        place = field.choices.index(text) + 1 if text in field.choices else 0
        pieces = [(f"[{text or '-'}]", "text"), (f" {place} of {len(field.choices)}", "muted")]
    line = field.help if focused or field.kind == "bool" else ""
    # Its meaning comes before the key that changes it, which the hints name as well.
    more = f" {line}" if line else " Space changes" if focused else ""
    return (*pieces, (more, "hint")) if more else tuple(pieces)


def _is_typed(field: Field) -> bool:
    """Return True if the field's text is typed rather than chosen."""
    return field.kind not in ("bool", "choice")


def measure_names(scene: Scene, field: Field, width: int) -> int:
    """Return the width of the names in a list, in columns."""
    longest = max((cells(label(scene.encounter, key)) for key in field.choices), default=0)
    return min(longest, max(8, width // 2))


def list_head(field: Field, wide: int) -> Row:
    """Return the title over a list, and the heading of its numbers."""
    room = wide + 7 + AMOUNT_WIDTH
    title: Piece = (f"   {field.title}", "hint")
    # The first word is above the numbers; the rest follows to the right.
    first, _, rest = field.help.partition(" ")
    text = f" {first:>{max(0, room - len(field.title)) + AMOUNT_WIDTH - 1}} {rest}"
    return (title, (text, "hint")) if field.help else (title,)


def list_row(scene: Scene, form: Form, stop: Stop, width: int, *, focused: bool) -> Row:
    """Return a row of a list: tick, name, number, note."""
    on = stop.row in ticked_rows(form, stop.field)
    name = label(scene.encounter, stop.row)
    wide = measure_names(scene, stop.field, width)
    shown = clip(((name, "text"),), wide, scene.glyphs.ellipsis)
    gap: Piece = (" " * (wide - cells(words(shown)) + 1), "text")
    tick = f"[{scene.glyphs.chosen if on else ' '}]"
    row: Row = (
        (scene.glyphs.cursor if focused else " ", "focus"),
        ("  ", "text"),
        (tick, "selected" if on else "muted"),
        (" ", "text"),
        *shown,
        gap,
    )
    line = notes_of(scene, form).get(stop.row, "")
    note: Row = ((f"  {line}", "hint"),) if line else ()
    if stop.number is None:
        return (*row, *note)
    text = form.texts.get(stop.number.key, "")
    if focused:
        editor = form.editor(stop.number.key)
        typed = typed_line(editor, AMOUNT_WIDTH + 1)
        # The cursor is after the number, or on it: the number stays in its column.
        is_at_end = editor.at >= len(editor.text)
        fill: Piece = (" " * max(0, AMOUNT_WIDTH + is_at_end - cells(words(typed))), "text")
        return (*row, fill, *typed, (" " * (not is_at_end), "text"), *note)
    number: Piece = (f"{text or '-':>{AMOUNT_WIDTH}} ", "text" if text else "muted")
    return (*row, number, *note)


def must_hide_texts(scene: Scene, form: Form) -> bool:
    """Return whether the texts of a form must be hidden: on a masked screen, and of an order that is sealed.

    Only orders are secret; the form of a verb asks for public things.
    """
    if form.verb or has_hidden_orders(scene):
        return not form.verb
    name = row_name(scene, form.who)
    return any(o.who == name and is_sealed(scene, o) for o in scene.table.orders)

"""A form while it is filled in: its fields, the cursor's places, its preview; and the form for areas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field, FormAsk, Preview
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, active, members
from tui.core.language import values
from tui.core.language.creature_actions import Area, OwnVerb
from tui.core.language.grammar import parse
from tui.core.language.tokens import quote, tokens
from tui.core.language.values import spell
from tui.core.rules.decide import refusal
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import has_hit_count, orders_of
from tui.core.views.table_for import list_marks
from tui.ui.state.scene import Scene, current, due, selected_rows, write_who
from tui.ui.text.form import FormInput, is_typed
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.track import make_adjective


class FormTexts(FormInput, frozen=True):
    """The texts of a form: the order of row `who`, or the verb `verb` of a system with `who` empty."""

    who: str
    verb: str = ""


AREA = "area"
TITLE = "Area: damage to many, and who is in it"
_IF_SAVED = ("half", "none")
_HIT_HELP = "yes: it counts as a hit on each creature that takes damage"


def fields(scene: Scene) -> tuple[Field, ...]:
    """Return the fields of the form for areas: damage, save, and creatures in the area."""
    e = scene.encounter
    # Creatures in reserve cannot be hit; before the fight none is in reserve.
    keys = tuple(c.id for c in (scene.system.in_play(e) if e.running else active(e)))
    counts = e.running and has_hit_count(scene.system, e)
    return (
        Field("damage", "damage", "text", help="dice or a number: 8d6, 27"),
        Field("dc", "DC", "text", help="a number; if empty, there is no save and all take full damage"),
        Field("save", "save", "text", help="its key: dex, con, wis"),
        Field("type", "type", "text", help="fire, cold: creatures that resist it take half"),
        Field("half", "made", "choice", _IF_SAVED, "half", help="damage for targets that make the save"),
        *((Field("hit", "hit", "choice", ("no", "yes"), "no", help=_HIT_HELP),) if counts else ()),
        Field("who", "Who is in it?", "list", keys),
    )


def line(e: Encounter, texts: Mapping[str, str]) -> str:
    """Return the line of the form for areas. Raises RuleError if it is incomplete."""
    texts = {key: text.strip() for key, text in texts.items()}
    if not texts.get("damage"):
        raise RuleError("how much damage? 8d6, or a number")
    ticked = texts.get("who", "").split(",")
    keys = [c.id for c in active(e) if c.id in ticked]
    if not keys:
        raise RuleError("no target is selected: Space selects the row, A its side")
    filled = {key: texts[key] for key in ("damage", "type", "dc", "save") if texts.get(key)}
    # A number in place of the key is the DC, as in a line.
    saves = "dc" in filled or filled.get("save", "").isdecimal()
    words = "".join(f" {key}={quote(text)}" for key, text in filled.items())
    half = " half=no" if texts.get("half") == "none" and saves else ""
    hit = " hit=yes" if texts.get("hit") == "yes" else ""
    return f"{AREA} {write_who(e, keys)}{words}{half}{hit}"


def side_of(e: Encounter, key: str) -> tuple[str, ...]:
    """Return the ids of all active creatures on a creature's side."""
    side = e.combatants[key].side
    return tuple(c.id for c in active(e) if c.side == side)


def write_notes(scene: Scene, texts: Mapping[str, str]) -> dict[str, str]:
    """Return a note on each active creature, by id: hit points, conditions, bonus of the chosen save."""
    return {c.id: _note_of(scene, c, texts.get("save", "").lower()) for c in active(scene.encounter)}


def _note_of(scene: Scene, c: Combatant, save: str) -> str:
    hp = "" if c.hp is None else f"{c.hp}/{c.most_hp}" + (f"+{c.temp_hp}" if c.temp_hp else "")
    number = values.read_bonuses(c.save_bonus).get(save)
    marks = [mark.short for mark in list_marks((c,), scene.system) if mark.short]
    texts = [
        HIDDEN_WORD if c.hidden else "",
        hp,
        ("stable" if c.dying.stable else "dying") if c.dying else "",
        f"{save} {number:+}" if save and number is not None else "",
        *(make_adjective(x.name) for x in c.conditions),
        *marks,
    ]
    return "  ".join(text for text in texts if text)


def recall_area(earlier: str) -> dict[str, str]:
    """Return damage, save and DC of an earlier `area` line as texts of the form, without its creatures."""
    try:
        earlier_keys = {t.key: t.text for t in tokens(earlier) if t.key}
    except RuleError:
        return {}
    half = "none" if earlier_keys.get("half") == "no" else "half"
    return {"half": half} | {
        key: earlier_keys[key] for key in ("damage", "type", "dc", "save", "hit") if earlier_keys.get(key)
    }


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
        return self.field if is_typed(self.field) else None


def ask_of(scene: Scene, key: str) -> FormAsk | None:
    """Return the form that a row owes, or None."""
    return next((a for a in due(scene) if isinstance(a, FormAsk) and a.who == key), None)


def written_text(scene: Scene, key: str) -> Mapping[str, str]:
    """Return the order that is written for a row in this round, part by part; {} for none."""
    rows = orders_of(scene.system, scene.encounter) if scene.encounter.running else ()
    return next((o.text for o in rows if o.who == key and any(o.text.values())), {})


def fields_of(scene: Scene, form: FormTexts) -> tuple[Field, ...] | None:
    """Return the fields of a verb, an owed order or an order to be rewritten; None without such a form."""
    if form.verb == AREA:
        return fields(scene)
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


def stop_of(scene: Scene, form: FormTexts) -> Stop | None:
    """Return the place that has focus, or None."""
    stops = stops_of(fields_of(scene, form) or ())
    return stops[form.at % len(stops)] if stops else None


def initial_texts(scene: Scene, form: FormTexts, fields: tuple[Field, ...]) -> dict[str, str]:
    """Return the text of each field: as written, else as proposed; for a list the selected rows."""
    proposed = {f.key: _propose(f) for f in fields}
    if form.verb:
        proposed |= _fill_from_cursor(scene, fields)
        return proposed | {
            f.key: ",".join(k) for f in fields if f.kind == "list" and (k := _selected_rows(scene, f))
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


def _selected_rows(scene: Scene, field: Field) -> list[str]:
    """Return the rows of a list that were selected on the board; of a selected group also the members."""
    rows = selected_rows(scene)
    texts = {c.id for k in rows for c in members(scene.encounter, k)} | {*rows}
    return [key for key in field.choices if key in texts]


def _propose(field: Field) -> str:
    if isinstance(field.default, bool):
        return "yes" if field.default else ""
    return spell(field.default)


def ticked_rows(form: FormTexts, field: Field) -> tuple[str, ...]:
    """Return the ticked rows of a list, in its order."""
    words = form.texts.get(field.key, "").split(",")
    return tuple(key for key in field.choices if key in words)


def preview_of(scene: Scene, form: FormTexts) -> Preview:
    """Return the preview of the form."""
    if not form.verb:
        return on_screen(scene.system).preview(scene.encounter, form.who, form.filled_texts)
    # A wrong field is named before missing ones.
    wrong = _refusal(scene, _complete(scene.encounter, form.filled_texts)) if form.verb == AREA else ""
    try:
        lines = lines_of(scene, form)
    except RuleError as error:
        hint = "" if wrong else error.hint.replace("`", "")
        return Preview(tuple(x for x in (wrong, error.message) if x), hint=hint)
    wrong = wrong or next((reason for x in lines[:1] if (reason := _refusal(scene, x))), "")
    return Preview((wrong,)) if wrong else Preview(notes=lines)


def _complete(e: Encounter, texts: Mapping[str, str]) -> str:
    """Return the line of the form for areas with every creature ticked, and damage 1 if none is typed."""
    return line(e, {**texts, "damage": texts.get("damage") or "1", "who": ",".join(c.id for c in active(e))})


def _refusal(scene: Scene, text: str) -> str:
    """Return why the rules refuse a line of a form, "" if they do not."""
    try:
        action = parse(text, {v.name for v in scene.system.verbs})
    except RuleError as error:
        return error.message
    if not isinstance(action, OwnVerb | Area):
        return ""
    return refusal(scene.encounter, scene.system, action)


def lines_of(scene: Scene, form: FormTexts) -> tuple[str, ...]:
    """Return the lines of a verb's form, each a step. Raises RuleError if it is incomplete."""
    if form.verb == AREA:
        return (line(scene.encounter, form.filled_texts),)
    return on_screen(scene.system).lines(scene.encounter, form.verb, form.filled_texts)


def notes_of(scene: Scene, form: FormTexts) -> Mapping[str, str]:
    """Return the notes beside the rows of a verb's form, by key."""
    if form.verb == AREA:
        return write_notes(scene, form.texts)
    return on_screen(scene.system).beside(scene.encounter, form.verb, form.filled_texts) if form.verb else {}
